"""Not judged yet."""

from __future__ import annotations

from extlint.formats.problem import Problem


def gradient(_text: str) -> Problem | None:
    """Not judged yet."""
    return None
