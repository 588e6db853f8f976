"""Computes the edit that removes a comment from a text."""

from __future__ import annotations

from extlint.suppression.comment import Removal
from extlint.text.positions import ByteSpan, TextIndex


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
