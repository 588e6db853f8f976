"""The positions of values in a JSON text, computed for one path at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence

from extlint.queries.query import cached_method
from extlint.text.json.values import Step
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
