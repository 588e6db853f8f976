"""Finds the comments of a package that suppress findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from extlint.linting.suppression.comment import Comment
from extlint.linting.suppression.directives import Instruction, parse_instruction
from extlint.linting.suppression.scopes import comments_with_scopes
from extlint.linting.suppression.syntax import CodeComment, Syntax, syntax_of
from extlint.package.files import Package
from extlint.text.patterns import lazy
from extlint.text.positions import TextIndex, decode

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
