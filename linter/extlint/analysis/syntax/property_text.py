"""Analyzes the text around a property's name, which costs a fraction of finding it in the tree."""

from __future__ import annotations

from extlint.text.patterns import lazy
from extlint.text.word_search import WORD

_READS = (b".", b"(", b"[", b"`", b"?.")
"""Continuations of a member expression that read its value, whatever precedes it."""

_SIMPLE_ENDS = (b";", b":", b")", b"?? ", b"|| ", b"&& ", b"=== ", b"!== ")
_ENDS_OF_PARTS = (b",", b"]", b"}")
_ENDS = lazy(
    rb"[=!]==?|&&(?!=)|\|\|(?!=)|\?\?(?!=)|\?(?!\?)|[+-](?![+=-])|[%^&|](?![=&|])|\*(?!\*?=)"
    rb"|/(?![/*=])|<(?!<=)|>(?!>>?=)|(?!(?:in|of)\b)[\w$]"
)
"""Text that follows an expression without writing to it; `_ENDS_OF_PARTS` may also follow part of a
pattern.
"""

_CHAIN = bytes(sorted(WORD)) + b".?"
_BEFORE_PART_OF_PATTERN = (b"[", b",", b":")
_WRITING_WORDS = (b"delete", b"++", b"--", b"/")
_MAX_BEFORE_BYTES = 120

_BEFORE_NAME = (b".", b"\\")
_BEFORE_KEY = (b"{", b",")
_ENDS_KEY = lazy(rb"\s*+(?:[:,}/]|=(?![=>]))")
_NO_PATTERN = lazy(
    rb"\s*+:\s*+(?:[-\"'`\d!+~]|(?:async|class|function|new|typeof|void)\b|[\w$]++\s*+=>|\([\w$,\s]*+\)\s*+=>)"
)
"""Text after a key whose value cannot be a pattern."""

_DEFINES = lazy(rb"[\"']?+\s*+(?:[:?!/]|=(?![=>]))")
_CALLS = lazy(rb"[\"']?+\s*+\(")
_KEY_ENDS = (b":", b",", b"}", b"(", b"/")


def may_be_key(text: bytes, start: int, end: int) -> bool:
    """Whether the word at a range may be a key of an object, or is an entire string."""
    before = text[start - 1 : start]
    if before in (b"'", b'"', b"`"):
        return text.startswith(before, end)
    return before != b"." and text.startswith(_KEY_ENDS, _after_space(text, end))


def may_define_property(text: bytes, start: int, end: int) -> bool:
    """Whether the property named at a range may be assigned: as a key, a field, a getter or a member."""
    if text[start - 1 : start] == b".":
        return may_write_member(text, start, end)
    if _DEFINES.match(text, end) is not None:
        return True
    before = text[max(0, start - _MAX_BEFORE_BYTES) : start].rstrip(b"\"'").rstrip()
    return before.endswith((b".", b"/")) or (before.endswith(b"get") and _CALLS.match(text, end) is not None)


def may_use_property(text: bytes, start: int, end: int) -> bool:
    """Whether the property named at a range may be read or written: as a member, or by a pattern."""
    is_all = start < _MAX_BEFORE_BYTES
    before = b"\n" + text[:start] if is_all else text[start - _MAX_BEFORE_BYTES : start]
    if before.endswith((b"'", b'"')):
        return text.startswith(before[-1:], end) and _may_follow(before[:-1], (b"[",))
    if _may_follow(before, _BEFORE_NAME):
        return True
    is_key = _ENDS_KEY.match(text, end) is not None and _NO_PATTERN.match(text, end) is None
    return is_key and _may_follow(before, _BEFORE_KEY)


def _may_follow(before: bytes, ends: tuple[bytes, ...]) -> bool:
    """Whether code after this text may directly follow one of these endings, apart from comments."""
    stem = before.rstrip()
    if not stem or stem.endswith((b"*/", *ends)):
        return True
    if b"\n" not in before[len(stem) :]:
        return False
    line = stem.rpartition(b"\n")
    return b"//" in line[2] or not line[1]


def may_write_member(text: bytes, start: int, end: int) -> bool:
    """Whether the member named at a range may be written; false if the text there is not a member's name."""
    before = text[max(0, start - _MAX_BEFORE_BYTES) : start]
    stem = before.rstrip()
    if stem[-1:] in (b"'", b'"'):
        return stem[:-1].rstrip()[-1:] in (b"[", b"/", b"")
    if stem[-1:] != b".":
        return stem[-1:] in (b"/", b"")
    at = _after_space(text, end)
    if text.startswith(_READS, at):
        return False
    may_be_part = text.startswith(_ENDS_OF_PARTS, at)
    if not may_be_part and not text.startswith(_SIMPLE_ENDS, at):
        is_assigned = text.startswith(b"=", at) and not text.startswith(b"==", at)
        if is_assigned or _ENDS.match(text, at) is None:
            return True
    head = before.rstrip(_CHAIN)
    if not head or before[len(head) : len(head) + 1] in (b".", b"?"):
        return True
    stem = head.rstrip()
    if stem.endswith(_WRITING_WORDS):
        return True
    return may_be_part and stem.endswith(_BEFORE_PART_OF_PATTERN)


def _after_space(text: bytes, at: int) -> int:
    while text[at : at + 1].isspace():
        piece = text[at : at + _MAX_BEFORE_BYTES]
        at += len(piece) - len(piece.lstrip())
    return at
