"""Storage for results: bytes by the digest of their key."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from extlint.analysis.cache.values import digest_of
from extlint.queries.database import Database
from extlint.queries.memos import Input

if TYPE_CHECKING:
    from extlint.queries.stored import Results, StoredKey

_RESULT = Input("stored result")


class Store(Protocol):
    """Stores bytes, and may lose them. Never raises."""

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, or None if they do not exist or were lost."""
        ...

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes for a key, replacing earlier ones."""
        ...


class RecentStore:
    """Keeps results about a package as objects, each for as long as one of the last checks uses it.

    They are inputs of `queries`, which has the results of queries about the same package.
    """

    def __init__(self) -> None:
        self.queries = Database(is_incremental=True)

    def get(self, key: Hashable) -> Any:
        """Returns the result stored for a key, or None if it does not exist or was dropped."""
        found = self.queries.input_value(_RESULT, None, (key,))
        if found is not None:
            self.put(key, found)
        return found

    def put(self, key: Hashable, result: Any) -> None:
        """Stores a result for a key, replacing an earlier one."""
        self.queries.set_input(_RESULT, None, result, (key,), is_changed=False)


class _EncodedResults:
    """Keeps results of queries in a store, as bytes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: StoredKey) -> Any:
        """See `Results`."""
        data = self._store.get(digest_of(*key))
        if data is None:
            return None
        from extlint.analysis.cache.codec import decoded

        return decoded(data)

    def put(self, key: StoredKey, result: Any) -> None:
        """See `Results`. Nothing is stored if the result cannot be encoded."""
        from extlint.analysis.cache.codec import encoded

        data = encoded(result)
        if data is not None:
            self._store.put(digest_of(*key), data)


def results_in(store: Store | RecentStore) -> Results:
    """Returns the results of queries in a store."""
    return store if isinstance(store, RecentStore) else _EncodedResults(store)


class MemoryStore:
    """Stores bytes for as long as it lives.

    Missing keys are read from `backing`, which also receives all bytes.
    """

    def __init__(self, entries: Mapping[bytes, bytes] | None = None, backing: Store | None = None) -> None:
        self.entries = dict(entries or {})
        self._backing = backing

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, here or in the backing store."""
        found = self.entries.get(key)
        return self._backing.get(key) if found is None and self._backing is not None else found

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes here and in the backing store."""
        self.entries[key] = data
        if self._backing is not None:
            self._backing.put(key, data)
