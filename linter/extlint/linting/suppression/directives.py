"""Parses the text of a comment: the directive, the names of rules, the reason."""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from extlint.linting.suppression.comment import Directive
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

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
