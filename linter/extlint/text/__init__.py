"""Text: places in it, regular expressions, near names, and the phrases of messages."""
