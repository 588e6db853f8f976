"""Answers in files, which many processes may read and write at once.

Each answer is a file of its own. It is written beside its place and then moved there, so that nobody reads
half of it, and begins with a digest of the rest, so that what is damaged is ignored.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from io import FileIO
from pathlib import Path

from extlint.cache.values import digest_of
from extlint.package.disk import read_file
from extlint.package.files import UnreadableError

MAX_BYTES = 256 * 1024 * 1024
"""Bytes of the disk that all answers take."""

MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""Bytes of one answer; a larger one is not kept."""

FOLDERS = 32
"""Folders over which the files are spread; each has the same share of `MAX_BYTES`."""

_SHARE = MAX_BYTES // FOLDERS
_KEPT_SHARE = 0.75
"""What is left of a folder's share when its oldest files are deleted."""

_UNCOUNTED = 32
"""Of so many small answers one makes its folder be counted. Which one, its name says."""

_SMALL_BYTES = 64 * 1024
_BLOCK_BYTES = 4096

_LEVEL = 1
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_SUFFIX = ".answer"


class DiskStore:
    """Keeps answers in a folder. `owner` tells programs apart: what one keeps is not there for another."""

    def __init__(self, folder: Path, owner: bytes) -> None:
        self._folder = str(folder)
        self._owner = owner
        self._written = 0
        self._is_writable = True

    def get(self, key: bytes) -> bytes | None:
        """What is kept by a key; None where nothing is, or what is there is damaged."""
        name, folder = self._place(key)
        path = f"{folder}{os.sep}{name.hex()}{_SUFFIX}"
        try:
            found = _unpacked(name, read_file(path, path, _SHARE))
        except UnreadableError:
            return None
        if found is not None:
            with suppress(OSError):
                os.utime(path)
        return found

    def put(self, key: bytes, data: bytes) -> None:
        """Keeps an answer, and deletes the oldest where there are too many."""
        if not self._is_writable or len(data) > MAX_ANSWER_BYTES:
            return
        name, folder = self._place(key)
        packed = _packed(name, data)
        if len(packed) > _SHARE // 2:
            return
        self._written += 1
        path = f"{folder}{os.sep}{name.hex()}"
        beside = f"{path}.{os.getpid()}.{self._written}"
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if name[-1] % _UNCOUNTED == 0 or len(packed) > _SMALL_BYTES:
                _trim(folder, len(packed))
            descriptor = os.open(beside, _NEW, 0o600)
            with FileIO(descriptor, "wb") as stream:
                stream.write(packed)
            os.replace(beside, path + _SUFFIX)
        except OSError:
            self._is_writable = False
            _delete(beside)
        except BaseException:
            _delete(beside)
            raise

    def _place(self, key: bytes) -> tuple[bytes, str]:
        """The digest that names the file for a key, and the folder that it is in."""
        name = digest_of(self._owner, key)
        return name, f"{self._folder}{os.sep}{name[0] % FOLDERS:02x}"


def _packed(name: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data, _LEVEL)
    return digest_of(name, packed) + packed


def _unpacked(name: bytes, data: bytes) -> bytes | None:
    length = len(name)
    if digest_of(name, data[length:]) != data[:length]:
        return None
    try:
        stream = zlib.decompressobj()
        found = stream.decompress(data[length:], MAX_ANSWER_BYTES)
    except zlib.error:
        return None
    return found if stream.eof else None


def _trim(folder: str, size: int) -> None:
    """Deletes the files of a folder that were not used for longest, if there is no room for another."""
    with os.scandir(folder) as entries:
        files = [(each.stat(follow_symlinks=False), each.path) for each in entries]
    total = sum(_on_disk(each.st_size) for each, _ in files) + _on_disk(size)
    if total <= _SHARE:
        return
    files.sort(key=lambda file: file[0].st_mtime_ns)
    for each, path in files:
        if total <= _SHARE * _KEPT_SHARE:
            return
        total -= _on_disk(each.st_size) if _delete(path) else 0


def _on_disk(size: int) -> int:
    return -(-size // _BLOCK_BYTES) * _BLOCK_BYTES


def _delete(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
