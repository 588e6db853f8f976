"""Findings that are suppressed: by comments in the files, by the configuration, by a baseline.

Comments are found while a package is checked, for they depend on its bytes alone, and are kept with its
report. They are applied to what a run shows, which no cache keeps: see `apply`.
"""
