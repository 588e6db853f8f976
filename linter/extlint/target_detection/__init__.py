"""Detects the browsers that an extension is written for, from its manifest and the names of build outputs."""
