"""Strings as code writes them."""

from __future__ import annotations

MAX_TEXT_LENGTH = 40
"""Longer strings are cut in messages, in code points."""

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string_text(text: str) -> str:
    """A string in double quotes, cut, with what cannot be shown escaped."""
    shown = text if len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 1] + "…"
    return '"' + "".join(_ESCAPES.get(letter) or _visible(letter) for letter in shown) + '"'


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}"
