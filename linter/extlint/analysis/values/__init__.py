"""Backward analysis: the value of an expression."""
