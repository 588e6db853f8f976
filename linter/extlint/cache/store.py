"""Where answers are kept: bytes by the digest of their key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Store(Protocol):
    """Keeps bytes; what it keeps it may lose. Never raises."""

    def get(self, key: bytes) -> bytes | None:
        """What is kept by a key, as it was put; None if nothing is, or not any more."""
        ...

    def put(self, key: bytes, data: bytes) -> None:
        """Keeps bytes by a key, in place of what it had."""
        ...


class MemoryStore:
    """Keeps what it is told for as long as it lives; `below` is asked for the rest, and told everything."""

    def __init__(self, kept: Mapping[bytes, bytes] | None = None, below: Store | None = None) -> None:
        self.kept = dict(kept or {})
        self._below = below

    def get(self, key: bytes) -> bytes | None:
        """What is kept by a key, here or below."""
        found = self.kept.get(key)
        return self._below.get(key) if found is None and self._below is not None else found

    def put(self, key: bytes, data: bytes) -> None:
        """Keeps bytes here and below."""
        self.kept[key] = data
        if self._below is not None:
            self._below.put(key, data)
