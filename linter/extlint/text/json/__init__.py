"""JSON texts, with the position of every key and value."""
