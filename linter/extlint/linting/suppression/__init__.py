"""Suppresses findings: by comments in the files, by the configuration, by a baseline.

Comments are found while a package is checked, because they depend only on its bytes, and are cached with its
report. They are applied to the output of a run, which is never cached: see `ignores`.
"""
