"""Checks packages with the settings of a user: from options and configurations to reports and outputs."""
