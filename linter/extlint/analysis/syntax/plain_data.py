"""Recognizes literals of plain data by their text: tables of strings and numbers, which evaluate nothing."""

from __future__ import annotations

from extlint.text.patterns import lazy

_DATA = lazy(
    rb"(?:[\s{}\]]++"
    rb"|[\[,:]\s*+(?:-\d++(?:\.\d++)?+(?![\w$.]))?+"
    rb"|\"[^\"\\\r\n]*+\"|'[^'\\\r\n]*+'"
    rb"|\d++(?:\.\d++)?+(?![\w$.])"
    rb"|(?:true|false|null)(?![\w$.])"
    rb"|[A-Za-z_$][\w$]*+(?=\s*+:))++"
)
_TEXTS = lazy(rb"\"([^\"]*+)\"|'([^']*+)'")


def texts_of_data(text: bytes, start: int, end: int) -> frozenset[bytes] | None:
    """Returns the strings in an object or array literal, also quoted keys, without their quotes, or None.

    None stands for a literal with anything but strings without escapes, plain numbers and constants.
    """
    if _DATA.fullmatch(text, start, end) is None:
        return None
    return frozenset(found[1] or found[2] or b"" for found in _TEXTS.finditer(text, start, end))
