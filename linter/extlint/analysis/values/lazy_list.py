"""A list that takes its items from an iterator on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class LazyList(Generic[T]):
    """The items of an iterator, each taken on demand.

    `begin` creates the iterator, and creates it again after it has raised an exception.
    """

    def __init__(self, begin: Callable[[], Iterator[T]]) -> None:
        self._begin = begin
        self._source: Iterator[T] | None = None
        self._items: list[T] = []

    def __iter__(self) -> Iterator[T]:
        at = 0
        while at < len(self._items) or self._take_next():
            yield self._items[at]
            at += 1

    def _take_next(self) -> bool:
        """Takes one more item from the iterator, and returns whether it had one."""
        try:
            if self._source is None:
                self._source = islice(self._begin(), len(self._items), None)
            for each in self._source:
                self._items.append(each)
                return True
        except BaseException:
            self._source = None
            raise
        return False
