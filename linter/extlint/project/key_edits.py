"""The edits that a program makes to objects, by the names of their keys."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class KeyEdits(Struct, frozen=True):
    """The names of the keys that a program writes, and of those whose lists it only extends.

    For the latter, the items that it adds, or None if they are unknown. `removed` are those of the written
    keys that it only deletes or filters. `merges_objects` is true if it merges objects whose keys
    are unknown, such as the manifests for all browsers and for one of them.
    """

    written: frozenset[str] = frozenset()
    extended: Mapping[str, frozenset[str] | None] = {}
    removed: frozenset[str] = frozenset()
    merges_objects: bool = False
