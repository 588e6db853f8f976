"""Image metadata from the first bytes of a file: its format and size."""
