"""Turns the text of a script into syntax nodes."""
