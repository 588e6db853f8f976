"""Results that are kept in memory from one check to the next, as long as they are used."""

from __future__ import annotations

from extlint.cache.cache import Cache
from extlint.cache.store import Store
from extlint.package.files import Package

MAX_UNUSED_CHECKS = 4
"""The number of checks that compute something new before a result that none of them uses is dropped."""

MAX_NEW_BYTES = 64 * 1024 * 1024
"""The bytes of new results that are kept until a check is complete; cancelled checks also have results."""


class RecentStore:
    """Stores the results about a package that one of the last checks used."""

    def __init__(self) -> None:
        self._entries: dict[bytes, bytes] = {}
        self._last_uses: dict[bytes, int] = {}
        self._new: dict[bytes, None] = {}
        self._new_bytes = 0
        self._checks = 0

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, or None if they do not exist or were dropped."""
        found = self._entries.get(key)
        if found is not None:
            self._last_uses[key] = self._checks
        return found

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes for a key, replacing earlier ones."""
        if key in self._new:
            self._new_bytes -= len(self._entries[key])
        self._entries[key] = data
        self._last_uses[key] = self._checks
        self._new[key] = None
        self._new_bytes += len(data)
        while self._new_bytes > MAX_NEW_BYTES:
            self._drop(next(iter(self._new)))

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
        for key in [key for key, last in self._last_uses.items() if last < oldest]:
            self._drop(key)

    def _drop(self, key: bytes) -> None:
        data = self._entries.pop(key)
        del self._last_uses[key]
        if key in self._new:
            del self._new[key]
            self._new_bytes -= len(data)


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
        return self._stores.setdefault(key, RecentStore())

    def end_check(self) -> None:
        """Drops what the last checks did not use, and everything about packages that no longer exist."""
        self._stores = {key: store for key, store in self._stores.items() if key in self._checked}
        self._checked.clear()
        for store in self._stores.values():
            store.end_check()
