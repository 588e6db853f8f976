"""Browsers as processes, and the protocols to control them."""
