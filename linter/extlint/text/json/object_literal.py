"""Reads object literals of JavaScript as JSON, with positions: `name` in `{ name: 'Tabs', icons: ICONS }`.

Positions are in characters. What is not plain data becomes a placeholder, as in a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.text.json.values import JsonNode, JsonValue, Member, Scalar
from extlint.text.patterns import lazy

_TOKEN = lazy(
    r"(?P<space>\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\$]|\\.)*+`)"
    r"|(?P<template>`(?:[^`\\]|\\.)*+`|[\"'`][\s\S]*+)"
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<word>[A-Za-z_$][\w$]*)"
    r"|(?P<mark>[\s\S])"
)
_ESCAPE = lazy(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS = {"true": True, "false": False, "null": None}
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
COMPUTED = "{{computed}}"
"""The value of an expression that is not plain data, and the key of members that are not."""


class Script:
    """A script as tokens, in which object literals are found and read. Runs in linear time."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.tokens = [each for each in _TOKEN.finditer(text, start) if each.lastgroup != "space"]
        self._reader = _Reader(self.tokens)

    def object_at(self, at: int) -> JsonNode:
        """Returns the value of the expression that begins with a token."""
        return self._reader.value(at)[0]

    def objects_with(self, key: str) -> Iterator[int]:
        """Yields the indexes of the opening braces of the object literals that have a key."""
        open_braces: list[int] = []
        for at, token in enumerate(self.tokens):
            mark = token[0]
            if token.lastgroup == "mark" and mark in _OPENING:
                open_braces.append(at)
            elif token.lastgroup == "mark" and mark in _CLOSING:
                del open_braces[-1:]
            elif _name(token) == key and self.has(at + 1, ":") and open_braces:
                yield open_braces[-1]

    def has(self, at: int, *texts: str) -> bool:
        """Whether the tokens from an index have these texts."""
        return at >= 0 and tuple(each[0] for each in self.tokens[at : at + len(texts)]) == texts

    def index_at(self, offset: int) -> int:
        """Returns the index of the token that begins at an offset in the text."""
        return next(at for at, token in enumerate(self.tokens) if token.start() == offset)

    def end_of(self, at: int) -> int:
        """Returns the index of the comma or closing bracket after an expression."""
        return self._reader.end(at)


def read_objects_with(text: str, key: str) -> Iterator[dict[str, JsonValue]]:
    """Yields the data of the object literals in a script that have a key.

    Values and items that are not plain data are left out.
    """
    script = Script(text)
    for at in script.objects_with(key):
        data = plain_data(script.object_at(at))
        if isinstance(data, dict):
            yield data


def read_object_at(text: str, start: int) -> dict[str, JsonValue]:
    """Returns the data of the object literal at a position, without any list that has other items."""
    data = plain_data(Script(text, start).object_at(0), takes_parts=False)
    return data if isinstance(data, dict) else {}


def plain_data(node: JsonNode, *, takes_parts: bool = True) -> JsonValue:
    """Returns a value without what is computed, or only with the lists in which nothing is."""
    value = node.value
    if isinstance(value, dict):
        inner = {key: each.node for key, each in value.items() if is_known(each.node, takes_parts)}
        return {key: plain_data(each, takes_parts=takes_parts) for key, each in inner.items()}
    if isinstance(value, tuple):
        return [plain_data(each, takes_parts=takes_parts) for each in value if each.value != COMPUTED]
    return node.plain


def is_known(node: JsonNode, takes_parts: bool = True) -> bool:
    """Whether an expression is plain data, or a list or object with parts that may be."""
    is_list = isinstance(node.value, tuple) and not takes_parts
    return node.value != COMPUTED and not (is_list and any(each.value == COMPUTED for each in node.items()))


def _is_mark(tokens: list[re.Match[str]], at: int, *marks: str) -> bool:
    return at < len(tokens) and tokens[at].lastgroup == "mark" and tokens[at][0] in marks


