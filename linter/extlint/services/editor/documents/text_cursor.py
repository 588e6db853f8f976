"""A position in a document, the conversion of its offsets, and what a name at one leads to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from extlint.text.json.values import Step
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Position

_LINE_END = lazy(r"\r\n|\r|\n")
_MARK = "\ufeff"


class TextCursor(Struct, frozen=True):
    """A document and an offset in it, in code points. `starts` are the offsets of its lines."""

    path: str
    text: str
    offset: int
    starts: tuple[int, ...]

    def position(self, offset: int) -> Position:
        """Returns the position of an offset."""
        line = bisect_right(self.starts, offset) - 1
        return Position(max(line, 0) + 1, offset - self.starts[max(line, 0)] + 1)

    def byte_offset(self, offset: int) -> int:
        """Returns the number of bytes before an offset, in UTF-8."""
        return len(encoded(self.text[:offset]))


def cursor_at(path: str, text: str, position: Position) -> TextCursor:
    """Returns the cursor at a position; one behind the end of a line or of the text is at that end."""
    first = len(_MARK) if text.startswith(_MARK) else 0
    starts = tuple(_line_starts(text, first))
    line = min(max(position.line, 1), len(starts))
    end = _LINE_END.search(text, starts[line - 1])
    limit = len(text) if end is None else end.start()
    offset = min(starts[line - 1] + max(position.column, 1) - 1, limit)
    return TextCursor(path, text, max(offset, first), starts)


def _line_starts(text: str, first: int) -> Iterator[int]:
    """Yields the offset of each line; `first` is that of the first one."""
    yield first
    if "\r" in text:
        yield from (found.end() for found in _LINE_END.finditer(text))
        return
    at = 0
    for line in text.split("\n")[:-1]:
        at += len(line) + 1
        yield at


def encoded(text: str) -> bytes:
    """Returns a text in UTF-8, with lone surrogates as three bytes each."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """Returns the text of `encoded`."""
    return data.decode("utf-8", "surrogatepass")


class Target(Struct, frozen=True):
    """A file, or the entry in a JSON file at a path of keys and indexes."""

    path: str
    steps: tuple[Step, ...] = ()


class Name(Struct, frozen=True):
    """A name in a document, its byte range without quotes, and what it leads to, the likeliest first."""

    span: ByteSpan
    targets: tuple[Target, ...]

    def contains(self, offset: int) -> bool:
        """Whether an offset is in the name, or at its end."""
        return self.span[0] <= offset <= self.span[1]
