"""What a project says of how its extensions are checked, and names that users type."""
