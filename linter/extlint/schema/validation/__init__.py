"""Explains why a schema rejects a JSON value, as mistakes of its author."""
