"""The value of each kind of expression."""
