"""Backward: the value of an expression."""
