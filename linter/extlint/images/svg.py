"""Whether a text is an SVG image, by its root element."""

from __future__ import annotations

import re

from extlint.patterns import lazy
from extlint.text import decode

MOST_BYTES = 256 * 1024
"""How far into a text its root element is looked for."""

_BEFORE_ROOT = lazy(rb"\s++|<\?(?>.*?\?>)|<!--(?>.*?-->)|<!DOCTYPE(?:[^\[>]|\"[^\"]*\"|'[^']*')*+", re.DOTALL)
_END_OF_SUBSET = lazy(rb"\][ \t\r\n]*>")
_ROOT = lazy(rb"<(?:([A-Za-z_][\w.-]*):)?svg(?=[\s/>])((?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_NAMESPACE = lazy(rb"(?<![\w:.-])xmlns(?::([A-Za-z_][\w.-]*))?\s*=\s*(?:\"\s*([^\"]*)|'\s*([^']*))")
_SVG = b"http://www.w3.org/2000/svg"


def is_svg(data: bytes) -> bool | None:
    """Whether the root element of a text is an SVG image; None if that is not certain.

    Browsers show one only if it is in the namespace of SVG. Never raises; time is linear.
    """
    text = decode(data[:MOST_BYTES]).removeprefix(b"\xef\xbb\xbf")
    at = 0
    while found := _BEFORE_ROOT.match(text, at):
        at = found.end()
        if found[0].startswith(b"<!DOCTYPE"):
            if text[at : at + 1] == b"[":
                end = _END_OF_SUBSET.search(text, at)
                if end is None:
                    return None
                at = end.end()
            elif text[at : at + 1] == b">":
                at += 1
            else:
                return None
    root = _ROOT.match(text, at)
    if root is None:
        return None if text[at:].startswith(b"<") and b"svg" in text[at:].lower() else False
    for space in _NAMESPACE.finditer(root[2]):
        if space[1] == root[1]:
            value = (space[2] if space[2] is not None else space[3]).strip()
            return value == _SVG or value.startswith(b"&")
    return False
