"""Parses strict JSON fast, without positions."""

from __future__ import annotations

from typing import NoReturn

from msgspec import Struct

from extlint.text.json.reader import MAX_DEPTH
from extlint.text.json.values import JsonValue
from extlint.text.patterns import lazy

_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_WITH_PARTS = (dict, list)
_SPACED_COLON = lazy(rb":(?<=[ \t\n\r]:)")
"""Matches a colon after white space. It searches for the colon, which is much faster."""


class PlainJson(Struct, frozen=True):
    """The value of a text, as `json.loads` returns it, and whether an object in it has a duplicate key."""

    value: JsonValue
    has_duplicates: bool


def plain_json(data: bytes) -> PlainJson | None:
    """Returns the value of a UTF-8 text that is strict JSON after an optional byte order mark, or None.

    The result is also None for values that nest deeper than `MAX_DEPTH` and for an integer with more digits
    than Python supports: `read_json` explains these. It costs little more than `json.loads`.
    """
    import json

    try:
        text = data.decode().removeprefix(_BOM)
        value: JsonValue = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    keys = _key_count(value)
    if keys is None:
        return None
    return PlainJson(value, keys != _max_key_count(data) and _has_duplicates(text))


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _key_count(value: JsonValue) -> int | None:
    """Returns the number of keys of all objects, or None if lists and objects nest deeper than the limit."""
    number = 0
    level = [value] if isinstance(value, _WITH_PARTS) else []
    for _ in range(MAX_DEPTH):
        inner: list[JsonValue] = []
        for each in level:
            if isinstance(each, dict):
                number += len(each)
                inner += each.values()
            else:
                inner += each
        level = [each for each in inner if isinstance(each, _WITH_PARTS)]
        if not level:
            return number
    return None


def _max_key_count(data: bytes) -> int | None:
    """Returns the maximum number of keys in a JSON text, or None if it is not easy to determine.

    Without white space before colons, each key ends with a quote and a colon. If the objects
    have that many keys, no key is a duplicate.
    """
    return None if _SPACED_COLON.search(data) is not None else data.count(b'":')


def _has_duplicates(text: str) -> bool:
    import json

    found = False

    def object_of(members: list[tuple[str, JsonValue]]) -> None:
        nonlocal found
        found = found or len({name for name, _ in members}) != len(members)

    json.loads(text, object_pairs_hook=object_of)
    return found
