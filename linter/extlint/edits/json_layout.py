"""How a JSON text is laid out: where the parts of its lists and objects stand, and how it writes new ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from extlint.json_text.reader import read_member_end
from extlint.json_text.values import JsonNode, JsonValue
from extlint.text.patterns import lazy

_BLANK = lazy(rb"[ \t]*+")
_TRIVIA = lazy(rb"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_COMMENTS_ON_LINE = lazy(
    rb"((?:[ \t]*+/\*(?:[^*\r\n]|\*(?!/))*+\*/)*+(?:[ \t]*+//[^\r\n]*+)?+)[ \t]*+(?=[\r\n])"
)
_LINE_END = lazy(rb"\r\n|\n|\r")
_DEFAULT_UNIT = b"  "


class Element(Struct, frozen=True):
    """An item of a list, or a member of an object with its key. `comma` is where the comma after it is."""

    start: int
    end: int
    comma: int | None


class JsonLayout:
    """The layout of a UTF-8 text that is JSON with comments, as `read_json` takes it."""

    def __init__(self, data: bytes, root: JsonNode) -> None:
        self.data = data
        self.root = root
        self._known: dict[int, list[Element]] = {}
        self._numbers: dict[int, dict[int, int]] = {}
        self._begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0

    def elements(self, container: JsonNode) -> list[Element]:
        """The items or members of a list or object, in order, also those whose key occurs again."""
        start = container.span[0]
        if start not in self._known:
            self._known[start] = list(self._elements(container))
        return self._known[start]

    def number(self, container: JsonNode, start: int | None) -> int | None:
        """The number of the part of a list or object that begins at an offset, counted from 0."""
        numbers = self._numbers.get(container.span[0])
        if numbers is None:
            numbers = {each.start: at for at, each in enumerate(self.elements(container))}
            self._numbers[container.span[0]] = numbers
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
        """The offset of what follows white space and comments."""
        found = _TRIVIA.match(self.data, at)
        return found.end() if found else at

    def after_blanks(self, at: int) -> int:
        """The offset of what follows blanks and tabs."""
        found = _BLANK.match(self.data, at)
        return found.end() if found else at

    def after_comments_on_line(self, at: int) -> int:
        """The end of the comments that follow up to the end of the line; the offset itself without any."""
        found = _COMMENTS_ON_LINE.match(self.data, at)
        return found.end(1) if found else at

    def line_start(self, at: int) -> int:
        """Where the line begins that an offset is in, after a byte order mark."""
        return max(self.data.rfind(b"\n", 0, at) + 1, self.data.rfind(b"\r", 0, at) + 1, self._begin)

    def indentation(self, at: int) -> bytes | None:
        """What precedes an offset on its line, if that is only white space and the line is not the first."""
        start = self.line_start(at)
        before = self.data[start:at]
        return before if start > self._begin and not before.strip(b" \t") else None

    def indentation_of_line(self, at: int) -> bytes:
        """The white space that the line of an offset begins with."""
        start = self.line_start(at)
        return self.data[start : min(self.after_blanks(start), at)]

    def is_blank(self, start: int, end: int) -> bool:
        """Whether there is only white space between two offsets."""
        return not self.data[start:end].strip(b" \t\r\n")

    def line_end_at(self, at: int) -> int | None:
        """The offset after the line end that follows, perhaps after blanks; None if something else does."""
        found = _LINE_END.match(self.data, self.after_blanks(at))
        return found.end() if found else None

    @cached_property
    def line_end(self) -> bytes:
        """The line end of the text: that of its first line."""
        found = _LINE_END.search(self.data)
        return found[0] if found else b"\n"

    @cached_property
    def unit(self) -> bytes:
        """The indentation of one level: that of the first member or item that has one."""
        for element in self.elements(self.root):
            found = self.indentation(element.start)
            if found:
                return found
        return _DEFAULT_UNIT

    @cached_property
    def is_open(self) -> bool:
        """Whether the parts of the outermost value stand on lines of their own."""
        return any(self.indentation(each.start) is not None for each in self.elements(self.root))

    @cached_property
    def colon(self) -> str:
        """What stands between a key and its value."""
        for _, member in self.root.members():
            between = self.data[member.key[1] : member.node.span[0]]
            if not between.strip(b" \t:"):
                return between.decode()
        return ": "

    @cached_property
    def gap(self) -> str:
        """What stands after a comma on one line: nothing in a text that has no blank after its colons."""
        return " " if self.colon[-1:] != ":" else ""

    @cached_property
    def has_open_lists(self) -> bool:
        """Whether the items of the first list with items stand on lines of their own."""
        first = next(self._lists(self.root), None)
        return first is not None and self.indentation(first.items()[0].span[0]) is not None

    def _lists(self, node: JsonNode) -> Iterator[JsonNode]:
        if node.items():
            yield node
        for item in node.items():
            yield from self._lists(item)
        for _, member in node.members():
            yield from self._lists(member.node)

    def written(self, value: JsonValue, indent: str) -> str:
        """A value as this text would write it, on a line with this indentation."""
        if isinstance(value, dict) and value:
            parts = [
                f"{string(key)}{self.colon}{self.written(each, indent + self._unit)}"
                for key, each in value.items()
            ]
            return self._bracketed("{", parts, "}", indent, is_open=self.is_open)
        if isinstance(value, list) and value:
            parts = [self.written(each, indent + self._unit) for each in value]
            return self._bracketed("[", parts, "]", indent, is_open=self.is_open and self.has_open_lists)
        return string(value) if isinstance(value, str) else json.dumps(value)

    @property
    def _unit(self) -> str:
        return self.unit.decode()

    def _bracketed(self, opening: str, parts: list[str], closing: str, indent: str, *, is_open: bool) -> str:
        if not is_open:
            return f"{opening}{f',{self.gap}'.join(parts)}{closing}"
        end = self.line_end.decode()
        inner = f",{end}{indent}{self._unit}".join(parts)
        return f"{opening}{end}{indent}{self._unit}{inner}{end}{indent}{closing}"


def string(text: str) -> str:
    """A string as JSON has it, with its quotes; escaped where it would be no Unicode text."""
    written = json.dumps(text, ensure_ascii=False)
    return written if written.isprintable() else json.dumps(text)
