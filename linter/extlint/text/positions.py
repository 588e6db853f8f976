"""Positions in a text: lines and columns as people count them. Edits of a text.

The starts of lines are found without a list of all of them: a bundle has a hundred thousand.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeAlias

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLOCK_BYTES = 16 * 1024


class Lines:
    """The lines of a UTF-8 text, which end at LF, CRLF or a lone CR. A byte order mark belongs to no line."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.first = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
        """The byte offset at which the first line starts."""

        self._split: tuple[int, list[int]] = (-1, [])
        """The last block in which a line was searched for, and where the lines in it start."""

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
        if self._split[0] != block:
            lines = self._text[at:end].split(b"\n")
            self._split = block, list(accumulate((len(each) + 1 for each in lines), initial=at))
        return self._split[1][preceding_lines - self._ends_before[block]]

    def start_around(self, offset: int) -> int:
        """Returns the byte offset at which the line starts that contains a byte offset."""
        at = self._text.rfind(b"\n", offset // _BLOCK_BYTES * _BLOCK_BYTES, offset) + 1
        return at or self.start(self.number_at(offset))

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


ByteSpan: TypeAlias = tuple[int, int]
"""A range of a UTF-8 text: the offsets of its first byte, and of the byte after its last."""


class Position(NamedTuple):
    """A position in a text. Line and column count from 1; a column is one Unicode code point."""

    line: int
    column: int


class Span(NamedTuple):
    """A range of text from `start` up to, and not including, `end`."""

    start: Position
    end: Position


START = Span(Position(1, 1), Position(1, 1))
"""The start of any text."""


def decode(data: bytes) -> bytes:
    """Returns a text as UTF-8.

    Only UTF-16 with a byte order mark is converted; its invalid units become U+FFFD.

    Browsers read scripts, and Firefox manifests, in UTF-16. Positions are those of the result.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode()
    return data


def encode_name(name: str) -> bytes:
    """Returns a name as its bytes in a text, whatever bytes come from a file name or from escapes.

    A byte of a file name that is not UTF-8, which Python represents as a lone surrogate, becomes that byte
    again. Any other lone surrogate becomes the three bytes that it would have in UTF-8.
    """
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")


_STEP = 4096


class TextIndex:
    """Converts byte offsets of a UTF-8 text to positions.

    Lines end at LF, CRLF or a lone CR. A byte order mark at the start has no column of its own.
    Bytes that are not UTF-8 count one column each.
    """

    def __init__(self, data: bytes, code: bytes | None = None) -> None:
        self._data = data
        self.text = data if code is None else code
        """The text itself, as UTF-8, or the code that is read in its place, of the same length."""

        self._lines = Lines(data)
        self._steps: dict[int, list[tuple[int, int]]] = {}

    def position(self, offset: int) -> Position:
        """Returns the position of a byte offset; offsets past the end are those of the end."""
        offset = min(max(offset, self._lines.first), len(self._data))
        start = self._lines.start_around(offset)
        return Position(self._lines.number_at(offset), self._columns(start, offset) + 1)

    def is_as_written(self, start: int, end: int) -> bool:
        """Whether the text between two byte offsets is the same as in the file."""
        return self.text is self._data or self.text[start:end] == self._data[start:end]

    def line_start(self, number: int) -> int | None:
        """Returns the byte offset at which a line starts (counted from 1).

        Returns None if the line does not exist.
        """
        return self._lines.start(number) if 1 <= number <= self._lines.count else None

    def _columns(self, start: int, offset: int) -> int:
        """Returns the number of code points from the start of a line to an offset in it.

        Counts are cached every few kilobytes, for many positions in one very long line.
        """
        if offset - start < _STEP:
            return self._count(start, offset)
        steps = self._steps.setdefault(start, [(start, 0)])
        while start + len(steps) * _STEP <= offset:
            at, columns = steps[-1]
            step = _character_start(self._data, start + len(steps) * _STEP)
            steps.append((step, columns + self._count(at, step)))
        at, columns = steps[(offset - start) // _STEP]
        return columns + self._count(at, offset)

    def _count(self, start: int, end: int) -> int:
        return len(self._data[start:end].decode("utf-8", "surrogateescape"))

    def span(self, start: int, end: int) -> Span:
        """Returns the span between two byte offsets."""
        return Span(self.position(start), self.position(max(start, end)))

    def offset(self, position: Position) -> int:
        """Returns the byte offset of a position in the text."""
        start, end = self._line_range(min(position.line, self._lines.count))
        before = self._data[start:end].decode("utf-8", "surrogateescape")[: position.column - 1]
        return start + len(before.encode("utf-8", "surrogateescape"))

    def line(self, number: int) -> str:
        """Returns the text of a line (counted from 1), without its line end.

        Bytes that are not UTF-8 are lone surrogates in it, so that columns count as in `position`.
        """
        if not 1 <= number <= self._lines.count:
            return ""
        start, end = self._line_range(number)
        return self._data[start:end].decode("utf-8", "surrogateescape").rstrip("\r\n")

    def _line_range(self, line: int) -> ByteSpan:
        """Returns the start of a line, and that of the next."""
        end = self._lines.start(line + 1) if line < self._lines.count else len(self._data)
        return self._lines.start(line), end


def _character_start(data: bytes, offset: int) -> int:
    """Returns the start of the character that contains an offset.

    Returns the offset itself if the text is invalid there.
    """
    for at in range(offset, max(offset - 4, 0), -1):
        if data[at : at + 1] and data[at] & 0xC0 != 0x80:
            return at
    return offset


class TextEdit(NamedTuple):
    """An edit that replaces the bytes from `start` up to `end` with `text`."""

    start: int
    end: int
    text: str
