"""Which script runs where."""
