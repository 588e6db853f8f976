"""The layout of a JSON text: the positions of the parts of lists and objects, and the style of new ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from extlint.text.json.reader import read_member_end
from extlint.text.json.values import JsonNode, JsonValue
from extlint.text.patterns import lazy

_BLANK = lazy(rb"[ \t]*+")
_TRIVIA = lazy(rb"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_COMMENTS_ON_LINE = lazy(
    rb"((?:[ \t]*+/\*(?:[^*\r\n]|\*(?!/))*+\*/)*+(?:[ \t]*+//[^\r\n]*+)?+)[ \t]*+(?=[\r\n])"
)
_LINE_END = lazy(rb"\r\n|\n|\r")
_DEFAULT_UNIT = b"  "


class Element(Struct, frozen=True):
    """A list item, or an object member with its key. `comma` is the offset of the comma after it."""

    start: int
    end: int
    comma: int | None


class JsonLayout:
    """The layout of a UTF-8 text that is JSON with comments, as `read_json` accepts it."""

    def __init__(self, data: bytes, root: JsonNode) -> None:
        self.data = data
        self.root = root
        self._known: dict[int, list[Element]] = {}
        self._indexes: dict[int, dict[int, int]] = {}
        self._begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0

    def elements(self, container: JsonNode) -> list[Element]:
        """Returns the items or members of a list or object, in order, including duplicate keys."""
        start = container.span[0]
        if start not in self._known:
            self._known[start] = list(self._elements(container))
        return self._known[start]

    def index_of(self, container: JsonNode, start: int | None) -> int | None:
        """Returns the index of the part of a list or object that begins at an offset."""
        numbers = self._indexes.get(container.span[0])
        if numbers is None:
            numbers = {each.start: at for at, each in enumerate(self.elements(container))}
            self._indexes[container.span[0]] = numbers
        return None if start is None else numbers.get(start)

    def _elements(self, container: JsonNode) -> Iterator[Element]:
        data, (start, stop) = self.data, container.span
        at = self.after_trivia(start + 1)
        while at < stop - 1:
            end = read_member_end(data, at, is_member=isinstance(container.value, dict))
            after = self.after_trivia(end)
            comma = after if data[after : after + 1] == b"," else None
            yield Element(at, end, comma)
            if comma is None:
                return
            at = self.after_trivia(comma + 1)

    def after_trivia(self, at: int) -> int:
        """Returns the offset after white space and comments."""
        found = _TRIVIA.match(self.data, at)
        return found.end() if found else at

    def after_blanks(self, at: int) -> int:
        """Returns the offset after blanks and tabs."""
        found = _BLANK.match(self.data, at)
        return found.end() if found else at

    def after_comments_on_line(self, at: int) -> int:
        """Returns the end of the comments that fill the rest of the line, or else the offset itself."""
        found = _COMMENTS_ON_LINE.match(self.data, at)
        return found.end(1) if found else at

    def line_start(self, at: int) -> int:
        """Returns the start of the line that contains an offset, after a byte order mark."""
        return max(self.data.rfind(b"\n", 0, at) + 1, self.data.rfind(b"\r", 0, at) + 1, self._begin)

    def indentation(self, at: int) -> bytes | None:
        """Returns the text before an offset if it is the line's indentation and the line is not the first."""
        start = self.line_start(at)
        before = self.data[start:at]
        return before if start > self._begin and not before.strip(b" \t") else None

    def indentation_of_line(self, at: int) -> bytes:
        """Returns the white space at the start of the line of an offset."""
        start = self.line_start(at)
        return self.data[start : min(self.after_blanks(start), at)]

    def is_blank(self, start: int, end: int) -> bool:
        """Whether there is only white space between two offsets."""
        return not self.data[start:end].strip(b" \t\r\n")

    def line_end_at(self, at: int) -> int | None:
        """Returns the offset after the next line end if only blanks precede it, or None."""
        found = _LINE_END.match(self.data, self.after_blanks(at))
        return found.end() if found else None

    @cached_property
    def line_end(self) -> bytes:
        """The line end of the text: that of its first line."""
        found = _LINE_END.search(self.data)
        return found[0] if found else b"\n"

    @cached_property
    def unit(self) -> bytes:
        """The indentation of one level: that of the first indented member or item."""
        for element in self.elements(self.root):
            found = self.indentation(element.start)
            if found:
                return found
        return _DEFAULT_UNIT

    @cached_property
    def is_multiline(self) -> bool:
        """Whether the parts of the outermost value are on lines of their own."""
        return any(self.indentation(each.start) is not None for each in self.elements(self.root))

    @cached_property
    def colon(self) -> str:
        """The text between a key and its value."""
        for _, member in self.root.members():
            between = self.data[member.key[1] : member.node.span[0]]
            if not between.strip(b" \t:"):
                return between.decode()
        return ": "

    @cached_property
    def gap(self) -> str:
        """The text after a comma within a line: empty in a text without blanks after its colons."""
        return " " if self.colon[-1:] != ":" else ""

    @cached_property
    def has_multiline_lists(self) -> bool:
        """Whether the items of the first non-empty list are on lines of their own."""
        first = next(self._lists(self.root), None)
        return first is not None and self.indentation(first.items()[0].span[0]) is not None

    def _lists(self, node: JsonNode) -> Iterator[JsonNode]:
        if node.items():
            yield node
        for item in node.items():
            yield from self._lists(item)
        for _, member in node.members():
            yield from self._lists(member.node)

    def format_value(self, value: JsonValue, indent: str) -> str:
        """Returns a value in the style of this text, on a line with this indentation."""
        if isinstance(value, dict) and value:
            parts = [
                f"{json_string(key)}{self.colon}{self.format_value(each, indent + self._unit)}"
                for key, each in value.items()
            ]
            return self._bracketed("{", parts, "}", indent, is_multiline=self.is_multiline)
        if isinstance(value, list) and value:
            parts = [self.format_value(each, indent + self._unit) for each in value]
            return self._bracketed(
                "[", parts, "]", indent, is_multiline=self.is_multiline and self.has_multiline_lists
            )
        return json_string(value) if isinstance(value, str) else json.dumps(value)

    @property
    def _unit(self) -> str:
        return self.unit.decode()

    def _bracketed(
        self, opening: str, parts: list[str], closing: str, indent: str, *, is_multiline: bool
    ) -> str:
        if not is_multiline:
            return f"{opening}{f',{self.gap}'.join(parts)}{closing}"
        end = self.line_end.decode()
        inner = f",{end}{indent}{self._unit}".join(parts)
        return f"{opening}{end}{indent}{self._unit}{inner}{end}{indent}{closing}"


def json_string(text: str) -> str:
    """Returns a JSON string with its quotes, escaped if it would not be valid Unicode."""
    written = json.dumps(text, ensure_ascii=False)
    return written if written.isprintable() else json.dumps(text)
