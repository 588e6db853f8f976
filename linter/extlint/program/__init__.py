"""Whole-program analysis: how the scripts of one package affect each other."""
