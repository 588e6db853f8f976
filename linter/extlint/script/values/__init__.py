"""Backward: what an expression's value is."""
