"""The items that an editor offers to complete a text."""

from __future__ import annotations

from msgspec import Struct

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
