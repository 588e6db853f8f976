"""The facts of scripts, stored with the queries that were made to compute them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from extlint.analysis.cache.alternatives import AnswerT, get_or_compute
from extlint.analysis.cache.store import Store
from extlint.analysis.cache.values import CanonicalValues, digest_of
from extlint.analysis.facts.imports import Exports, ImportResolver
from extlint.queries.query import cached_method

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
