"""The items that an editor offers to complete a text, and the text of those in JSON."""

from __future__ import annotations

from msgspec import Struct

from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, Token
from extlint.services.editor.documents.text_cursor import TextCursor
from extlint.text.patterns import lazy
from extlint.text.positions import Position


class Completion(Struct, frozen=True):
    """An item that an editor offers at a position.

    `insert` replaces the text from `start` up to `end`, which contains the position. `label` is shown, and is
    compared with the text that is replaced. `kind` is one word for the icon: "file", "folder", "message",
    "placeholder". `detail` is one line next to the label, and `documentation` is in Markdown. Editors order
    items by `sort`, or by the label if it is empty.
    """

    label: str
    kind: str
    detail: str
    documentation: str
    start: Position
    end: Position
    insert: str
    deprecated: bool = False
    sort: str = ""


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
