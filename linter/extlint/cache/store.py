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

    def __init__(self, kept: Mapping[bytes, bytes] | None = None, below: Store | None = None) -> None:
        self.kept = dict(kept or {})
        self._below = below

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, here or in the backing store."""
        found = self.kept.get(key)
        return self._below.get(key) if found is None and self._below is not None else found

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes here and in the backing store."""
        self.kept[key] = data
        if self._below is not None:
            self._below.put(key, data)
