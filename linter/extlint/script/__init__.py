"""What a script does with the extension APIs."""
