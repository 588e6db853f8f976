"""Edits that insert comments into a file to suppress findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from extlint.finding import Edit
from extlint.linting.suppression.comment import Directive, syntax_of
from extlint.text.patterns import lazy
from extlint.text.positions import Position, Span, TextIndex

_FORMS = (("// ", ""), ("{/* ", " */}"), ("/* ", " */"), ("<!-- ", " -->"))
"""The beginning and end of a comment in all languages."""

_WORD = Directive.NEXT_LINE.value
_EXISTING = re.compile(rf"{_WORD}[ \t]+((?!--)[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)")
_INDENT = re.compile(r"[ \t]*")
_LINE_END = lazy(rb"\r\n|\n|\r")


def suppressing_edits(
    data: bytes, path: str, rules_by_line: Mapping[int, Sequence[str]], reason: str
) -> Mapping[int, Edit]:
    """Returns the edit of a UTF-8 text that suppresses the findings of rules that begin in a line, by line.

    Extends the comment in the line above if there is one. A line is left out if no comment is possible
    before it, for example in a string of several lines.
    """
    index = TextIndex(data)
    edits: dict[int, Edit] = {}
    left: dict[int, Sequence[str]] = {}
    for line, rules in sorted(rules_by_line.items()):
        above = _EXISTING.search(index.line(line - 1)) if line > 1 else None
        if above is None:
            left[line] = rules
        elif (
            syntax_of(data, path).comment_at(index.offset(Position(line - 1, above.start() + 1))) is not None
        ):
            named = re.split(r"[ \t]*,[ \t]*", above[1])
            text = "".join(f", {rule}" for rule in rules if rule not in named)
            edits[line] = _insertion(path, Position(line - 1, above.end(1) + 1), text)
    for opening, closing in _FORMS:
        if not left:
            break
        comments = {
            line: f"{opening}{_WORD} {', '.join(rules)} -- {reason}{closing}" for line, rules in left.items()
        }
        for line in _valid_lines(index, path, comments):
            place = Position(line, 1)
            edits[line] = _insertion(path, place, _line(index, line, comments[line]))
            del left[line]
    return edits


def _insertion(path: str, place: Position, text: str) -> Edit:
    return Edit(path, Span(place, place), text)


def _line(index: TextIndex, line: int, comment: str) -> str:
    """Returns a comment as a line with the indentation of an existing line, and the line end of the file."""
    end = _LINE_END.search(index.text)
    return f"{_indent(index, line)}{comment}{chr(10) if end is None else end[0].decode()}"


def _indent(index: TextIndex, line: int) -> str:
    found = _INDENT.match(index.line(line))
    return "" if found is None else found[0]


def _valid_lines(index: TextIndex, path: str, comments: Mapping[int, str]) -> Iterable[int]:
    """Returns the lines before which a text is a comment of the language; all are tried at once."""
    text, starts = b"", {}
    end = 0
    for line, comment in comments.items():
        place = index.offset(Position(line, 1))
        text += index.text[end:place]
        starts[line] = len(text) + len(_indent(index, line)) + comment.startswith("{")
        text += _line(index, line, comment).encode("utf-8", "surrogatepass")
        end = place
    text += index.text[end:]
    syntax = syntax_of(text, path)
    valid = []
    for line, start in starts.items():
        found = syntax.comment_at(start)
        written = comments[line].strip("{}").encode("utf-8", "surrogatepass")
        if found is not None and text[found.span[0] : found.span[1]] == written:
            valid.append(line)
    return valid
