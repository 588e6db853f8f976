"""Syntax errors: signs of them in a tree, and an exact parser that confirms them."""
