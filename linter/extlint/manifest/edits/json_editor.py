"""Edits of a JSON text that preserve its layout, its comments and everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from extlint.manifest.edits.json_layout import Element, JsonLayout, json_string
from extlint.text.json.values import JsonNode, JsonValue, Member
from extlint.text.positions import TextEdit

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
