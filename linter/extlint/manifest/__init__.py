"""The manifest, with the place of every key and value."""
