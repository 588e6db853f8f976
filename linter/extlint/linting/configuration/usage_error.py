"""Errors in options or files that a user writes."""

from __future__ import annotations


class UsageError(Exception):
    """An error whose text is a sentence for the user."""
