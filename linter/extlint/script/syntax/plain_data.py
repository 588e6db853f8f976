"""Literals of plain data, told by their text: tables of texts and numbers, in which nothing is evaluated."""

from __future__ import annotations

from extlint.text.patterns import lazy

_DATA = lazy(
    rb"(?:[\s{}\[\],:]++"
    rb"|\"[^\"\\\r\n]*+\"|'[^'\\\r\n]*+'"
    rb"|-?\d++(?:\.\d++)?+(?![\w$.])"
    rb"|(?:true|false|null)(?![\w$.])"
    rb"|[A-Za-z_$][\w$]*+(?=\s*+:))++"
)
_TEXTS = lazy(rb"\"([^\"]*+)\"|'([^']*+)'")


def texts_of_data(text: bytes, start: int, end: int) -> frozenset[bytes] | None:
    """The texts in an object or array literal, its quoted keys among them, without their quotes.

    None if it has anything but texts without escapes, plain numbers and constants.
    """
    if _DATA.fullmatch(text, start, end) is None:
        return None
    return frozenset(found[1] or found[2] or b"" for found in _TEXTS.finditer(text, start, end))
