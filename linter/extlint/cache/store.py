"""Storage for results: bytes by the digest of their key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Store(Protocol):
    """Stores bytes, and may lose them. Never raises."""

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, or None if they do not exist or were lost."""
        ...

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes for a key, replacing earlier ones."""
        ...


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
