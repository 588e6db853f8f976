"""Tables of texts and what formats say of them."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.formats.registry import problem

Row = tuple[str, str, str | None]
"""A wrong text, what is said of it, and the text that is offered instead."""


def accepted(name: str, texts: Iterable[str]) -> list[str]:
    """Those of the texts that are of a format."""
    return [text for text in texts if problem(name, text) is None]


def told(name: str, rows: Iterable[Row]) -> list[Row]:
    """What a format says of the texts of a table, as a table."""
    found = []
    for text, _, _ in rows:
        said = problem(name, text)
        found.append((text, "", None) if said is None else (text, said.message, said.suggestion))
    return found
