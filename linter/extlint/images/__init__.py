"""What the first bytes of an image tell: its format, and how large it is."""
