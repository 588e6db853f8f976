"""Converts reports to output: one module for each format, and `registry` with the table of them."""
