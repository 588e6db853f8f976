"""Results in files, which many processes may read and write at once, of one version of extlint.

Each result has a file of its own. It is written next to its final path and then moved there, so that no
process reads half of it. It begins with a digest of the rest, so that damaged files are ignored.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from io import FileIO
from pathlib import Path

from extlint.analysis.cache.store import digest_of
from extlint.package.disk import read_file
from extlint.package.files import UnreadableError

MAX_BYTES = 256 * 1024 * 1024
"""The maximum disk space of all results, in bytes."""

MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""The maximum size of one result in bytes; a larger one is not stored."""

FOLDERS = 32
"""The number of folders that the files are spread over; each has the same share of `MAX_BYTES`."""

_SHARE = MAX_BYTES // FOLDERS
_KEPT_SHARE = 0.75
"""The part of a folder's share that remains after its oldest files are deleted."""

_UNCOUNTED = 32
"""One in this many small results, selected by its name, triggers a check of the size of its folder."""

_SMALL_BYTES = 64 * 1024
_BLOCK_BYTES = 4096

_LEVEL = 1
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_SUFFIX = ".answer"


class DiskStore:
    """Stores results in a folder. `owner` distinguishes programs: none sees the results of another."""

    def __init__(self, folder: Path, owner: bytes) -> None:
        self._folder = str(folder)
        self._owner = owner
        self._written = 0
        self._is_writable = True

    def get(self, key: bytes) -> bytes | None:
        """Returns the result stored for a key, or None if it does not exist or is damaged."""
        name, folder = self._location(key)
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
        """Stores a result, and deletes the oldest ones if there are too many."""
        if not self._is_writable or len(data) > MAX_ANSWER_BYTES:
            return
        name, folder = self._location(key)
        packed = _packed(name, data)
        if len(packed) > _SHARE // 2:
            return
        self._written += 1
        path = f"{folder}{os.sep}{name.hex()}"
        temporary_path = f"{path}.{os.getpid()}.{self._written}"
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if name[-1] % _UNCOUNTED == 0 or len(packed) > _SMALL_BYTES:
                _trim(folder, len(packed))
            descriptor = os.open(temporary_path, _NEW, 0o600)
            with FileIO(descriptor, "wb") as stream:
                stream.write(packed)
            os.replace(temporary_path, path + _SUFFIX)
        except FileNotFoundError:
            pass  # another run has deleted the file or its folder; the next result may be stored
        except OSError:
            self._is_writable = False
            _delete(temporary_path)
        except BaseException:
            _delete(temporary_path)
            raise

    def _location(self, key: bytes) -> tuple[bytes, str]:
        """Returns the digest that names the file for a key, and its folder."""
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
    """Deletes the least recently used files of a folder if it is too full for another one."""
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # another run has renamed or deleted it
                files.append((entry.stat(follow_symlinks=False), entry.path))
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


_OWN = ("extlint", "extlint_rules", "extlint_schemas")
_DEPENDENCIES = (
    "fastjsonschema",
    "jsonschema",
    "msgspec",
    "pathspec",
    "re2",
    "regress",
    "tree_sitter",
    "tree_sitter_javascript",
    "tree_sitter_typescript",
)
"""The packages that results depend on, in addition to Python itself."""

_GENERATED = frozenset({"__pycache__", ".cache"})


def engine_digest(folder: Path) -> bytes:
    """Returns a digest of extlint's files and the packages that it uses; stores these digests in a folder.

    A checkout changes without a new version, so the contents are compared. They are read again only if a file
    has a different size, time or path.
    """
    files = [each for name in _OWN for each in _files(name)]
    python = f"{sys.implementation.name} {sys.version} {sys.platform}".encode()
    files += [each for name in _DEPENDENCIES for each in _files(name, below=False)]
    shape = digest_of(python, *map(_file_stamp, files))
    store = DiskStore(folder, b"engine")
    found = store.get(shape)
    if found is None:
        found = digest_of(python, *map(_content, files))
        store.put(shape, found)
    return found


def _files(package: str, *, below: bool = True) -> Iterator[os.DirEntry[str]]:
    """Yields the files of an installed package in a stable order; without `below`, only those at its top."""
    spec = find_spec(package)
    waiting = [] if spec is None else sorted(spec.submodule_search_locations or ())
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for each in sorted(entries, key=lambda entry: entry.name):
                if each.is_file():
                    yield each
                elif below and each.name not in _GENERATED:
                    waiting.append(each.path)


def _file_stamp(file: os.DirEntry[str]) -> bytes:
    """Returns data that changes whenever a file changes."""
    found = file.stat()
    return f"{file.path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}".encode("utf-8", "replace")


def _content(file: os.DirEntry[str]) -> bytes:
    data = Path(file.path).read_bytes()
    return digest_of(file.name.encode("utf-8", "replace"), data)
