"""Edits that fix mistakes and leave the rest of a text unchanged."""
