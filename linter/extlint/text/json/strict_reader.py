"""Reads strict JSON fast: the values without positions, and the positions for one path at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NoReturn

from msgspec import Struct

from extlint.queries.query import cached_method
from extlint.text.json.reader import MAX_DEPTH
from extlint.text.json.values import JsonValue, Step
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_SPACE = lazy(r"[ \t\r\n]*+")


class JsonPlaces:
    """The positions in a UTF-8 text that is strict JSON, with an optional byte order mark.

    Irrelevant values are skipped as fast as `json.loads` parses them, and each object and array is
    scanned once, however many positions are queried.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        # In Latin-1, each byte is one character, so offsets are byte offsets.
        self._text = data.decode("latin-1")
        self._end_of = json.JSONDecoder().raw_decode

    def value(self, steps: Sequence[Step]) -> ByteSpan | None:
        """Returns the byte range of the value at a path, or None if it does not exist."""
        at = self._start(steps)
        return None if at is None else (at, self._end_of(self._text, at)[1])

    def key(self, steps: Sequence[Step]) -> ByteSpan | None:
        """Returns the byte range of the key that a path ends with, or None if it does not exist."""
        at = self._start(steps[:-1])
        if not steps or at is None or self._text[at] != "{":
            return None
        found = self._members_at(at).get(str(steps[-1]))
        return None if found is None else found[0]

    def _start(self, steps: Sequence[Step]) -> int | None:
        at = self._skip(3 if self._data.startswith(b"\xef\xbb\xbf") else 0)
        for step in steps:
            if isinstance(step, str) and self._text[at] == "{" and step in (inner := self._members_at(at)):
                at = inner[step][1]
            elif isinstance(step, int) and self._text[at] == "[" and step < len(self._items_at(at)):
                at = self._items_at(at)[step]
            else:
                return None
        return at

    @cached_method
    def _items_at(self, start: int) -> list[int]:
        """Returns the start of each item of the array at an offset."""
        found = []
        at = self._skip(start + 1)
        while self._text[at] != "]":
            found.append(at)
            at = self._skip(self._end_of(self._text, at)[1])
            if self._text[at] == ",":
                at = self._skip(at + 1)
        return found

    @cached_method
    def _members_at(self, start: int) -> dict[str, tuple[ByteSpan, int]]:
        """Returns the span of each key of the object at an offset, and the start of its value.

        The last one of duplicate keys counts.
        """
        found: dict[str, tuple[ByteSpan, int]] = {}
        at = self._skip(start + 1)
        while self._text[at] != "}":
            name, end = self._end_of(self._text, at)
            if not name.isascii():
                name = json.loads(self._data[at:end].decode())
            value = self._skip(self._skip(end) + 1)
            found[name] = (at, end), value
            at = self._skip(self._end_of(self._text, value)[1])
            if self._text[at] == ",":
                at = self._skip(at + 1)
        return found

    def _skip(self, at: int) -> int:
        """Returns the offset after white space."""
        space = _SPACE.match(self._text, at)
        return space.end() if space else at


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
