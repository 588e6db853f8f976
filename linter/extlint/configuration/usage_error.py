"""What a user writes that is not right, in options or in files."""

from __future__ import annotations


class UsageError(Exception):
    """Its text is the sentence that the user is told."""
