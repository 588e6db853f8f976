"""Evaluates each kind of expression."""
