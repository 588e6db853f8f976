"""Who calls a function."""
