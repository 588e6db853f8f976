"""Tables of texts and the verdicts of formats."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.text.formats.registry import problem

Row = tuple[str, str, str | None]
"""A wrong text, its message, and the suggested text."""


def accepted_texts(name: str, texts: Iterable[str]) -> list[str]:
    """Returns the texts that a format accepts."""
    return [text for text in texts if problem(name, text) is None]


def reported(name: str, rows: Iterable[Row]) -> list[Row]:
    """Returns the verdicts of a format on a table's texts, as a table."""
    found = []
    for text, _, _ in rows:
        result = problem(name, text)
        found.append((text, "", None) if result is None else (text, result.message, result.suggestion))
    return found
