"""Finds the files that Git tracks, according to its index: https://git-scm.com/docs/index-format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from extlint.package.files import GIT_INDEX, Package, UnreadableError

_HEADER = 12
_MODE_AT = 24
_HASH_AT = 40
_IS_EXTENDED = 0x4000
_SUBMODULE = 0o160000
_HASHES = (20, 32)
"""Lengths in bytes of SHA-1 and SHA-256. The index does not state which of them it uses."""


class BrokenIndexError(ValueError):
    """Bytes that are not a valid index."""


def tracked_files(package: Package) -> frozenset[str]:
    """Returns the paths that Git tracks in the project around a package; none outside of a repository."""
    around = package.around
    if around is None or package.packed or not around.has(GIT_INDEX):
        return frozenset()
    try:
        return tracked_paths(around.read(GIT_INDEX))
    except UnreadableError:
        return frozenset()


def tracked_paths(data: bytes) -> frozenset[str]:
    """Returns the paths in an index, or an empty set if it is not an index.

    A submodule's path ends in `/`.
    """
    for size in _HASHES:
        try:
            return frozenset(_entries(data, size))
        except BrokenIndexError:
            continue
    return frozenset()


def _entries(data: bytes, hash_size: int) -> Iterator[str]:
    version = int.from_bytes(data[4:8])
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise BrokenIndexError
    at, name = _HEADER, b""
    for _ in range(int.from_bytes(data[8:12])):
        start, at = at, at + _HASH_AT + hash_size
        flags = int.from_bytes(data[at : at + 2])
        at += 4 if flags & _IS_EXTENDED else 2
        prefix_length = 0
        if version == 4:
            removed, at = _number(data, at)
            prefix_length = len(name) - removed
        end = data.find(b"\0", at)
        mode = int.from_bytes(data[start + _MODE_AT : start + _MODE_AT + 4])
        if end < at or prefix_length < 0 or not mode:
            raise BrokenIndexError
        name = name[:prefix_length] + data[at:end]
        at = end + 1 if version == 4 else start + ((end - start) // 8 + 1) * 8
        yield name.decode("utf-8", "surrogateescape") + ("/" if mode == _SUBMODULE else "")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Reads a variable-length number, and returns it with its end."""
    value = 0
    for index in count(at):
        if index >= len(data) or index > at + 9:
            raise BrokenIndexError
        value = (value << 7) | (data[index] & 0x7F)
        if not data[index] & 0x80:
            return value, index + 1
        value += 1
    raise BrokenIndexError
