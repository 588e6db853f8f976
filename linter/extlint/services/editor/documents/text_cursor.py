"""A position in a document, what a name at it leads to, and the items that an editor offers there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, Token
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


class Completion(Struct, frozen=True):
    """An item that an editor offers at a position.

    `insert` replaces the text from `start` up to `end`, which contains the position. `label` is shown, and is
    compared with the text that is replaced. `kind` is one word for the icon: "file", "folder", "message",
    "placeholder". `detail` is one line next to the label, and `documentation` is in Markdown. Editors order
    items by `sort`, or by the label if it is empty.
    """

    label: str
    kind: str
    detail: str
    documentation: str
    start: Position
    end: Position
    insert: str
    deprecated: bool = False
    sort: str = ""


_WORD = lazy(r"[\w$.@-]*+")


def written(cursor: TextCursor, token: Token | None, name: str, ending: str) -> tuple[Offsets, str]:
    """Returns the offsets that a string replaces, and its text, with the quotes that are missing.

    A quote before the cursor stays, so that editors compare only the name with what has been typed.
    """
    if token is None:
        return (cursor.offset, cursor.offset), f'"{name}"{ending}'
    if token.kind != "string":
        return (token.start, token.end), f'"{name}"{ending}'
    if token.is_closed:
        if not ending:
            return (token.start + 1, token.end - 1), name
        return (token.start + 1, token.end), f'{name}"{ending}'
    word = _WORD.match(cursor.text, cursor.offset)
    end = cursor.offset if word is None else min(word.end(), token.end)
    return (token.start + 1, end), f'{name}"{ending}'


def may_begin(cursor: TextCursor, place: JsonPlace) -> bool:
    """Whether a member may begin at the cursor: after a comma or bracket, or on a line of its own."""
    before = cursor.text[place.container.start : cursor.offset].rstrip(" \t")
    return before.endswith((",", "{", "[", "\n", "\r"))
