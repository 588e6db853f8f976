"""The documents that are open in the editor, with their unsaved text, and positions in texts.

Positions are in the units of the Language Server Protocol, and in those of extlint.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from lsprotocol import types
from lsprotocol.types import Position, PositionEncodingKind, Range
from pygls.uris import from_fs_path, to_fs_path

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


class Document(Text):
    """A version of an open document. `path` is its absolute path on the disk."""

    def __init__(self, uri: str, path: str, version: int, text: str, encoding: str) -> None:
        super().__init__(text, encoding)
        self.uri = uri
        self.path = path
        self.version = version
        self.encoding = encoding

    @property
    def data(self) -> bytes:
        """The text as the bytes of a file."""
        return self.text.encode("utf-8", "surrogatepass")


class Documents:
    """The open documents by their paths. Documents that are not files on the disk are not kept."""

    def __init__(self) -> None:
        self.encoding: str = types.PositionEncodingKind.Utf16
        self._documents: dict[str, Document] = {}

    def open(self, item: types.TextDocumentItem) -> Document | None:
        """Adds a document, and returns it. Returns None for one that is not a file."""
        path = path_of(item.uri)
        if path is None:
            return None
        found = Document(item.uri, path, item.version, item.text, self.encoding)
        self._documents[path] = found
        return found

    def change(
        self,
        item: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> Document | None:
        """Changes a document, and returns its new version. Returns None for one that is not open."""
        path = path_of(item.uri)
        found = None if path is None else self._documents.get(path)
        if found is None or path is None:
            return None
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = found.offset(change.range.start), found.offset(change.range.end)
                text = found.text[:start] + change.text + found.text[max(start, end) :]
            found = Document(found.uri, path, item.version, text, self.encoding)
        self._documents[path] = found
        return found

    def close(self, uri: str) -> str | None:
        """Removes a document. Returns its path, or None if it was not open."""
        path = path_of(uri)
        return path if path is not None and self._documents.pop(path, None) is not None else None

    def at(self, path: str) -> Document | None:
        """Returns the open document of a file."""
        return self._documents.get(path)

    def of(self, uri: str) -> Document | None:
        """Returns the open document with an address."""
        path = path_of(uri)
        return None if path is None else self._documents.get(path)

    def all(self) -> Sequence[Document]:
        """Returns all open documents."""
        return tuple(self._documents.values())

    def version(self, path: str) -> int | None:
        """Returns the version of the open document of a file, or None if it is not open."""
        found = self._documents.get(path)
        return None if found is None else found.version

    def uri(self, path: str) -> str:
        """Returns the address of a file: as the editor wrote it, if the file is open."""
        found = self._documents.get(path)
        return uri_of(path) if found is None else found.uri


def path_of(uri: str) -> str | None:
    """Returns the absolute path of a file, or None for an address that is not of a file."""
    found = to_fs_path(uri)
    return None if found is None else os.path.normpath(found)


def uri_of(path: str) -> str:
    """Returns the address of a file with an absolute path."""
    found: str | None = from_fs_path(path)
    assert found is not None
    return found
