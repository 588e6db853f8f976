"""Fixes of texts that not every browser accepts as JSON: disallowed commas and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.finding import Edit, Fix
from extlint.text.json.values import JsonProblem
from extlint.text.patterns import lazy
from extlint.text.positions import TextIndex

_CLOSING = lazy(rb"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+[\]}]")
_COMMENT = lazy(rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")
_STRING_OR_COMMENT = lazy(rb'"(?:[^"\\\r\n]|\\.)*+"|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/')
_LINE_REST = lazy(rb"[ \t]*+(?=[\r\n]|\Z)")
_LINE_END = lazy(rb"\r\n|\r|\n")
_LINE = lazy(rb"([ \t]*+)(?:\*++(?!/))?[ \t]?(.*?)[ \t]*+")


def fix_problem(path: str, index: TextIndex, problem: JsonProblem) -> Fix | None:
    """Returns a fix that removes a trailing comma, or a comment from strict JSON, or None.

    Removing a comment discards information, so that fix is not safe.
    """
    text, (start, end) = index.text, problem.span
    if text[start:end] == b"," and _CLOSING.match(text, end):
        return Fix(True, (Edit(path, index.span(start, end), ""),), "Remove the comma after the last value")
    comment = _COMMENT.match(text, start)
    if comment is None or text[start:end] not in (b"//", b"/*"):
        return None
    return Fix(False, (Edit(path, index.span(*comment.span()), ""),), "Remove the comment")


def rewrite_block_comments(path: str, index: TextIndex) -> Fix | None:
    """Returns a fix that turns block comments into `//` comments, or None if text follows one on its line."""
    text = index.text
    edits = []
    for found in _STRING_OR_COMMENT.finditer(text):
        if found[0].startswith(b"/*"):
            if _LINE_REST.match(text, found.end()) is None:
                return None
            written = b"".join(_line_comments(found[0]))
            edits.append(Edit(path, index.span(*found.span()), written.decode("utf-8", "surrogateescape")))
    return Fix(True, tuple(edits), "Begin each line of the comments with `//`") if edits else None


def _line_comments(comment: bytes) -> Iterator[bytes]:
    """Yields a block comment as line comments, one per line, without blank lines at its start and end."""
    body = re.sub(rb"\A/\*+|\**/\Z", b"", comment)
    end = _LINE_END.search(body)
    lines = [found for line in re.split(rb"\r\n|\r|\n", body) if (found := _LINE.fullmatch(line))]
    while len(lines) > 1 and not lines[-1][2]:
        lines.pop()
    while len(lines) > 1 and not lines[0][2]:
        del lines[0]
    for at, line in enumerate(lines):
        if at and end:
            yield end[0] + line[1]
        yield b"// " + line[2] if line[2] else b"//"
