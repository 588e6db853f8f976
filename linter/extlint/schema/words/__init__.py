"""Values, types, paths and formats as text in messages."""
