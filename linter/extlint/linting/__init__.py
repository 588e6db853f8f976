"""Computes the findings of an extension."""
