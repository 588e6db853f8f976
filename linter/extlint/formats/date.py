"""Dates in ISO 8601."""

from __future__ import annotations

from extlint.formats.problem import Problem
from extlint.matching.formats import has_format


def date(text: str) -> Problem | None:
    """A day, or a moment with its time zone."""
    if has_format("date", text) is not False:
        return None
    return Problem("a date must look like `2016-03-04` or `2016-03-04T08:00:00Z`")
