"""The placeholders of messages: `$NAME$` in a text, and their definitions in `placeholders`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.checks.locales.entries import PLACEHOLDERS
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

_PLACEHOLDER = lazy(r"\$([A-Za-z0-9_@]+)\$")

MAX_PLACEHOLDERS = 200
"""The maximum number of placeholders in a message for which names are suggested."""


def undefined_placeholders(entry: Mapping[str, JsonValue]) -> Iterator[tuple[str, str | None]]:
    """Yields the undefined placeholders in the text of a message, with the nearest defined one.

    Each is yielded once, as written. Letter case is ignored.
    """
    text = entry.get("message")
    if not isinstance(text, str) or "$" not in text:
        return
    placeholders = entry.get(PLACEHOLDERS, _misspelled_placeholders(entry))
    defined = {name.lower(): name for name in placeholders} if isinstance(placeholders, dict) else {}
    reported: set[str] = set()
    for found in _PLACEHOLDER.finditer(text):
        name = found[1]
        if name.lower() not in defined and name.lower() not in reported:
            reported.add(name.lower())
            near = nearest(name.lower(), defined) if len(defined) <= MAX_PLACEHOLDERS else None
            yield name, None if near is None else defined[near]


def _misspelled_placeholders(entry: Mapping[str, JsonValue]) -> JsonValue:
    """Returns the value of a misspelled key for placeholders; the misspelling is a separate mistake."""
    return next((value for key, value in entry.items() if nearest(key, (PLACEHOLDERS,))), None)
