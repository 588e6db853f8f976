"""The API schemas of extlint, as data."""
