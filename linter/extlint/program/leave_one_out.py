"""Collects, for each of many scripts, the items of all others, without iterating over all each time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from extlint.project.contexts.script import ScriptLocation

ItemT = TypeVar("ItemT")


class LeaveOneOut(Generic[ItemT]):
    """Items by the scripts that they come from, in order, for queries that leave one script out.

    An item from several scripts counts once, at its first occurrence. Items are compared by identity.
    """

    def __init__(self, items: Iterable[tuple[ScriptLocation, ItemT]]) -> None:
        self._first: dict[int, tuple[int, ScriptLocation, ItemT]] = {}
        self._second: dict[int, int] = {}
        self._own: dict[ScriptLocation, list[int]] = {}
        for at, (location, item) in enumerate(items):
            first = self._first.setdefault(id(item), (at, location, item))
            if first[0] == at:
                self._own.setdefault(location, []).append(id(item))
            elif first[1] != location:
                self._second.setdefault(id(item), at)

    def is_first_source(self, location: ScriptLocation) -> bool:
        """Whether the first occurrence of an item is in a script, so leaving it out makes a difference."""
        return location in self._own

    def all(self) -> Iterator[ItemT]:
        """Yields the items of all scripts."""
        return (item for _, _, item in self._first.values())

    def all_except(self, location: ScriptLocation) -> Iterator[ItemT]:
        """Yields the items of all scripts except one, each at its first occurrence in another script."""
        own = self._own.get(location, ())
        moved = sorted((self._second[each], each) for each in own if each in self._second)
        at_moved = 0
        for at, first, item in self._first.values():
            while at_moved < len(moved) and moved[at_moved][0] < at:
                yield self._first[moved[at_moved][1]][2]
                at_moved += 1
            if first != location:
                yield item
        for _, each in moved[at_moved:]:
            yield self._first[each][2]
