"""Detects the browsers that an extension is written for, from its manifest, names and project."""
