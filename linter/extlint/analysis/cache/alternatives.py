"""Results, stored with the queries that were made to compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar

from extlint.analysis.cache.store import RecentStore, Store

MAX_ALTERNATIVES = 4
"""The number of results stored for one key: those for the last different results of the queries."""

AnswerT = TypeVar("AnswerT")
Question = TypeVar("Question")

_Alternative: TypeAlias = tuple[tuple[tuple[Any, bytes], ...], Any]
"""The queries with digests of their results, and the result computed from these."""


class Recorder(Protocol[Question]):
    """Makes queries, and records them."""

    def digest(self, query: Question, /) -> bytes:
        """Returns the digest of the result of a query, without recording the query."""
        ...

    def recorded_queries(self) -> Iterable[tuple[Question, bytes]] | None:
        """Returns the queries with the digests of their results, or None if no result may be stored."""
        ...


def find(store: Store, key: bytes, queries: Recorder[Any]) -> tuple[Any] | None:
    """Returns a tuple of a stored result whose queries all still have the same results, or None."""
    for questions, answer in _stored(store, key):
        if all(queries.digest(each) == known for each, known in questions):
            return (answer,)
    return None


def get_or_compute(
    store: Store, key: bytes, queries: Recorder[Any], compute: Callable[[], AnswerT]
) -> AnswerT:
    """Returns the stored result for a key, or that of `compute`, which makes only recorded queries.

    Nothing is stored if `compute` raises an exception, or if its result cannot be encoded.
    """
    known = find(store, key, queries)
    if known is not None:
        taken: AnswerT = known[0]
        return taken
    computed = compute()
    recorded = queries.recorded_queries()
    if recorded is not None:
        found = [(tuple(recorded), computed), *_stored(store, key)[: MAX_ALTERNATIVES - 1]]
        if isinstance(store, RecentStore):
            store.put(key, found)
        else:
            from extlint.analysis.cache.codec import encoded

            data = encoded(found)
            if data is not None:
                store.put(key, data)
    return computed


def _stored(store: Store, key: bytes) -> list[_Alternative]:
    data: Any = store.get(key)
    if data is None or isinstance(store, RecentStore):
        return data or []
    from extlint.analysis.cache.codec import decoded

    return decoded(data) or []
