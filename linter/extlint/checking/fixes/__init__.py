"""Applies the fixes of findings to the files of an extension, and writes the results."""
