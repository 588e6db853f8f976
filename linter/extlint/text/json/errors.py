"""Messages for invalid JSON, in terms of the author's text."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from extlint.text.json.values import JsonProblem
from extlint.text.patterns import lazy
from extlint.text.wording import did_you_mean

Expected: TypeAlias = Literal[
    "a value", "a key in double quotes", "a colon", "`,` or `}`", "`,` or `]`", "the end of the file"
]
"""The tokens that JSON allows at a position."""

_WORD = lazy(r"(?:[^\W\d]|\$)[\w$-]*+")
_NUMBER = lazy(r"[+-]?[0-9.][\w.+-]*+|[+-]Infinity\b|[+-]")
_DOUBLE_QUOTED = lazy(r'"[^"\\\r\n]*+"?')
_OTHER_QUOTED = lazy(
    r"'(?:[^'\\\r\n]|\\.)*+'?|`[^`\r\n]*+`?|[\u2018-\u201f][^\u2018-\u201f\r\n]*+[\u2018-\u201f]?"
)
_STRING_PART = lazy(rb'[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|[\r\n]')
_STRICT_STRING_PART = lazy(rb'[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}|[\r\n]')
_BAD_ESCAPE = lazy(rb"\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]{0,2}|[\x20-\x7f]|[\x80-\xff][\x80-\xbf]*+|)")
_CONTROL_ESCAPES = {0x08: "\\b", 0x09: "\\t", 0x0C: "\\f"}
_LINE_END = lazy(rb"\r\n|\r|\n")
_MEANT = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null"}
_MAX_BYTES_READ = 400
_MAX_CHARACTERS_SHOWN = 30


def problem_at(
    data: bytes,
    at: int,
    expected: Expected,
    opening: int | None,
    comma: int | None,
    *,
    comments: bool = True,
) -> JsonProblem:
    """Returns why a UTF-8 text is invalid at an offset.

    `opening` is the offset of the innermost bracket that is still open; `comma` that of a comma
    directly before `at`. `comments` is false where browsers do not accept comments.
    """
    if at >= len(data):
        return JsonProblem(_end_of_file_message(data, opening), (len(data), len(data)))
    rest = data[at : at + _MAX_BYTES_READ].decode("utf-8", "ignore")
    if comma is not None and rest[0] in "}]":
        return JsonProblem(f"unexpected comma before `{rest[0]}`", (comma, comma + 1))
    message, text = _message(rest, expected, comments)
    return JsonProblem(message, (at, at + len(text.encode())))


def string_problem(data: bytes, at: int, *, strict: bool = False) -> JsonProblem:
    """Returns why no browser accepts the string at an offset, or why it differs from its author's intent.

    With `strict` only strict JSON is accepted.
    """
    parts = _STRICT_STRING_PART if strict else _STRING_PART
    end = at + 1
    over_lines = False
    while part := parts.match(data, end):
        over_lines = over_lines or part[0] in b"\r\n"
        end = part.end()
    stop = data[end] if end < len(data) else None
    escape = _BAD_ESCAPE.match(data, end)
    if over_lines or stop is None or stop == ord('"') or (escape and escape.end() == len(data)):
        line_end = _LINE_END.search(data, at)
        return JsonProblem(
            "the closing quote of a string is missing", (at, line_end.start() if line_end else len(data))
        )
    if escape:
        shown = _shown(escape[0].decode("utf-8", "replace"))
        return JsonProblem(f"{shown} is not a valid JSON escape", escape.span())
    name = "a tab" if stop == ord("\t") else f"the control character U+{stop:04X}"
    code = _CONTROL_ESCAPES.get(stop, f"\\u{stop:04x}")
    return JsonProblem(f"strings cannot contain {name}; write `{code}`", (end, end + 1))


def _end_of_file_message(data: bytes, opening: int | None) -> str:
    if opening is None:
        empty = not data.removeprefix(b"\xef\xbb\xbf").strip()
        return "the file is empty" if empty else "the file contains only comments"
    line = len(_LINE_END.findall(data, 0, opening)) + 1
    return f"the file ends, but the `{chr(data[opening])}` on line {line} is not closed"


def _shown(text: str) -> str:
    if len(text) == 1 and (text.isspace() or not text.isprintable()):
        return f"the character U+{ord(text):04X}"
    shown = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text)
    return f"`{shown}`" if len(shown) <= _MAX_CHARACTERS_SHOWN else f"`{shown[:_MAX_CHARACTERS_SHOWN]}…`"


def _message(rest: str, expected: Expected, comments: bool) -> tuple[str, str]:
    """Returns the message about a text with an unexpected beginning, and the relevant part of the text."""
    double_quoted = _DOUBLE_QUOTED.match(rest)
    other_quoted = _OTHER_QUOTED.match(rest)
    number = _NUMBER.match(rest)
    word = _WORD.match(rest)
    match = double_quoted or other_quoted or number or word
    text = match[0] if match else rest[0]
    found = _shown(text)
    if expected == "the end of the file":
        return f"unexpected {found} after the end of the value", text
    if expected == "a colon":
        missing = "value" if text in (",", "}") else "colon"
        return f"a {missing} is missing after the key, before {found}", text
    if expected in ("`,` or `}`", "`,` or `]`"):
        if match or text in ("{", "["):
            return f"a comma is missing before {found}", text
        return f"expected {expected}, found {found}", text
    if other_quoted:
        return f"{found} must be in double quotes", text
    if text == "#":
        taken = (
            "browsers accept only `//` and `/* */`"
            if comments
            else "browsers accept no comments in this file"
        )
        return f"unexpected comment with `#`; {taken}", text
    if expected == "a key in double quotes" and match:
        return f"the key {found} must be in double quotes", text
    if expected == "a value" and (number or word):
        return f"{found} is not a JSON {_why_no_value(text, number is not None)}", text
    if text in (",", "}", "]"):
        missing = "value" if expected == "a value" else "key"
        return f"a {missing} is missing before {found}", text
    return f"expected {expected}, found {found}", text


def _why_no_value(text: str, number: bool) -> str:
    if text.lstrip("+-") in ("NaN", "Infinity"):
        return "value"
    if not number:
        meant = _MEANT.get(text.lower())
        return f"value{did_you_mean(meant)}" if meant else "value; a string must be in double quotes"
    digits = text.lstrip("+-")
    if text.startswith("+"):
        return "number; remove the `+`"
    if digits[:2].lower() in ("0x", "0o", "0b"):
        return "number; numbers must be decimal"
    if digits[:1] == "0" and digits[1:2].isdigit():
        return "number; remove the leading zero"
    if digits.startswith("."):
        return "number; write a digit before the point"
    if re.match(r"[0-9]+\.(?![0-9])", digits):
        return "number; write a digit after the point"
    return "number"
