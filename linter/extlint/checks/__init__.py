"""What the schemas say of what scripts do: shared by the rules."""
