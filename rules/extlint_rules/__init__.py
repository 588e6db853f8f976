"""The rules of extlint, one module each."""