def _name(token: re.Match[str]) -> str | None:
    """Returns the name of a property that is a token, or None."""
    if token.lastgroup == "string":
        return _text(token[0])
    return token[0] if token.lastgroup in ("word", "number") else None


def _text(literal: str) -> str:
    return _ESCAPE.sub(_unescaped, literal[1:-1])


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _ESCAPED.get(escape[3], escape[3])


class _Reader:
    """Reads values from tokens. Each method returns what it reads, and the index of the token after it."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._closing: dict[int, int] = {}
        """The index of the closing bracket by that of the opening one, or the end without one."""

        opened: list[int] = []
        for at, token in enumerate(tokens):
            if token.lastgroup == "mark" and token[0] in _OPENING:
                opened.append(at)
            elif token.lastgroup == "mark" and token[0] in _CLOSING and opened:
                self._closing[opened.pop()] = at
        self._closing.update(dict.fromkeys(opened, len(tokens)))

    def value(self, at: int, depth: int = 0) -> tuple[JsonNode, int]:
        """Returns the value of an expression up to the next comma or closing bracket."""
        end = self.end(at)
        if at >= len(self._tokens) or depth > _MAX_DEPTH:
            return self._node(COMPUTED, at, end), end
        token = self._tokens[at]
        found: Scalar | tuple[JsonNode, ...] | dict[str, Member] = COMPUTED
        after = at + 1
        if token.lastgroup == "string":
            found = _text(token[0])
        elif token.lastgroup == "number" and token[0].isdigit():
            found = int(token[0])
        elif token.lastgroup == "word":
            found = _WORDS.get(token[0], COMPUTED)
        elif _is_mark(self._tokens, at, "{"):
            found, after = self._object(at + 1, depth)
        elif _is_mark(self._tokens, at, "["):
            found, after = self._array(at + 1, depth)
        if depth and after != end and not self._is_cast(after):
            found = COMPUTED
        return self._node(found, at, after), end if depth else after

    def _node(
        self, value: Scalar | tuple[JsonNode, ...] | dict[str, Member], at: int, after: int
    ) -> JsonNode:
        inner = self._tokens[at : max(after, at + 1)]
        return JsonNode(value, (inner[0].start(), inner[-1].end()) if inner else (0, 0))

    def _is_cast(self, at: int) -> bool:
        """Whether the type of a value follows it: `"dark" as const`."""
        return at < len(self._tokens) and self._tokens[at][0] in ("as", "satisfies")

    def _object(self, at: int, depth: int) -> tuple[dict[str, Member], int]:
        found: dict[str, Member] = {}
        while at < len(self._tokens) and not _is_mark(self._tokens, at, *_CLOSING):
            name, key = _name(self._tokens[at]), self._tokens[at].span()
            if name is not None and _is_mark(self._tokens, at + 1, ":"):
                value, at = self.value(at + 2, depth + 1)
            else:
                value, end = self._node(COMPUTED, at, at), self.end(at)
                name, at = name if name is not None and end == at + 1 else COMPUTED, end
            found[name] = Member(key, value)
            at += _is_mark(self._tokens, at, ",")
        if not _is_mark(self._tokens, at, "}"):
            found[COMPUTED] = Member((0, 0), self._node(COMPUTED, at, at))
        return found, at + 1

    def _array(self, at: int, depth: int) -> tuple[tuple[JsonNode, ...], int]:
        found: list[JsonNode] = []
        while at < len(self._tokens) and not _is_mark(self._tokens, at, *_CLOSING):
            value, at = self.value(at, depth + 1)
            found.append(value)
            at += _is_mark(self._tokens, at, ",")
        return tuple(found), at + 1

    def end(self, at: int) -> int:
        """Returns the index of the comma or closing bracket after an expression."""
        while at < len(self._tokens) and not _is_mark(self._tokens, at, ",", *_CLOSING):
            at = self._closing.get(at, at) + 1
        return min(at, len(self._tokens))


_MAX_DEPTH = 20
"""The maximum nesting of values to read."""
