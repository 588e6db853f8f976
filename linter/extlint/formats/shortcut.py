"""Not judged yet."""

from __future__ import annotations

from extlint.formats.problem import Problem


def firefox(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def chrome(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def chrome_mac(_text: str) -> Problem | None:
    """Not judged yet."""
    return None


def chrome_chromeos(_text: str) -> Problem | None:
    """Not judged yet."""
    return None
