"""What a program does to the objects that it has, by the names of keys."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Edits(Struct, frozen=True):
    """The names of keys that a program writes, and of lists that it only adds to."""

    written: frozenset[str] = frozenset()
    extended: frozenset[str] = frozenset()


def joined(edits: Iterable[Edits]) -> Edits:
    """All that several programs, or parts of one, do."""
    known = tuple(edits)
    return Edits(
        frozenset().union(*(each.written for each in known)),
        frozenset().union(*(each.extended for each in known)),
    )
