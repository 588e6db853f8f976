"""TOML: values in its syntax, and the positions of keys and values in a text."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from extlint.text.json.values import Step
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from tree_sitter import Node

_BARE_KEY = re.compile(r"[\w-]+", re.ASCII)


def toml_value(value: object) -> str:
    """Returns a value on one line of TOML. Supports all JSON values except null."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case dict():
            return (
                "{"
                + ", ".join(f"{toml_key(str(key))} = {toml_value(each)}" for key, each in value.items())
                + "}"
            )
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case _:
            return str(value)


def toml_key(key: str) -> str:
    """Returns a key, in quotes where TOML requires them."""
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})


class TomlPlaces:
    """The positions in a UTF-8 text that is valid TOML; the counterpart of `JsonPlaces`."""

    def __init__(self, data: bytes) -> None:
        import tree_sitter_toml
        from tree_sitter import Language, Parser

        self._keys: dict[tuple[Step, ...], ByteSpan] = {}
        self._values: dict[tuple[Step, ...], ByteSpan] = {}
        self._lengths: dict[tuple[Step, ...], int] = {}
        root = Parser(Language(tree_sitter_toml.language())).parse(data).root_node
        for node in root.named_children:
            self._statement(node)

    def value(self, steps: Sequence[Step]) -> ByteSpan | None:
        """Returns the byte range of the value at a path, or None.

        The byte range of a table is the first occurrence of its key.
        """
        return self._values.get(tuple(steps))

    def key(self, steps: Sequence[Step]) -> ByteSpan | None:
        """Returns the byte range of the first occurrence of the key that a path ends with, or None."""
        return self._keys.get(tuple(steps))

    def _statement(self, node: Node) -> None:
        if node.type == "pair":
            self._pair(node, ())
        elif node.type in ("table", "table_array_element"):
            head, *pairs = [each for each in node.named_children if each.type != "comment"]
            steps = self._path(head, ())
            if node.type == "table_array_element":
                index = self._lengths.get(steps, 0)
                self._lengths[steps] = index + 1
                steps = (*steps, index)
                self._values[steps] = (node.start_byte, head.end_byte)
            for pair in pairs:
                self._pair(pair, steps)

    def _pair(self, node: Node, above: tuple[Step, ...]) -> None:
        if node.type != "pair":
            return
        key, value = (each for each in node.named_children if each.type != "comment")
        self._value(value, self._path(key, above))

    def _value(self, node: Node, steps: tuple[Step, ...]) -> None:
        self._values[steps] = (node.start_byte, node.end_byte)
        inner = [each for each in node.named_children if each.type != "comment"]
        if node.type == "array":
            for index, item in enumerate(inner):
                self._value(item, (*steps, index))
        elif node.type == "inline_table":
            for pair in inner:
                self._pair(pair, steps)

    def _path(self, key: Node, above: tuple[Step, ...]) -> tuple[Step, ...]:
        """Returns the path of a key below another one. A list of tables on it refers to its last table."""
        steps = above
        for part in _parts(key):
            if steps in self._lengths:
                steps = (*steps, self._lengths[steps] - 1)
            steps = (*steps, _name(part))
            span = (part.start_byte, part.end_byte)
            self._keys.setdefault(steps, span)
            self._values.setdefault(steps, span)
        return steps


def _parts(key: Node) -> Iterator[Node]:
    if key.type == "dotted_key":
        for part in key.named_children:
            if part.type in _KEYS:
                yield from _parts(part)
    else:
        yield key


def _name(part: Node) -> str:
    text = (part.text or b"").decode()
    if part.type == "bare_key":
        return text
    return str(tomllib.loads(f"name = {text}")["name"])
