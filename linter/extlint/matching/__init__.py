"""Whether an argument fits a parameter."""
