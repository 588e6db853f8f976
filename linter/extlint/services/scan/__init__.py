"""Scans a store: checks thousands of packages, and writes tables of them and of their findings."""
