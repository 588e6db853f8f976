"""The facts of scripts and other results, stored with the queries that were made to compute them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from extlint.analysis.cache.store import Store, results_in
from extlint.analysis.cache.values import CanonicalValues, digest_of
from extlint.analysis.facts.imports import Exports, ImportResolver
from extlint.queries.database import Database
from extlint.queries.query import query
from extlint.queries.stored import Question, Results, stored_key

AnswerT = TypeVar("AnswerT")


class Records:
    """Stores results about scripts, and reuses them if nothing has changed.

    The results in a store are valid only for the version of extlint that stored them.
    """

    def __init__(self, store: Store, values: CanonicalValues) -> None:
        self._results = results_in(store)
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
        script = _RecordedScript(self._results, self._values, text, imported, compute)
        found: AnswerT = script.result(*map(self._values.digest, key))
        return found

    def has(self, key: Sequence[object], text: bytes) -> bool:
        """Whether any result is stored for a text, whatever its queries returned."""
        digests = tuple(map(self._values.digest, key))
        place = stored_key(_RecordedScript.result.method, digest_of(text), digests)
        return self._results.get(place) is not None


class _RecordedScript:
    """A text, as the owner of queries about the exports of other scripts, and of a result that uses them."""

    def __init__(
        self,
        results: Results,
        values: CanonicalValues,
        text: bytes,
        imported: ImportResolver,
        compute: Callable[[ImportResolver], Any],
    ) -> None:
        self.queries = Database(is_incremental=True)
        self.query_scope = digest_of(text)
        self.results = results
        self._values = values
        self._imported = imported
        self._compute = compute

    @query(is_stored=True)
    def result(self, *_: bytes) -> Any:
        """Returns the result for a key."""
        return self._compute(self._find)

    @query
    def exports(self, name: str, of_api: bool) -> Exports:
        """Returns the exports of a module; see `ImportResolver`."""
        return self._imported(name, of_api=of_api)

    def _find(self, name: str, *, of_api: bool = False) -> Exports:
        return self.exports(name, of_api)

    def digest(self, question: Question) -> bytes:
        """See `StoringOwner`."""
        arguments: tuple[Any, ...] = question[2]
        with self.queries.unrecorded():
            return self._values.digest(self.exports(*arguments))
