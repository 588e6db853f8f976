"""The output formats, one module each."""
