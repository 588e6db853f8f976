"""The module systems that bundlers bring along, recognized by their shape."""
