"""Finds the comments of a file by the syntax of its language."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from extlint.analysis.syntax.parse import Grammar, grammar_of, parse
from extlint.analysis.syntax.source import parsable
from extlint.package.suffixes import COMPONENTS, PAGES, SCRIPTS, STYLES, has_suffix
from extlint.project.contexts.html import read_tags
from extlint.project.contexts.pages import scan_page
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_BLOCK = rb"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_LINE = rb"//[^\r\n]*+"
_STRING = rb"\"(?:[^\"\\\r\n]++|\\[\s\S])*+\"?|'(?:[^'\\\r\n]++|\\[\s\S])*+'?"
_JSON = lazy(rb'"(?:[^"\\]++|\\[\s\S])*+"?|(%b|%b)' % (_BLOCK, _LINE))
_CSS = lazy(rb"%b|(%b)" % (_STRING, _BLOCK))
_SASS = lazy(rb"%b|url\([^\"')]*+\)|(%b|%b)" % (_STRING, _BLOCK, _LINE))


class CodeComment(Struct, frozen=True):
    """The byte range of a comment, and of its container, which is empty without it: JSX's `{/* … */}`."""

    span: ByteSpan
    container: ByteSpan


class Syntax(Protocol):
    """Distinguishes the comments in a text from text that only resembles them."""

    def comment_at(self, offset: int) -> CodeComment | None:
        """Returns the comment that contains a byte."""
        ...


class _Spans:
    """Comments with known byte ranges, in order."""

    def __init__(self, spans: Sequence[ByteSpan]) -> None:
        self._spans = spans

    def comment_at(self, offset: int) -> CodeComment | None:
        at = bisect_right(self._spans, offset, key=lambda each: each[0]) - 1
        if at < 0 or offset >= self._spans[at][1]:
            return None
        return CodeComment(self._spans[at], self._spans[at])


class _Script:
    """The comments of a script, from its syntax tree."""

    def __init__(self, text: bytes, grammar: Grammar) -> None:
        self._tree = parse(parsable(text), grammar)

    def comment_at(self, offset: int) -> CodeComment | None:
        if self._tree is None:
            return None
        node = self._tree.root_node.descendant_for_byte_range(offset, offset + 1)
        if node is None or node.type not in ("comment", "html_comment"):
            return None
        span = (node.start_byte, node.end_byte)
        up = node.parent
        if up is not None and up.type == "jsx_expression" and up.named_child_count == 1:
            return CodeComment(span, (up.start_byte, up.end_byte))
        return CodeComment(span, span)


class _Page:
    """The comments of a page or component, and of the scripts in it."""

    def __init__(self, text: bytes, path: str) -> None:
        own: list[ByteSpan] = []
        for _ in read_tags(text, path, comments=own):
            pass
        self._text = text
        self._own = _Spans(own)
        self._grammar = grammar_of(path)
        self._bodies = [
            each.body
            for each in scan_page(text, path).scripts
            if each.body is not None and each.kind != "other"
        ]

    def comment_at(self, offset: int) -> CodeComment | None:
        for start, end in self._bodies:
            if start <= offset < end:
                found = self._script((start, end)).comment_at(offset - start)
                return None if found is None else _moved(found, start)
        return self._own.comment_at(offset)

    @cached_method
    def _script(self, body: ByteSpan) -> _Script:
        return _Script(self._text[body[0] : body[1]], self._grammar)


def _moved(comment: CodeComment, by: int) -> CodeComment:
    (start, end), (first, last) = comment.span, comment.container
    return CodeComment((start + by, end + by), (first + by, last + by))


def syntax_of(text: bytes, path: str) -> Syntax:
    """Returns the comment syntax of a UTF-8 text.

    A file in an unknown language is read as JSON, as browsers read manifests.
    """
    if has_suffix(path, SCRIPTS):
        return _Script(text, grammar_of(path))
    if has_suffix(path, (*PAGES, *COMPONENTS)):
        return _Page(text, path)
    pattern = _JSON
    if has_suffix(path, STYLES):
        pattern = _CSS if has_suffix(path, (".css",)) else _SASS
    return _Spans([each.span(1) for each in pattern.finditer(text) if each[1] is not None])
