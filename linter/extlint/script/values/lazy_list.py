"""A list that takes its items from an iterator when they are first needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class LazyList(Generic[T]):
    """The items of an iterator, each taken from it when it is first needed."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._items: list[T] = []

    def __iter__(self) -> Iterator[T]:
        at = 0
        while True:
            if at == len(self._items):
                for each in self._source:
                    self._items.append(each)
                    break
                else:
                    return
            yield self._items[at]
            at += 1
