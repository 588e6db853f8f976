"""Strings in code syntax."""

from __future__ import annotations

MAX_TEXT_LENGTH = 40
"""The length above which strings are cut in messages, in code points."""

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string_text(text: str) -> str:
    """Returns a string in double quotes, cut, with unprintable characters escaped."""
    shown = text if len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 1] + "…"
    return '"' + "".join(_ESCAPES.get(letter) or _visible(letter) for letter in shown) + '"'


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}"
