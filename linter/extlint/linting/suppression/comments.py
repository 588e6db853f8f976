"""Finds the comments of a package that suppress findings, and the scope of each.

An edit removes a comment that suppresses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from extlint.linting.suppression.comment import (
    END,
    CodeComment,
    Comment,
    Directive,
    Instruction,
    Removal,
    Scope,
    Syntax,
    parse_instruction,
    syntax_of,
)
from extlint.package.files import Package
from extlint.registry import GROUPS, INCOMPLETE_ANALYSIS, RULES, UNUSED_SUPPRESSION, rules_in
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Position, TextIndex, decode


def removal(index: TextIndex, container: ByteSpan) -> tuple[Removal, ...]:
    """Returns the edit that removes a byte range that is a comment, or code that is empty without it.

    A comment on lines of its own is removed with these lines; one at the end of a line, with the white space
    before it. If that would join the code on both sides, a space remains. Empty for a comment of several
    lines between code, where its line ends may be significant.
    """
    text = index.text
    start, end = container
    left, right = start, end
    while left > 0 and text[left - 1 : left] in (b" ", b"\t"):
        left -= 1
    while text[right : right + 1] in (b" ", b"\t"):
        right += 1
    begins = _is_line_start(text, left)
    ends = _next_line_start(text, right)
    if ends is not None and begins:
        return (Removal(index.span(left, ends)),)
    if ends is not None:
        return (Removal(index.span(left, end)),)
    if b"\n" in text[start:end] or b"\r" in text[start:end]:
        return ()
    if begins or left < start:
        return (Removal(index.span(start, right)),)
    return (Removal(index.span(start, end), "" if right > end else " "),)


def _is_line_start(text: bytes, at: int) -> bool:
    return text[:at] in (b"", b"\xef\xbb\xbf") or text[at - 1 : at] in (b"\n", b"\r")


def _next_line_start(text: bytes, at: int) -> int | None:
    """Returns the start of the next line, or None if this line has more text."""
    if at == len(text):
        return at
    for mark in (b"\r\n", b"\n", b"\r"):
        if text.startswith(mark, at):
            return at + len(mark)
    return None


ALL_RULES = tuple(name for name in RULES if name not in (INCOMPLETE_ANALYSIS, UNUSED_SUPPRESSION))
"""The rules that a comment without names suppresses: all that report mistakes in the author's code."""

MAX_PASSED_COMMENTS = 100
"""The maximum number of comments skipped to find the next line of code; the line after them counts as
that line.
"""

_BLANK = lazy(rb"\s*+")


def rules_named(name: str) -> tuple[str, ...]:
    """Returns the rules that a name in a comment stands for, or an empty tuple if it is unknown."""
    if name in GROUPS:
        return rules_in(name)
    return (name,) if name in RULES else ()


class _DisableComment:
    """A `DISABLE` comment whose scopes later comments may end."""

    def __init__(self, comment: Comment) -> None:
        self._comment = comment
        self._closing: list[Removal] = []
        self._ends: list[dict[str, Position]] = [{} for _ in comment.scopes]

    @property
    def is_ended(self) -> bool:
        """Whether no scope is left to end."""
        return all(
            len(ends) == len(scope.rules)
            for scope, ends in zip(self._comment.scopes, self._ends, strict=True)
        )

    def end(self, rules: Iterable[str], at: Position) -> bool:
        """Ends the suppression of these rules, and returns whether any was active."""
        ended = False
        for rule in rules:
            for scope, ends in zip(self._comment.scopes, self._ends, strict=True):
                if rule in scope.rules and rule not in ends:
                    ends[rule] = at
                    ended = True
        return ended

    def remove_with(self, comment: Comment) -> None:
        """Records that a comment is useless without this one."""
        self._closing += comment.removals

    def comment(self) -> Comment:
        """Returns the comment, once all comments after it are known."""
        scopes = tuple(map(_with_ends, self._comment.scopes, self._ends))
        own = self._comment.removals
        return replace(
            self._comment, scopes=scopes, removals=_without_overlap((*own, *self._closing)) if own else ()
        )


def _with_ends(scope: Scope, ends: Mapping[str, Position]) -> Scope:
    """Returns a scope that ends for some of its rules; if it ends for all at one position, sets its end."""
    places = set(ends.values())
    if len(ends) == len(scope.rules) and len(places) == 1:
        return replace(scope, end=places.pop())
    return replace(scope, ends=tuple(sorted(ends.items())))


def _without_overlap(removals: Sequence[Removal]) -> tuple[Removal, ...]:
    """Returns the edits, each starting no earlier than the end of the previous one."""
    adjusted = list(removals[:1])
    for each in removals[1:]:
        span = each.span
        adjusted.append(replace(each, span=span._replace(start=max(span.start, adjusted[-1].span.end))))
    return tuple(adjusted)


