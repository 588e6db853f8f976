"""Which script runs in which context."""
