"""Whole-program analysis: what the scripts of one package have to do with each other."""
