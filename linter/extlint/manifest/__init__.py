"""The manifest, with the position of every key and value."""
