"""Dates in ISO 8601."""

from __future__ import annotations

from extlint.text.formats.problem import Problem
from extlint.text.patterns import lazy

_DATE = lazy(
    r"[0-9]{4}-([0-9]{2})-([0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{3})?(?:Z|[-+]([0-9]{2}):?([0-9]{2})))?"
)


def date(text: str) -> Problem | None:
    """Checks a date, or a date and time with a time zone."""
    if is_date(text) is not False:
        return None
    return Problem("a date must look like `2016-03-04` or `2016-03-04T08:00:00Z`")


def is_date(text: str) -> bool | None:
    """Whether browsers parse a text as a date, or None if only some do, or only in some months."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    month, day, hour, minute, second, zone_hour, zone_minute = (int(each or 0) for each in found.groups())
    if not 1 <= month <= 12 or not 1 <= day <= 31 or hour > 24 or minute > 59 or second > 59:
        return False
    if day > 28 or hour == 24 or zone_hour > 14 or zone_minute > 59:
        return None
    return True
