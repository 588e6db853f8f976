"""Parses JSON as browsers parse a manifest, and records the position of each value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from extlint.text.json.values import (
    Document,
    Duplicate,
    JsonNode,
    JsonProblem,
    Leniency,
    LeniencyKind,
    Member,
)
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.text.json.errors import Expected

MAX_DEPTH = 200
"""The maximum nesting depth of values. Chromium's JSON reader has the same limit."""

_BOM = b"\xef\xbb\xbf"
_SPACE = lazy(rb"[ \t\r\n]*+")
_LINE_COMMENT = lazy(rb"[^\r\n]*+")
_SIMPLE_KEY = lazy(rb'[ \t\r\n]*+"([^"\\\x00-\x1f]*+)"[ \t\r\n]*+:[ \t\r\n]*+')
_SCALAR = lazy(
    rb'"([^"\\\x00-\x1f]*+)"'
    rb"|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)(?![\w.+-])"
    rb"|(true|false|null)(?!\w)"
)
_STRING = lazy(
    rb'"([^"\\\x00-\x09\x0b\x0c\x0e-\x1f]*+'
    rb'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})[^"\\\x00-\x09\x0b\x0c\x0e-\x1f]*+)*+)"'
)
_STRICT_STRING = lazy(rb'"([^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+)"')
_ESCAPE = lazy(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))"
)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LONE_SURROGATE = lazy(r"[\ud800-\udfff]")
_WORDS = {b"true": True, b"false": False, b"null": None}
_MAX_SAFE_DIGITS = 308
"""The maximum length of an integer that is certainly in the range of a double."""


def read_json(data: bytes, *, trailing_commas: bool = False, strict: bool = False) -> Document:
    r"""Parses a UTF-8 text, with every position a byte offset in `data`. Never raises.

    Accepts everything that some browser accepts in a manifest: a byte order mark, comments of both forms, and
    in strings raw line ends and `\x41`; the parts that other browsers reject are in `leniencies`. An object
    keeps the last value of a repeated key. A number beyond the range of a double is infinite. The first text
    that every browser rejects is the problem. Runs in linear time. With `trailing_commas` a comma may follow
    the last item, as compilers allow in their configuration. With `strict` a byte order mark is the only
    accepted deviation from JSON.
    """
    try:
        data.decode()
    except UnicodeDecodeError as error:
        at = error.start
        message = f"the byte 0x{data[at]:02X} is not UTF-8; save the file as UTF-8"
        return Document(None, problem=JsonProblem(message, (at, at + 1)))
    reader = _Reader(data, trailing_commas=trailing_commas, strict=strict)
    try:
        root = reader.document()
    except _RejectedError as refused:
        return Document(None, problem=refused.problem)
    return Document(root, tuple(reader.duplicates), leniencies=tuple(reader.leniencies.values()))


def read_value(data: bytes, at: int) -> JsonNode:
    """Returns the value that begins at a byte offset of a text which is known to be strict JSON."""
    return _Reader(data, trailing_commas=False, strict=True).value(at)


def read_member_end(data: bytes, at: int, *, is_member: bool) -> int:
    """Returns the end of a value, or a member with its key, that begins at an offset of a valid text."""
    reader = _Reader(data, trailing_commas=False, strict=False)
    if is_member:
        _, colon = reader.string(at)
        at = reader.skip(reader.skip(colon) + 1)
    return reader.value(at).span[1]


class _RejectedError(Exception):
    def __init__(self, problem: JsonProblem) -> None:
        self.problem = problem


