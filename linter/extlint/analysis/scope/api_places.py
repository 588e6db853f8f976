"""The places in a script where the API was found, or may be."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Set

from extlint.analysis.syntax.node import Node


class ApiPlaces:
    """The byte offsets of these places, and the ids of the functions that return the API.

    If the functions are not known, every function that contains a place may be one.
    """

    def __init__(self, starts: Iterable[int], returning: Set[int] | None = None) -> None:
        self._starts = sorted(starts)
        self._returning = returning

    def is_in(self, item: Node) -> bool:
        """Whether the text of a node contains such a place."""
        at = bisect_left(self._starts, item.start)
        return at < len(self._starts) and self._starts[at] < item.end

    def may_be_returned_by(self, function: Node) -> bool:
        """Whether a function may return the API, or a result of the API."""
        return self.is_in(function) if self._returning is None else function.id in self._returning
