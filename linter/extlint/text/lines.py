"""Finds the starts of lines without a list of all of them: a bundle has a hundred thousand."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLOCK_BYTES = 16 * 1024


class Lines:
    """The lines of a UTF-8 text, which end at LF, CRLF or a lone CR. A byte order mark belongs to no line."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.first = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
        """The byte offset at which the first line starts."""

    @property
    def count(self) -> int:
        """The number of lines, at least 1."""
        return self._ends_before[-1] + 1

    def number_at(self, offset: int) -> int:
        """Returns the line that contains a byte offset, counted from 1. A line includes its line end."""
        block = offset // _BLOCK_BYTES
        return self._ends_before[block] + self._text.count(b"\n", block * _BLOCK_BYTES, offset) + 1

    def start(self, number: int) -> int:
        """Returns the byte offset at which a line starts. The line, counted from 1, must exist."""
        preceding_lines = number - 1
        if not preceding_lines:
            return self.first
        block = bisect_left(self._ends_before, preceding_lines) - 1
        at, end = block * _BLOCK_BYTES, (block + 1) * _BLOCK_BYTES
        if preceding_lines == self._ends_before[block + 1]:
            return self._text.rfind(b"\n", at, end) + 1
        for _ in range(preceding_lines - self._ends_before[block]):
            at = self._text.find(b"\n", at, end) + 1
        return at

    @cached_property
    def _text(self) -> bytes:
        """The text, of the same length, with an LF at each line end and at no other position."""
        data = self._data
        if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
            return data
        return data.replace(b"\r\n", b" \n").replace(b"\r", b"\n")

    @cached_property
    def _ends_before(self) -> list[int]:
        """The number of lines that end before each block, and finally in the whole text."""
        blocks = range(0, len(self._text) + 1, _BLOCK_BYTES)
        return [0, *accumulate(self._text.count(b"\n", at, at + _BLOCK_BYTES) for at in blocks)]
