"""Chooses the media type of an answer by the header Accept."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.services.serve.problems import ProblemError

MAX_RANGES = 50
"""Media ranges of a header that count."""


def chosen_type(accept: str | None, offered: Mapping[str, str]) -> str:
    """Returns the value of the offered media type that the client prefers, by default of the first.

    Raises ProblemError if the client does not accept any of them.
    """
    ranges = [_range(each) for each in (accept or "*/*").split(",")[:MAX_RANGES]]
    best, chosen = 0.0, None
    for media_type, value in offered.items():
        quality = _quality(media_type.partition(";")[0], ranges)
        if quality > best:
            best, chosen = quality, value
    if chosen is None:
        known = ", ".join(each.partition(";")[0] for each in offered)
        raise ProblemError("not-acceptable", f"the formats are {known}")
    return chosen


def _range(text: str) -> tuple[str, float]:
    name, *parameters = (each.strip().lower() for each in text.split(";"))
    quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
    try:
        return name, min(1.0, max(0.0, float(quality)))
    except ValueError:
        return name, 0.0


def _quality(media_type: str, ranges: list[tuple[str, float]]) -> float:
    """Returns the quality of the most specific range that has the media type."""
    for pattern in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        for name, quality in ranges:
            if name == pattern:
                return quality
    return 0.0
