"""Writes the keys and strings that complete a JSON text."""

from __future__ import annotations

from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, Token
from extlint.services.editor.documents.text_cursor import TextCursor
from extlint.text.patterns import lazy

_WORD = lazy(r"[\w$.@-]*+")


def written(cursor: TextCursor, token: Token | None, name: str, ending: str) -> tuple[Offsets, str]:
    """Returns the offsets that a string replaces, and its text, with the quotes that are missing.

    A quote before the cursor stays, so that editors compare only the name with what has been typed.
    """
    if token is None:
        return (cursor.offset, cursor.offset), f'"{name}"{ending}'
    if token.kind != "string":
        return (token.start, token.end), f'"{name}"{ending}'
    if token.is_closed:
        if not ending:
            return (token.start + 1, token.end - 1), name
        return (token.start + 1, token.end), f'{name}"{ending}'
    word = _WORD.match(cursor.text, cursor.offset)
    end = cursor.offset if word is None else min(word.end(), token.end)
    return (token.start + 1, end), f'{name}"{ending}'


def may_begin(cursor: TextCursor, place: JsonPlace) -> bool:
    """Whether a member may begin at the cursor: after a comma or bracket, or on a line of its own."""
    before = cursor.text[place.container.start : cursor.offset].rstrip(" \t")
    return before.endswith((",", "{", "[", "\n", "\r"))
