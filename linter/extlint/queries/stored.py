"""Results of queries that outlive their database, with digests of the results that they depended on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Protocol, TypeAlias

from extlint.queries.database import Database
from extlint.queries.memos import Key

MAX_ALTERNATIVES = 4
"""The number of stored results of one query: those for the last different results of its dependencies."""

StoredKey: TypeAlias = tuple[bytes, ...]
"""The name of a query, the scope of its owner, and its arguments."""

Question: TypeAlias = tuple[Hashable, str, tuple[Hashable, ...]]
"""A query that a stored result depends on: the scope of its owner, its function, and its arguments."""


class Results(Protocol):
    """Stores results, and may lose them. Never raises."""

    def get(self, key: StoredKey, /) -> Any:
        """Returns the result stored for a key, or None if it does not exist or was lost."""
        ...

    def put(self, key: StoredKey, result: Any, /) -> None:
        """Stores a result for a key, replacing an earlier one."""
        ...


class StoringOwner(Protocol):
    """An owner of stored queries, whose scope is a digest of what identifies it in every process.

    Its incremental database has a single revision.
    """

    @property
    def queries(self) -> Database:
        """The database with the results of queries."""
        ...

    @property
    def query_scope(self) -> bytes:
        """The digest. A result may depend only on it, on the arguments and on queries."""
        ...

    @property
    def results(self) -> Results:
        """The store of results."""
        ...

    def digest(self, question: Question, /) -> bytes:
        """Returns the digest of the result of a query, which is not recorded as a dependency."""
        ...


def question_of(key: Key) -> Question:
    """Returns a query as it is stored."""
    query, scope, arguments = key
    return scope, query.method, arguments


def stored_key(name: str, scope: bytes, arguments: tuple[bytes, ...]) -> StoredKey:
    """Returns the key of the results of a query, for the last different results of its dependencies."""
    return name.encode(), scope, *arguments


def storing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function of a `StoringOwner` and arguments, which stores its results and reuses them.

    Nothing is stored if the function raises an exception, or if its result is valid only in this check.
    """

    @wraps(function)
    def stored(owner: StoringOwner, *arguments: bytes) -> Any:
        key = stored_key(function.__name__, owner.query_scope, arguments)
        known = owner.results.get(key) or []
        for answers, result in known:
            if all(owner.digest(each) == digest for each, digest in answers):
                return result
        with owner.queries.recording() as dependencies:
            result = function(owner, *arguments)
        if all(asked.function is not None for asked, _, _ in dependencies):
            answers = [(each, owner.digest(each)) for each in map(question_of, dependencies)]
            owner.results.put(key, [(answers, result), *known[: MAX_ALTERNATIVES - 1]])
        return result

    return stored
