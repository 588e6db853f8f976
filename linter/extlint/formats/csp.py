"""Not judged yet."""

from __future__ import annotations

from extlint.formats.problem import Problem


def firefox_2(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def firefox_3(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def chrome_2(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def chrome_3(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def sandbox(_text: str) -> Problem | None:
    """Not judged yet."""
    return None
