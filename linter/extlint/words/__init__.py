"""Values, types, places and formats in the words of messages."""
