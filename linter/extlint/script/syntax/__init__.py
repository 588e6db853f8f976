"""From the text of a script to syntax nodes."""
