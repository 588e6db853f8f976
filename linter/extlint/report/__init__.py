"""Converts reports to output: modules of formats, and `reporter` with the table of them."""
