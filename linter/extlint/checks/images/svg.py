"""Checks whether a text is an SVG image that browsers can show."""

from __future__ import annotations

import re

from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_BYTES_TO_ROOT = 256 * 1024
"""The number of bytes in which the root element is searched."""

_BEFORE_ROOT = lazy(rb"\s++|<\?(?>.*?\?>)|<!--(?>.*?-->)|<!DOCTYPE(?:[^\[>]|\"[^\"]*\"|'[^']*')*+", re.DOTALL)
_END_OF_SUBSET = lazy(rb"\][ \t\r\n]*>")
_ROOT = lazy(rb"<(?:([A-Za-z_][\w.-]*):)?svg(?=[\s/>])((?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_NAMESPACE = lazy(rb"(?<![\w:.-])xmlns(?::([A-Za-z_][\w.-]*))?\s*=\s*(?:\"\s*([^\"]*)|'\s*([^']*))")
MAX_BYTES = 4 * 1024 * 1024
"""The maximum number of bytes in a text that is parsed."""

_UNKNOWN_ENCODINGS = (18, 19)
_SVG = b"http://www.w3.org/2000/svg"


def is_svg(data: bytes) -> bool | None:
    """Whether the root element of a text is an SVG image, or None if uncertain.

    Browsers only show an image in the SVG namespace. Never raises; runs in linear time.
    """
    text = decode(data[:MAX_BYTES_TO_ROOT]).removeprefix(b"\xef\xbb\xbf")
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


def xml_problem(data: bytes) -> str | None:
    """Returns the syntax error of an XML text with its line, or None if no error is known.

    Firefox parses with expat too, and does not show an image that expat rejects. Entities are not followed.
    """
    if len(data) > MAX_BYTES or b"<!ENTITY" in data:
        return None
    from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

    try:
        ParserCreate(namespace_separator=" ").Parse(data, True)
    except ExpatError as error:
        if error.code in _UNKNOWN_ENCODINGS:
            return None
        return f"{ErrorString(error.code)} on line {error.lineno}"
    except (LookupError, ValueError):  # an encoding that Firefox may know
        return None
    return None
