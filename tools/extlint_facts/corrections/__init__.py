"""Corrections by hand: what no package says, or says wrongly. One file for each browser, and one loader."""
