"""Positions in a text, in the units of the Language Server Protocol and in those of extlint."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from extlint.text.positions import Position as OwnPosition
from extlint.text.positions import decode

_LINE_END = re.compile(r"\r\n|\n|\r")
_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Text:
    """A text whose positions are counted in the units that client and server agreed on.

    The protocol counts lines from 0, and characters of a line from 0: in UTF-16 or UTF-8 code units, or in
    code points. extlint counts lines and columns from 1, in code points. Both end lines at LF, CRLF or a lone
    CR. Positions beyond the end of a line or of the text are those of its end.
    """

    def __init__(self, text: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        self.text = text
        self._encoding = encoding

    @classmethod
    def of_file(cls, data: bytes, encoding: str) -> Text:
        """Returns the text of a file's bytes: positions as extlint counts them, without a byte order mark."""
        text = decode(data).decode("utf-8", "surrogateescape")
        return cls(text.removeprefix("\ufeff"), encoding)

    def offset(self, position: Position) -> int:
        """Returns the offset of a position of the protocol, in code points."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._line(position.line)
        return start + self._column(start, end, position.character)

    def position(self, offset: int) -> Position:
        """Returns the position of an offset in code points, as the protocol counts."""
        line = bisect_right(self._starts, offset) - 1
        start, end = self._line(line)
        return Position(line, self._units(start, min(offset, end)))

    def own(self, position: Position) -> OwnPosition:
        """Returns a position of the protocol as extlint counts."""
        line = min(position.line, len(self._starts) - 1)
        start, _ = self._line(line)
        return OwnPosition(line + 1, self.offset(position) - start + 1)

    def range(self, start: tuple[int, int], end: tuple[int, int]) -> Range:
        """Returns the range between two positions of extlint, each a line and a column."""
        return Range(self._of_own(*start), self._of_own(*end))

    @property
    def end(self) -> Position:
        """The position after the last character."""
        return self.position(len(self.text))

    def _of_own(self, line: int, column: int) -> Position:
        if line > len(self._starts):
            return self.end
        start, end = self._line(line - 1)
        return Position(line - 1, self._units(start, min(start + column - 1, end)))

    def line(self, number: int) -> str:
        """Returns a line (counted from 1) without its end, or an empty one if it does not exist."""
        if not 1 <= number <= len(self._starts):
            return ""
        start, end = self._line(number - 1)
        return self.text[start:end]

    def _line(self, line: int) -> tuple[int, int]:
        """Returns the offsets of a line, counted from 0, and of its end."""
        return self._starts[line], self._ends[line]

    def _units(self, start: int, end: int) -> int:
        """Returns the length of a part of a line, in the units of the protocol."""
        if self._encoding == PositionEncodingKind.Utf32 or self.text.isascii():
            return end - start
        if self._encoding == PositionEncodingKind.Utf8:
            return len(self.text[start:end].encode("utf-8", "surrogatepass"))
        return end - start + bisect_left(self._wide, end) - bisect_left(self._wide, start)

    def _column(self, start: int, end: int, units: int) -> int:
        """Returns the number of code points in the first units of a line, at most the whole line."""
        if self._encoding == PositionEncodingKind.Utf32 or self.text.isascii():
            return min(units, end - start)
        low, high = 0, min(units, end - start)
        while low < high:
            middle = (low + high + 1) // 2
            if self._units(start, start + middle) <= units:
                low = middle
            else:
                high = middle - 1
        return low

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end for _, end in self._line_ends)]

    @cached_property
    def _ends(self) -> list[int]:
        return [*(start for start, _ in self._line_ends), len(self.text)]

    @cached_property
    def _line_ends(self) -> list[tuple[int, int]]:
        return [each.span() for each in _LINE_END.finditer(self.text)]

    @cached_property
    def _wide(self) -> list[int]:
        """The offsets of the code points that are two units of UTF-16."""
        return [each.start() for each in _WIDE.finditer(self.text)]
