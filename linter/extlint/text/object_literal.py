"""Reads the plain data of an object literal of JavaScript: `name` in `{ name: 'Tabs', icons: ICONS }`."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
_UNKNOWN = object()
"""The value of an expression that is not plain data."""


def read_object_with(text: str, key: str) -> dict[str, object] | None:
    """Returns the data of the first object literal in a script that has a key, or None without one.

    Values and items that are not plain data are left out. Runs in linear time.
    """
    tokens = [each for each in _TOKEN.finditer(text) if each.lastgroup != "space"]
    open_braces: list[int] = []
    for at, token in enumerate(tokens):
        mark = token[0]
        if token.lastgroup == "mark" and mark in _OPENING:
            open_braces.append(at)
        elif token.lastgroup == "mark" and mark in _CLOSING:
            del open_braces[-1:]
        elif _name(token) == key and _is_mark(tokens, at + 1, ":") and open_braces:
            found = _Reader(tokens).value(open_braces[-1])[0]
            return found if isinstance(found, dict) else None
    return None


def read_object_at(text: str, start: int) -> dict[str, object]:
    """Returns the data of the object literal at a position, without any list that has other items."""
    tokens = [each for each in _TOKEN.finditer(text, start) if each.lastgroup != "space"]
    found = _Reader(tokens, takes_parts=False).value(0)[0]
    return found if isinstance(found, dict) else {}


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

    def __init__(self, tokens: list[re.Match[str]], *, takes_parts: bool = True) -> None:
        self._tokens = tokens
        self._takes_parts = takes_parts

    def value(self, at: int, depth: int = 0) -> tuple[object, int]:
        """Returns the value of an expression up to the next comma or closing bracket."""
        end = self._end(at)
        if at >= len(self._tokens) or depth > _MAX_DEPTH:
            return _UNKNOWN, end
        token = self._tokens[at]
        found: object = _UNKNOWN
        after = at + 1
        if token.lastgroup == "string":
            found = _text(token[0])
        elif token.lastgroup == "number" and token[0].isdigit():
            found = int(token[0])
        elif token.lastgroup == "word":
            found = _WORDS.get(token[0], _UNKNOWN)
        elif _is_mark(self._tokens, at, "{"):
            found, after = self._object(at + 1, depth)
        elif _is_mark(self._tokens, at, "["):
            found, after = self._array(at + 1, depth)
        if depth == 0:
            return found, after
        return (found if after == end or self._is_cast(after) else _UNKNOWN), end

    def _is_cast(self, at: int) -> bool:
        """Whether the type of a value follows it: `"dark" as const`."""
        return at < len(self._tokens) and self._tokens[at][0] in ("as", "satisfies")

    def _object(self, at: int, depth: int) -> tuple[dict[str, object], int]:
        found: dict[str, object] = {}
        while at < len(self._tokens) and not _is_mark(self._tokens, at, *_CLOSING):
            name = _name(self._tokens[at])
            if name is not None and _is_mark(self._tokens, at + 1, ":"):
                value, at = self.value(at + 2, depth + 1)
                if value is not _UNKNOWN:
                    found[name] = value
            else:
                at = self._end(at)
            at += _is_mark(self._tokens, at, ",")
        return found, at + 1

    def _array(self, at: int, depth: int) -> tuple[object, int]:
        found: list[object] = []
        is_whole = True
        while at < len(self._tokens) and not _is_mark(self._tokens, at, *_CLOSING):
            value, at = self.value(at, depth + 1)
            if value is not _UNKNOWN:
                found.append(value)
            else:
                is_whole = False
            at += _is_mark(self._tokens, at, ",")
        return (found if is_whole or self._takes_parts else _UNKNOWN), at + 1

    def _end(self, at: int) -> int:
        """Returns the index of the comma or closing bracket after an expression."""
        inner = 0
        for index in self._indexes(at):
            if _is_mark(self._tokens, index, *_OPENING):
                inner += 1
            elif _is_mark(self._tokens, index, *_CLOSING):
                if inner == 0:
                    return index
                inner -= 1
            elif inner == 0 and _is_mark(self._tokens, index, ","):
                return index
        return len(self._tokens)

    def _indexes(self, at: int) -> Iterator[int]:
        return iter(range(at, len(self._tokens)))


_MAX_DEPTH = 20
"""The maximum nesting of values to read."""
