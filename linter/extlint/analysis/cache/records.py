"""The facts of scripts and other results, stored with the queries that were made to compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from extlint.analysis.cache.store import RecentStore, Store
from extlint.analysis.cache.values import CanonicalValues, digest_of
from extlint.analysis.facts.imports import Exports, ImportResolver
from extlint.queries.query import cached_method

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


_Query: TypeAlias = tuple[str, bool]
"""A query of a script about another: the name in its import, and whether only values of the API are
requested.
"""


class Records:
    """Stores results about scripts, and reuses them if nothing has changed.

    The results in a store are valid only for the version of extlint that stored them.
    """

    def __init__(self, store: Store, values: CanonicalValues) -> None:
        self._store = store
        self._values = values

    def get_or_compute(
        self,
        key: Sequence[object],
        text: bytes,
        imported: ImportResolver,
        compute: Callable[[ImportResolver], AnswerT],
    ) -> AnswerT:
        """Returns the result of `compute`, which queries the passed function for other scripts' exports.

        The result may depend only on these, on the text and on `key`. Nothing is stored if `compute` raises
        an exception.
        """
        recorder = _QueryRecorder(imported, self._values)
        place = self._store_key(key, text)
        return get_or_compute(self._store, place, recorder, lambda: compute(recorder))

    def has(self, key: Sequence[object], text: bytes) -> bool:
        """Whether any result is stored for a text, whatever its queries returned."""
        return self._store.get(self._store_key(key, text)) is not None

    def _store_key(self, key: Sequence[object], text: bytes) -> bytes:
        return digest_of(digest_of(text), *map(self._values.digest, key))


class _QueryRecorder:
    """Queries the exports of other scripts, each once, and records the queries."""

    def __init__(self, imported: ImportResolver, values: CanonicalValues) -> None:
        self._imported = imported
        self._values = values
        self._queries: dict[_Query, None] = {}

    def __call__(self, name: str, *, of_api: bool = False) -> Exports:
        """Returns the exports of a module; see `ImportResolver`."""
        self._queries[name, of_api] = None
        return self._result((name, of_api))

    def digest(self, query: _Query) -> bytes:
        """Returns the digest of the result of a query."""
        return self._values.digest(self._result(query))

    def recorded_queries(self) -> tuple[tuple[_Query, bytes], ...]:
        """Returns the queries in the order in which they were made, with the digests of their results."""
        return tuple((each, self.digest(each)) for each in self._queries)

    @cached_method
    def _result(self, query: _Query) -> Exports:
        name, of_api = query
        return self._imported(name, of_api=of_api)
