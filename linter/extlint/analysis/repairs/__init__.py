"""Edits of a script that fix a mistake in it, where the code shows for certain what to write."""
