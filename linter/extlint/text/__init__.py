"""Text: positions, regular expressions, similar names, and phrases of messages."""
