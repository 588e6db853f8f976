"""Applies the fixes of findings to the files of an extension, and writes what came of it."""
