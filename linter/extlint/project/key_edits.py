"""The edits that a program makes to objects, by the names of their keys."""

from __future__ import annotations

from msgspec import Struct


class KeyEdits(Struct, frozen=True):
    """The names of the keys that a program writes, and of those whose lists it only extends."""

    written: frozenset[str] = frozenset()
    extended: frozenset[str] = frozenset()
