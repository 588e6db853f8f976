"""Conditions that test in which browser they run, or for what a build was made."""
