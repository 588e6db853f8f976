"""Edits of a text."""

from __future__ import annotations

from typing import NamedTuple


class TextEdit(NamedTuple):
    """An edit that replaces the bytes from `start` up to `end` with `text`."""

    start: int
    end: int
    text: str
