"""The placeholders of messages: `$NAME$` in a text, and what `placeholders` says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.json_text.values import JsonValue
from extlint.locales.entries import PLACEHOLDERS
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

_PLACEHOLDER = lazy(r"\$([A-Za-z0-9_@]+)\$")

MAX_PLACEHOLDERS = 200
"""A message with more placeholders gets no suggestion."""


def undefined(entry: Mapping[str, JsonValue]) -> Iterator[tuple[str, str | None]]:
    """The placeholders that the text of a message names and its `placeholders` lack, with the nearest there.

    Each is returned once, as it is written. Letter case does not count.
    """
    text = entry.get("message")
    if not isinstance(text, str) or "$" not in text:
        return
    placeholders = entry.get(PLACEHOLDERS, _misspelt(entry))
    defined = {name.lower(): name for name in placeholders} if isinstance(placeholders, dict) else {}
    told: set[str] = set()
    for found in _PLACEHOLDER.finditer(text):
        name = found[1]
        if name.lower() not in defined and name.lower() not in told:
            told.add(name.lower())
            near = nearest(name.lower(), defined) if len(defined) <= MAX_PLACEHOLDERS else None
            yield name, None if near is None else defined[near]


def _misspelt(entry: Mapping[str, JsonValue]) -> JsonValue:
    """The value of the key that is meant to define placeholders, which is another mistake."""
    return next((value for key, value in entry.items() if nearest(key, (PLACEHOLDERS,))), None)
