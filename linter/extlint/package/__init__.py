"""Packages: the read-only set of files at a path."""
