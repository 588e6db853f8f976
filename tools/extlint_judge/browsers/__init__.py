"""Browsers as processes, and how this program speaks with them."""
