"""A comment that suppresses findings: its syntax in each language, directive, rules, and reason."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum
from itertools import islice
from typing import Protocol

from msgspec import Struct

from extlint.analysis.syntax.parse import Grammar, grammar_of, parse
from extlint.analysis.syntax.source import parsable
from extlint.package.suffixes import COMPONENTS, PAGES, SCRIPTS, STYLES, has_suffix
from extlint.project.contexts.page_code import read_tags
from extlint.project.contexts.pages import scan_page
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Position, Span

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


END = Position(1 << 60, 1)
"""A position after the end of every file."""


class Directive(Enum):
    """The directive of a comment."""

    NEXT_LINE = "extlint-disable-next-line"
    LINE = "extlint-disable-line"
    DISABLE = "extlint-disable"
    ENABLE = "extlint-enable"


class Scope(Struct, frozen=True):
    """The findings that a comment suppresses through one of its names, or through having no names.

    `name` is that of a rule or a group as written, and `span` its location; None means all rules. `rules` are
    the rules that the name stands for, empty if it is unknown. Suppressed findings start at `start` or later,
    and before `end`; those of a rule in `ends` only before the position given there.

    `is_decided` is true if the scope certainly suppresses nothing, in any run on the same files: its name is
    useless.
    """

    name: str | None
    span: Span
    rules: tuple[str, ...]
    start: Position
    end: Position = END
    ends: tuple[tuple[str, Position], ...] = ()
    is_decided: bool = False

    def covers(self, rule: str, place: Position) -> bool:
        """Whether the scope suppresses a finding of a rule that starts at a position."""
        if rule not in self.rules or not self.start <= place < self.end:
            return False
        return all(each != rule or place < end for each, end in self.ends)


class Removal(Struct, frozen=True):
    """An edit that removes a comment from a file."""

    span: Span
    text: str = ""


class Comment(Struct, frozen=True):
    """An extlint comment in a file.

    `word` is the first word, empty if the comment was not read. If that word is unknown, it has the directive
    None and an empty tuple of scopes. The scopes of an `ENABLE` cover nothing. `names` is the span of the
    list of names, or None without names. `reason` is the text after `--`. `removals` are the edits that
    remove the whole comment, and the comments that are useless without it; empty if no edit can do that.
    `is_useless` is true for an `ENABLE` that ends nothing.
    """

    path: str
    span: Span
    word: str
    directive: Directive | None
    scopes: tuple[Scope, ...] = ()
    names: Span | None = None
    reason: str | None = None
    removals: tuple[Removal, ...] = ()
    is_useless: bool = False


MAX_NAMES = 200
"""The maximum number of names read in one comment; findings of the others are not suppressed."""

_CONTENT = lazy(rb"//([^\r\n]*+)|/\*([\s\S]*?)(?:\*/|\Z)|<!--([\s\S]*?)(?:--!?>|\Z)")
_WORD = lazy(rb"[\s*]*+(extlint-(?:disable|enable)[\w-]*+):?")
_REASON = lazy(rb"(?<=\s)--+")
_NAME = lazy(rb"[^\s,*]++")
_DIRECTIVES = {each.value: each for each in Directive}


class Instruction(Struct, frozen=True):
    """The parsed content of an extlint comment.

    Byte ranges count from the start of the text that contains the comment.

    `word` is the first word of the comment, and `directive` its meaning, or None if it is unknown.
    `names` are the names of rules and groups as written.
    """

    word: str
    directive: Directive | None
    names: tuple[tuple[str, ByteSpan], ...]
    reason: str | None


def parse_instruction(text: bytes, comment: ByteSpan) -> Instruction | None:
    """Returns the instruction in the comment in a byte range of a text.

    Returns None if it is not an extlint comment.
    """
    found = _CONTENT.match(text, *comment)
    if found is None:
        return None
    start, end = found.span(found.lastindex or 0)
    word = _WORD.match(text, start, end)
    if word is None:
        return None
    reason = _REASON.search(text, word.end(), end)
    names_end = end if reason is None else reason.start()
    found_names = islice(_NAME.finditer(text, word.end(), names_end), MAX_NAMES)
    names = [(_decoded(each[0]), each.span()) for each in found_names]
    name = _decoded(word[1])
    return Instruction(
        name,
        _DIRECTIVES.get(name),
        tuple(names),
        None if reason is None else _reason(_decoded(text[reason.end() : end])),
    )


def _reason(text: str) -> str | None:
    """Returns a reason on one line, or None if it is empty."""
    lines = (line.strip().removeprefix("*").strip() for line in text.splitlines())
    return " ".join(filter(None, lines)) or None


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")
