"""Observations of real browsers, in files that only extlint_judge writes."""
