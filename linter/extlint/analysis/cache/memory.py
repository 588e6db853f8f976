"""Results that are kept in memory from one check to the next, as long as they are used."""

from __future__ import annotations

from typing import Any

from extlint.analysis.cache.cache import Cache
from extlint.analysis.cache.store import ObjectStore, Store
from extlint.package.files import Package

MAX_UNUSED_CHECKS = 4
"""The number of checks that compute something new before a result that none of them uses is dropped."""

MAX_NEW_BYTES = 64 * 1024 * 1024
"""The bytes of the results of incomplete checks that are kept, apart from those that the last ones used."""

_OBJECT = b"object "
"""The prefix of the keys of results that are not bytes."""


class RecentStore(ObjectStore):
    """Stores the results about a package that one of the last checks used."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: dict[bytes, tuple[Any, int]] = {}
        self._last_uses: dict[bytes, tuple[int, int]] = {}
        self._new: dict[bytes, None] = {}
        self._new_bytes = 0
        self._checks = 0
        self._begun = 0

    def begin_check(self) -> None:
        """Drops results of incomplete checks, if there are too many, that the last checks did not use."""
        self._begun += 1
        if self._new_bytes > MAX_NEW_BYTES:
            oldest = self._begun - MAX_UNUSED_CHECKS
            for key in [key for key in self._new if self._last_uses[key][1] < oldest]:
                self._drop(key)

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, or None if they do not exist or were dropped."""
        found: bytes | None = self._get(key)
        return found

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes for a key, replacing earlier ones."""
        self._put(key, data, len(data))

    def get_object(self, key: bytes) -> Any:
        """See `ObjectStore`."""
        return self._get(_OBJECT + key)

    def put_object(self, key: bytes, result: object, size: int) -> None:
        """See `ObjectStore`."""
        self._put(_OBJECT + key, result, size)

    def stored_bytes(self) -> int:
        """Returns the number of bytes of all results."""
        return sum(size for _, size in self._entries.values())

    def _get(self, key: bytes) -> Any:
        found = self._entries.get(key)
        if found is None:
            return None
        self._last_uses[key] = self._checks, self._begun
        return found[0]

    def _put(self, key: bytes, result: object, size: int) -> None:
        if key in self._new:
            self._new_bytes -= self._entries[key][1]
        self._entries[key] = result, size
        self._last_uses[key] = self._checks, self._begun
        self._new[key] = None
        self._new_bytes += size

    def end_check(self) -> None:
        """Drops what the last checks did not use.

        A check in which nothing was new does not count: it uses only the stored report.
        """
        if not self._new:
            return
        oldest = self._checks - MAX_UNUSED_CHECKS
        self._checks += 1
        self._new.clear()
        self._new_bytes = 0
        for key in [key for key, (last, _) in self._last_uses.items() if last < oldest]:
            self._drop(key)

    def _drop(self, key: bytes) -> None:
        _, size = self._entries.pop(key)
        del self._last_uses[key]
        if key in self._new:
            del self._new[key]
            self._new_bytes -= size


class MemoryCache(Cache):
    """Stores the results about the packages of repeated checks."""

    def __init__(self) -> None:
        super().__init__(None)
        self._stores: dict[tuple[str, str], RecentStore] = {}
        self._checked: set[tuple[str, str]] = set()

    def store_for(self, package: Package) -> Store:
        """Returns the store for the results about a package."""
        key = (package.name, package.manifest_path)
        self._checked.add(key)
        store = self._stores.setdefault(key, RecentStore())
        store.begin_check()
        return store

    def end_check(self) -> None:
        """Drops what the last checks did not use, and everything about packages that no longer exist."""
        self._stores = {key: store for key, store in self._stores.items() if key in self._checked}
        self._checked.clear()
        for store in self._stores.values():
            store.end_check()
