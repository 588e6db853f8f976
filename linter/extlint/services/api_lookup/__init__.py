"""Looks names up in the schemas, for people: `extlint schema`."""
