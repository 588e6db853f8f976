"""The formats of strings, each with the reason why a text does not match it."""
