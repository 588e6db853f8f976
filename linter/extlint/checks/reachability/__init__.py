"""Determines the scripts and branches that run in the target, and whether all of the code is known."""
