"""JSON texts, with the place of every key and value."""
