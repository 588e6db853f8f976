"""Edits of a JSON text that preserve its layout, its comments and everything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from extlint.text.json.reader import read_member_end
from extlint.text.json.values import JsonNode, JsonValue, Member
from extlint.text.patterns import lazy
from extlint.text.positions import TextEdit

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


_Text: TypeAlias = Callable[[str], str]
"""Formats a new part for a line with an indentation."""


class JsonEditor:
    """Edits a UTF-8 text that `read_json` could parse; `root` is the parsed value.

    The edits of two calls may be applied together unless they overlap, or change the same list or object.
    """

    def __init__(self, data: bytes, root: JsonNode) -> None:
        self._data = data
        self._layout = JsonLayout(data, root)

    def replace(self, node: JsonNode, value: JsonValue) -> Sequence[TextEdit]:
        """Replaces a value."""
        indent = self._layout.indentation_of_line(node.span[0]).decode()
        return (TextEdit(*node.span, self._layout.format_value(value, indent)),)

    def rename(self, member: Member, name: str) -> Sequence[TextEdit]:
        """Renames the key of a member."""
        return (TextEdit(*member.key, json_string(name)),)

    def append(self, items: JsonNode, value: JsonValue) -> Sequence[TextEdit]:
        """Appends an item to a list."""
        return self._add(items, None, lambda indent: self._layout.format_value(value, indent))

    def add(
        self, members: JsonNode, name: str, value: JsonValue, after: str | None = None
    ) -> Sequence[TextEdit]:
        """Adds a member to an object: after another one, or at the end."""
        layout = self._layout

        def text(indent: str) -> str:
            return f"{json_string(name)}{layout.colon}{layout.format_value(value, indent)}"

        neighbor = members.value.get(after) if isinstance(members.value, dict) and after is not None else None
        return self._add(members, None if neighbor is None else neighbor.key[0], text)

    def remove(self, container: JsonNode, part: JsonNode | Member) -> Sequence[TextEdit]:
        """Removes an item from a list, or a member from an object, with its comma and its line."""
        return self.remove_at(container, part.span[0] if isinstance(part, JsonNode) else part.key[0])

    def remove_at(self, container: JsonNode, start: int) -> Sequence[TextEdit]:
        """Removes the item, or the member with its key, that begins at an offset."""
        elements = self._layout.elements(container)
        at = self._layout.index_of(container, start)
        assert at is not None
        element = elements[at]
        if element.comma is not None:
            return self._remove_with_comma(element, element.comma)
        if at == 0:
            inner = container.span[0] + 1, container.span[1] - 1
            layout = self._layout
            is_only_element = layout.is_blank(inner[0], element.start) and layout.is_blank(
                element.end, inner[1]
            )
            return (TextEdit(*(inner if is_only_element else (element.start, element.end)), ""),)
        return self._remove_last(element, elements[at - 1])

    def text_at(self, container: JsonNode, start: int) -> bytes | None:
        """Returns the text of the item, or of the member with its key, that begins at an offset."""
        at = self._layout.index_of(container, start)
        return None if at is None else self._data[start : self._layout.elements(container)[at].end]

    def _remove_with_comma(self, element: Element, comma: int) -> Sequence[TextEdit]:
        layout = self._layout
        if not layout.is_blank(element.end, comma):
            return TextEdit(element.start, element.end, ""), TextEdit(comma, comma + 1, "")
        line_end = layout.line_end_at(comma + 1)
        if line_end is None:
            return (TextEdit(element.start, layout.after_blanks(comma + 1), ""),)
        if layout.indentation(element.start) is not None:
            return (TextEdit(layout.line_start(element.start), line_end, ""),)
        return (TextEdit(self._before_blanks(element.start), comma + 1, ""),)

    def _remove_last(self, element: Element, before: Element) -> Sequence[TextEdit]:
        comma = before.comma
        assert comma is not None
        if self._layout.is_blank(comma + 1, element.start):
            return (TextEdit(self._start_of_line(comma, element.end), element.end, ""),)
        return TextEdit(comma, comma + 1, ""), TextEdit(
            self._start_of_line(element.start, element.end), element.end, ""
        )

    def _start_of_line(self, at: int, end: int) -> int:
        """Returns the end of the previous line if the line only has the text up to `end`; else the offset."""
        if self._layout.indentation(at) is None or self._layout.line_end_at(end) is None:
            return at
        line = self._layout.line_start(at)
        return line - (2 if self._data[line - 2 : line] == b"\r\n" else 1)

    def _before_blanks(self, at: int) -> int:
        return len(self._data[:at].rstrip(b" \t"))

    def _add(self, container: JsonNode, after: int | None, text: _Text) -> Sequence[TextEdit]:
        """Adds a part after the one that begins at the offset `after`, or else after the last one."""
        elements = self._layout.elements(container)
        if not elements:
            return self._add_first(container, text)
        found = self._layout.index_of(container, after)
        at = len(elements) - 1 if found is None else found
        element = elements[at]
        model = elements[at + 1] if at + 1 < len(elements) else element
        indent = self._layout.indentation(model.start)
        if indent is None:
            return self._add_on_line(elements, at, text)
        layout = self._layout
        line = f"{layout.line_end.decode()}{indent.decode()}{text(indent.decode())}"
        if element.comma is not None:
            place = layout.after_comments_on_line(element.comma + 1)
            return (TextEdit(place, place, f"{line},"),)
        place = layout.after_comments_on_line(element.end)
        if place == element.end:
            return (TextEdit(place, place, f",{line}"),)
        return TextEdit(element.end, element.end, ","), TextEdit(place, place, line)

    def _add_on_line(self, elements: Sequence[Element], at: int, text: _Text) -> Sequence[TextEdit]:
        layout, element = self._layout, elements[at]
        commas = [each.comma for each in elements if each.comma is not None]
        gap = layout.gap
        if commas:
            first = commas[min(at, len(commas) - 1)] + 1
            gap = self._data[first : layout.after_blanks(first)].decode()
        new = text(layout.indentation_of_line(element.start).decode())
        if element.comma is None:
            return (TextEdit(element.end, element.end, f",{gap}{new}"),)
        return (TextEdit(element.comma + 1, element.comma + 1, f"{gap}{new},"),)

    def _add_first(self, container: JsonNode, text: _Text) -> Sequence[TextEdit]:
        """Adds the first part of an empty list or object."""
        layout = self._layout
        start, end = container.span[0] + 1, container.span[1] - 1
        outer = layout.indentation_of_line(container.span[0])
        if b"\n" in self._data[start:end] or b"\r" in self._data[start:end]:
            indent = (outer + layout.unit).decode()
            return (TextEdit(start, start, f"{layout.line_end.decode()}{indent}{text(indent)}"),)
        new = text(outer.decode())
        if layout.is_blank(start, end):
            return (TextEdit(start, end, new),)
        return (TextEdit(start, start, f"{new} "),)