class _Reader:
    def __init__(self, data: bytes, *, trailing_commas: bool, strict: bool) -> None:
        self.data = data
        self.trailing_commas = trailing_commas
        self.strict = strict
        self.duplicates: list[Duplicate] = []
        self.open: list[int] = []
        self.string_over_lines: ByteSpan | None = None
        self.leniencies: dict[LeniencyKind, Leniency] = {}

    def document(self) -> JsonNode:
        start = self.skip(len(_BOM) if self.data.startswith(_BOM) else 0)
        root = self.value(start)
        end = self.skip(root.span[1])
        if end != len(self.data):
            self.reject(end, "the end of the file")
        return root

    def skip(self, at: int) -> int:
        """Returns the offset after white space and comments."""
        data = self.data
        space = _SPACE.match(data, at)
        at = space.end() if space else at
        while data[at : at + 1] == b"/":
            if self.strict and data[at + 1 : at + 2] in (b"/", b"*"):
                self.fail("unexpected comment; browsers do not accept comments in this file", (at, at + 2))
            if data[at + 1 : at + 2] == b"/":
                line = _LINE_COMMENT.match(data, at)
                at = line.end() if line else at
            elif data[at + 1 : at + 2] == b"*":
                end = data.find(b"*/", at + 2)
                if end < 0:
                    self.fail("the end of a comment is missing: `*/`", (at, at + 2))
                self.record_leniency(LeniencyKind.BLOCK_COMMENT, (at, end + 2))
                at = end + 2
            else:
                self.fail("unexpected `/`, which does not begin a comment", (at, at + 1))
            space = _SPACE.match(data, at)
            at = space.end() if space else at
        return at

    def value(self, at: int, comma: int | None = None) -> JsonNode:
        """Returns the value at an offset; `comma` is the offset of a comma before it, if any."""
        data = self.data
        first = data[at : at + 1]
        if first == b"{":
            return self.object(at)
        if first == b"[":
            return self.array(at)
        found = _SCALAR.match(data, at)
        if found is None:
            if first == b"/":
                return self.value(self.skip(at), comma)
            if first == b'"':
                text, end = self.string(at)
                return JsonNode(text, (at, end))
            self.reject(at, "a value", comma)
        if found.lastindex == 1:
            return JsonNode(found[1].decode(), found.span())
        if found.lastindex == 3:
            return JsonNode(_WORDS[found[3]], found.span())
        return JsonNode(_number(found[2]), found.span())

    def object(self, start: int) -> JsonNode:
        self.enter(start)
        data = self.data
        members: dict[str, Member] = {}
        firsts: dict[str, ByteSpan] = {}
        comma: int | None = None
        at = start + 1
        while True:
            simple = _SIMPLE_KEY.match(data, at)
            if simple:
                name, key, at = simple[1].decode(), (simple.start(1) - 1, simple.end(1) + 1), simple.end()
            else:
                at = self.skip(at)
                if data[at : at + 1] == b"}" and (comma is None or self.trailing_commas):
                    break
                name, key = self.key(at, comma)
                at = self.skip(key[1])
                if data[at : at + 1] != b":":
                    self.reject(at, "a colon")
                at = self.skip(at + 1)
            node = self.value(at)
            if name in members:
                first = firsts.setdefault(name, members[name].key)
                self.duplicates.append(Duplicate(name, first, key))
            members[name] = Member(key, node)
            at = self.skip(node.span[1])
            if data[at : at + 1] != b",":
                break
            comma = at
            at += 1
        if data[at : at + 1] != b"}":
            self.reject(at, "`,` or `}`")
        self.open.pop()
        return JsonNode(members, (start, at + 1))

    def array(self, start: int) -> JsonNode:
        self.enter(start)
        data = self.data
        items: list[JsonNode] = []
        comma: int | None = None
        at = self.skip(start + 1)
        while data[at : at + 1] != b"]" or (comma is not None and not self.trailing_commas):
            items.append(self.value(at, comma))
            at = self.skip(items[-1].span[1])
            if data[at : at + 1] != b",":
                break
            comma = at
            at = self.skip(at + 1)
        if data[at : at + 1] != b"]":
            self.reject(at, "`,` or `]`")
        self.open.pop()
        return JsonNode(tuple(items), (start, at + 1))

    def key(self, at: int, comma: int | None) -> tuple[str, ByteSpan]:
        if self.data[at : at + 1] != b'"':
            self.reject(at, "a key in double quotes", comma)
        name, end = self.string(at)
        return name, (at, end)

    def string(self, at: int) -> tuple[str, int]:
        """Returns the string at an offset, and the offset of its end."""
        found = (_STRICT_STRING if self.strict else _STRING).match(self.data, at)
        if found is None:
            self.reject_string(at)
        text = found[1].decode()
        if "\n" in text or "\r" in text:
            self.string_over_lines = found.span()
            self.record_leniency(LeniencyKind.LINE_END, found.span())
        return (self.unescape(text, found.span()) if "\\" in text else text), found.end()

    def unescape(self, text: str, span: ByteSpan) -> str:
        unescaped = _ESCAPE.sub(_unescaped, text)
        if "\\x" in text and any(each[0].startswith("\\x") for each in _ESCAPE.finditer(text)):
            self.record_leniency(LeniencyKind.SHORT_ESCAPE, span)
        if _LONE_SURROGATE.search(unescaped):
            self.record_leniency(LeniencyKind.HALF_PAIR, span)
        return unescaped

    def record_leniency(self, kind: LeniencyKind, span: ByteSpan) -> None:
        self.leniencies.setdefault(kind, Leniency(kind, span))

    def enter(self, start: int) -> None:
        self.open.append(start)
        if len(self.open) > MAX_DEPTH:
            self.fail(f"values are nested more than {MAX_DEPTH} levels deep", (start, start + 1))

    def reject(self, at: int, expected: Expected, comma: int | None = None) -> NoReturn:
        from extlint.text.json.errors import problem_at

        over_lines = self.string_over_lines
        if over_lines and not self.data[over_lines[1] : at].strip():
            self.reject_string(over_lines[0])
        opening = self.open[-1] if self.open else None
        raise _RejectedError(problem_at(self.data, at, expected, opening, comma, comments=not self.strict))

    def reject_string(self, at: int) -> NoReturn:
        from extlint.text.json.errors import string_problem

        raise _RejectedError(string_problem(self.data, at, strict=self.strict))

    def fail(self, message: str, span: ByteSpan) -> NoReturn:
        raise _RejectedError(JsonProblem(message, span))


def _number(text: bytes) -> int | float:
    if len(text) > _MAX_SAFE_DIGITS or b"." in text or b"e" in text or b"E" in text:
        return float(text)
    return int(text)


def _unescaped(escape: re.Match[str]) -> str:
    high, low, unit, byte, letter = escape.groups()
    if letter:
        return _ESCAPED.get(letter, letter)
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    return chr(int(unit or byte, 16))
