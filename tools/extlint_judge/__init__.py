"""Asks real browsers what they say to extensions, and compares that with what extlint says."""