class _Lines:
    """The lines of a text below comments."""

    def __init__(self, index: TextIndex, syntax: Syntax) -> None:
        self._index = index
        self._syntax = syntax
        self._code_after: dict[int, int] = {}

    def range(self, comment: CodeComment, directive: Directive) -> tuple[Position, Position]:
        """Returns the start of a comment's scope, and its end if no other comment ends it earlier."""
        (first, _), (last, _) = self._index.span(*comment.span)
        match directive:
            case Directive.LINE:
                return Position(first, 1), Position(last + 1, 1)
            case Directive.NEXT_LINE:
                line = self._next_code_line(last)
                return Position(line, 1), Position(line + 1, 1)
            case Directive.DISABLE:
                return self._index.position(comment.span[0]), END
            case Directive.ENABLE:
                return END, END

    def _next_code_line(self, line: int) -> int:
        """Returns the next line after this one that contains more than comments."""
        at = self._index.line_start(line + 1)
        return line + 1 if at is None else self._index.position(self._code_start(at)).line

    def _code_start(self, at: int) -> int:
        """Returns the offset of the first text, at an offset or after it, that is not a comment."""
        passed: list[int] = []
        while at not in self._code_after and len(passed) < MAX_PASSED_COMMENTS:
            passed.append(at)
            blank = _BLANK.match(self._index.text, at)
            begin = at if blank is None else blank.end()
            comment = self._syntax.comment_at(begin)
            if comment is None:
                self._code_after[at] = begin
                break
            at = comment.span[1]
        found = self._code_after.get(at, at)
        self._code_after.update(dict.fromkeys(passed, found))
        return found


def comments_with_scopes(
    path: str, index: TextIndex, syntax: Syntax, found: Iterable[tuple[CodeComment, Instruction]]
) -> tuple[Comment, ...]:
    """Returns the comments of a file, found in this order, with their scopes."""
    comments: list[Comment | _DisableComment] = []
    lines = _Lines(index, syntax)
    for place, instruction in found:
        comment = Comment(
            path,
            index.span(*place.span),
            instruction.word,
            instruction.directive,
            reason=instruction.reason,
            removals=removal(index, place.container),
        )
        if instruction.names:
            comment = replace(
                comment, names=index.span(instruction.names[0][1][0], instruction.names[-1][1][1])
            )
        if instruction.directive is not None:
            start, end = lines.range(place, instruction.directive)
            comment = replace(comment, scopes=tuple(_scopes(index, comment, instruction, start, end)))
        match instruction.directive:
            case Directive.DISABLE:
                comments.append(_DisableComment(comment))
            case Directive.ENABLE:
                comments.append(_apply_enable(comment, comments))
            case _:
                comments.append(comment)
    return tuple(each.comment() if isinstance(each, _DisableComment) else each for each in comments)


def _apply_enable(comment: Comment, before: Sequence[Comment | _DisableComment]) -> Comment:
    """Returns an `ENABLE` comment, after ending the scopes of the comments before it."""
    rules = [rule for scope in comment.scopes for rule in scope.rules]
    if any(scope.name is None for scope in comment.scopes):
        rules = list(RULES)
    begun = [each for each in before if isinstance(each, _DisableComment) and not each.is_ended]
    ended = [each for each in begun if each.end(rules, comment.span.start)]
    if len(ended) == 1:
        ended[0].remove_with(comment)
    return replace(comment, is_useless=not ended)


def _scopes(
    index: TextIndex, comment: Comment, instruction: Instruction, start: Position, end: Position
) -> Iterator[Scope]:
    if not instruction.names:
        yield Scope(None, comment.span, ALL_RULES, start, end)
    for name, place in instruction.names:
        yield Scope(name, index.span(*place), rules_named(name), start, end)


MAX_COMMENTS = 1_000
"""The maximum number of comments read in one file."""

_WORD = lazy(rb"extlint-(?:disable|enable)")


def comments_in(package: Package, paths: Iterable[str]) -> tuple[Comment, ...]:
    """Returns the comments in these files of a package, by path and in order."""
    found: list[Comment] = []
    for path in paths:
        with package.failures.contained(path):
            found += comments_in_text(path, decode(package.content(path)))
    return tuple(found)


def comments_in_text(path: str, data: bytes) -> tuple[Comment, ...]:
    """Returns the comments in a UTF-8 text, in order.

    The one that exceeds the maximum is the last, without a word.
    """
    syntax = syntax_of(data, path)
    index = TextIndex(data)
    found = list(islice(_instructions(data, syntax), MAX_COMMENTS + 1))
    read = comments_with_scopes(path, index, syntax, found[:MAX_COMMENTS])
    left_out = [Comment(path, index.span(*place.span), "", None) for place, _ in found[MAX_COMMENTS:]]
    return (*read, *left_out)


def _instructions(data: bytes, syntax: Syntax) -> Iterator[tuple[CodeComment, Instruction]]:
    end = 0
    for word in _WORD.finditer(data):
        if word.start() < end:
            continue
        comment = syntax.comment_at(word.start())
        if comment is None:
            continue
        end = comment.span[1]
        instruction = parse_instruction(data, comment.span)
        if instruction is not None:
            yield comment, instruction
