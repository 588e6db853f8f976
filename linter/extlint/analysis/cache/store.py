"""Storage for results: bytes by the digest of their key, and the digests of the values in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from extlint.queries.database import Database

if TYPE_CHECKING:
    from extlint.queries.stored import Results, StoredKey


_SCALARS = frozenset({str, int, float, bool, type(None), bytes})
_DIGEST_BYTES = 16

ValueT = TypeVar("ValueT")


class CanonicalValues:
    """Makes equal values one object. Values that it has seen stay alive as long as it does."""

    def __init__(self) -> None:
        self._by_key: dict[object, Any] = {}
        self._canonical: dict[int, Any] = {}
        self._digests: dict[int, bytes] = {}
        self._alive: list[object] = []

    def intern(self, item: ValueT) -> ValueT:
        """Returns the only object for all equal to `item`; dictionaries with another order are different."""
        if _is_plain(item):
            return item
        for each in _parts_first(item, self._canonical):
            keys = [_key(part, self._canonical) for part in _parts_of(each)]
            key = (type(each), *(keys if type(each) is not frozenset else (frozenset(keys),)))
            found = self._by_key.get(key)
            if found is None:
                found = self._by_key[key] = _with_canonical_parts(each, self._canonical)
                self._canonical[id(found)] = found
            self._canonical[id(each)] = found
            self._alive.append(each)
        found_item: ValueT = self._canonical[id(item)]
        return found_item

    def digest(self, item: object) -> bytes:
        """Returns a digest of a value: the same for every equal value, in any process, and for no other."""
        canonical = self.intern(item)
        if _is_plain(canonical):
            return digest_of(_text(canonical))
        for each in _parts_first(canonical, self._digests):
            parts = (
                digest_of(_text(part)) if _is_plain(part) else self._digests[id(part)]
                for part in _parts_of(each)
            )
            ordered = sorted(parts) if isinstance(each, frozenset) else parts
            self._digests[id(each)] = digest_of(type(each).__name__.encode(), *ordered)
        return self._digests[id(canonical)]


def digest_of(*parts: bytes) -> bytes:
    """Returns a digest of some bytes that depends on the end of each part."""
    hasher = _hasher()(digest_size=_DIGEST_BYTES)
    for each in parts:
        hasher.update(b"%d:" % len(each))
        hasher.update(each)
    digest: bytes = hasher.digest()
    return digest


@cache
def _hasher() -> Callable[..., Any]:
    """Returns the hash function, which is loaded only if something is stored."""
    from hashlib import blake2b

    return blake2b


def _parts_first(item: object, known: Mapping[int, object]) -> Iterator[Any]:
    """Yields the values in a value that are not known yet, each after its own parts."""
    waiting = [item]
    while waiting:
        top = waiting[-1]
        if id(top) in known:
            waiting.pop()
            continue
        new = [part for part in _parts_of(top) if not _is_plain(part) and id(part) not in known]
        if new:
            waiting += new
        else:
            yield waiting.pop()


def _is_plain(item: object) -> bool:
    """Whether a value has only strings, numbers and similar parts, and is compared by its text."""
    if type(item) is tuple:
        return all(type(each) in _SCALARS for each in item)
    if type(item) is frozenset:
        return all(map(_is_plain, item))
    return type(item) in _SCALARS or isinstance(item, Enum)


def _parts_of(item: Any) -> tuple[Any, ...]:
    """Returns the parts of a value."""
    if isinstance(item, Struct):
        return astuple(item)
    if isinstance(item, Mapping):
        return (*item.keys(), *item.values())
    if isinstance(item, tuple | frozenset):
        return tuple(item)
    raise TypeError(f"{type(item).__name__} is not a value that scripts share")


def _key(part: Any, known: Mapping[int, Any]) -> object:
    return _text(part) if _is_plain(part) else id(known[id(part)])


def _text(item: Any) -> bytes:
    """Returns a text that distinguishes plain values: 1, 1.0 and True, and also 0.0 and -0.0."""
    if isinstance(item, Enum):
        return f"{type(item).__name__}.{item.name}".encode()
    if type(item) is frozenset:
        return b"{%b}" % b",".join(sorted(map(_text, item)))
    return repr(item).encode("ascii", "backslashreplace")


def _with_canonical_parts(item: Any, known: Mapping[int, Any]) -> Any:
    """Returns the same value with canonical parts."""
    parts = _parts_of(item)
    own = tuple(part if _is_plain(part) else known[id(part)] for part in parts)
    if all(one is other for one, other in zip(own, parts, strict=True)):
        return item
    if isinstance(item, Struct):
        return type(item)(*own)
    if isinstance(item, Mapping):
        return dict(zip(own[: len(item)], own[len(item) :], strict=True))
    return type(item)(own)


class Store(Protocol):
    """Stores bytes, and may lose them. Never raises."""

    def get(self, key: bytes) -> bytes | None:
        """Returns the bytes stored for a key, or None if they do not exist or were lost."""
        ...

    def put(self, key: bytes, data: bytes) -> None:
        """Stores bytes for a key, replacing earlier ones."""
        ...


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


def results_in(store: Store | Database) -> Results:
    """Returns the results of queries in a store."""
    return store if isinstance(store, Database) else _EncodedResults(store)


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
