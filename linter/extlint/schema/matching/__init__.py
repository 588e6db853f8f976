"""Checks whether a partly known value matches a schema, as browsers decide it."""
