"""Results with the queries that were made to compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias, TypeVar

from extlint.analysis.cache.store import ObjectStore, Store

MAX_ALTERNATIVES = 4
"""The number of results stored for one key: those for the last different results of the queries."""

Question = TypeVar("Question")

_Alternative: TypeAlias = tuple[tuple[tuple[Question, bytes], ...], Any]
"""The queries with digests of their results, and the result computed from these."""


class Alternatives(Generic[Question]):
    """The stored results of a key: the same queries may have different results each time."""

    def __init__(self, store: Store, key: bytes) -> None:
        self._store = store
        self._key = key
        self._alternatives: list[_Alternative[Question]] = self._read()

    def find(self, digest: Callable[[Question], bytes]) -> tuple[Any] | None:
        """Returns a tuple of the result whose queries all still have the same result digests, or None."""
        for questions, answer in self._alternatives:
            if all(digest(each) == known for each, known in questions):
                return (answer,)
        return None

    def add(self, questions: Iterable[tuple[Question, bytes]], answer: object) -> None:
        """Stores a result before all others, unless it cannot be encoded."""
        from extlint.analysis.cache.codec import encoded

        found = [(tuple(questions), answer), *self._alternatives[: MAX_ALTERNATIVES - 1]]
        data = encoded(found)
        if data is None:
            return
        if isinstance(self._store, ObjectStore):
            self._store.put_object(self._key, found, len(data))
        else:
            self._store.put(self._key, data)

    def _read(self) -> list[_Alternative[Question]]:
        if isinstance(self._store, ObjectStore):
            return self._store.get_object(self._key) or []
        data = self._store.get(self._key)
        if data is None:
            return []
        from extlint.analysis.cache.codec import decoded

        found: list[_Alternative[Question]] | None = decoded(data)
        return found or []
