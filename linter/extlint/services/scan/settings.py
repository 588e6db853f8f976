"""The settings of a scan, and the packages that it is about, in shards named by what decides their rows."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import encode

from extlint import __version__
from extlint.package.files import MANIFEST, UnreadableError
from extlint.package.limits import MEBIBYTE
from extlint.package.suffixes import ARCHIVES, has_suffix
from extlint.processes.contained import ProcessLimits
from extlint_schemas import versions_of_facts

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem


_WILD = frozenset("*?[")
_LISTS = (".txt", ".csv", ".parquet")
_REVISIONS = ("ETag", "etag", "md5Hash", "generation", "LastModified", "last_modified", "mtime")
"""The properties that change with the content of a file, in the file systems of fsspec."""


class Source(Struct, frozen=True, order=True):
    """An archive or a folder with an extension.

    `address` is a path, or an address for fsspec. `size` is its size in bytes, if known, and `revision` a
    text that changes with its content, as far as the file system provides one.
    """

    address: str
    size: int | None = None
    revision: str = ""
    is_folder: bool = False


def find_sources(given: Sequence[str], column: str = "address") -> list[Source]:
    """Returns the sources at addresses, sorted, each once.

    `column` is the column of tables that has addresses. Raises UnreadableError.
    """
    found: dict[str, Source] = {}
    for address in given:
        for each in _found_at(address, column):
            found[each.address] = each
    return [found[address] for address in sorted(found)]


def choose(sources: Sequence[Source], sample: int | None, limit: int | None) -> Sequence[Source]:
    """Returns a sample of sources, the same for the same addresses, and of these at most `limit`."""
    if sample is not None and sample < len(sources):
        by_hash = sorted(sources, key=lambda each: sha256(each.address.encode()).digest())
        sources = sorted(by_hash[:sample])
    return sources if limit is None else sources[:limit]


def is_remote(address: str) -> bool:
    """Whether an address is not a path."""
    return "://" in address


def file_system_of(address: str) -> tuple[AbstractFileSystem, str]:
    """Returns the file system of a remote address, and the path in it. Raises UnreadableError."""
    from fsspec.core import url_to_fs

    try:
        found: tuple[AbstractFileSystem, str] = url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise UnreadableError(f"cannot read {address}: {error}") from None
    return found


def _found_at(address: str, column: str) -> Iterator[Source]:
    if has_suffix(address, _LISTS):
        for each in _listed(address, column):
            yield from _found_at(each, column) if _is_path_of_folder(each) else iter([_source(each)])
    elif is_remote(address):
        yield from _found_remotely(address)
    elif not _WILD.isdisjoint(address) and not os.path.exists(address):
        from glob import glob

        matches = sorted(glob(address, recursive=True))
        if not matches:
            raise UnreadableError(f"{address} matches nothing")
        for each in matches:
            yield from _found_on_disk(each)
    else:
        yield from _found_on_disk(address)


def _is_path_of_folder(address: str) -> bool:
    return not is_remote(address) and os.path.isdir(address)


def _found_on_disk(path: str) -> Iterator[Source]:
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise UnreadableError(f"{path} does not exist")
        yield _source(path)
        return
    for folder, folders, files in os.walk(path):
        if MANIFEST in files:
            folders.clear()
            yield _source(folder)
            continue
        for name in files:
            if has_suffix(name, ARCHIVES):
                yield _source(os.path.join(folder, name))


def _source(address: str) -> Source:
    """Returns the source at an address; whether it exists is seen when it is read."""
    if is_remote(address):
        return Source(address)
    try:
        if os.path.isdir(address):
            return Source(address, None, _revision_of_folder(address), True)
        status = os.stat(address)
    except OSError:
        return Source(address)
    return Source(address, status.st_size, str(status.st_mtime_ns))


def _revision_of_folder(path: str) -> str:
    digest = sha256()
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files):
            status = os.lstat(os.path.join(folder, name))
            digest.update(f"{folder}/{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _found_remotely(address: str) -> Iterator[Source]:
    if address.startswith(("http://", "https://")):
        yield Source(address)
        return
    system, path = file_system_of(address)
    try:
        is_pattern = not _WILD.isdisjoint(path)
        found = system.glob(path, detail=True) if is_pattern else system.find(path, detail=True)
    except (OSError, ValueError) as error:
        raise UnreadableError(f"cannot list {address}: {error}") from None
    named = {name: info for name, info in found.items() if is_pattern or has_suffix(name, ARCHIVES)}
    if not named:
        raise UnreadableError(f"{address} has no packages")
    for name, info in named.items():
        yield Source(system.unstrip_protocol(name), info.get("size"), _revision(info))


def _revision(info: dict[str, Any]) -> str:
    return next((str(info[key]) for key in _REVISIONS if info.get(key) is not None), "")


def _listed(address: str, column: str) -> Iterable[str]:
    """Returns the addresses in a file: one in each line, or in a column. Paths are relative to the file."""
    import fsspec

    try:
        if address.endswith(".parquet"):
            values = _column_of_parquet(address, column)
        else:
            with fsspec.open(address, "rt", encoding="utf-8-sig", newline="") as stream:
                values = _column_of_csv(stream, column) if address.endswith(".csv") else _lines(stream)
    except KeyError:
        raise UnreadableError(f"{address} has no column {column}; name it with --column") from None
    except (OSError, ValueError, csv.Error) as error:
        raise UnreadableError(f"cannot read {address}: {error}") from None
    folder = "" if is_remote(address) else os.path.dirname(address)
    return [each if is_remote(each) else os.path.join(folder, each) for each in values]


def _lines(stream: Iterable[str]) -> list[str]:
    lines = (line.strip() for line in stream)
    return [line for line in lines if line and not line.startswith("#")]


def _column_of_csv(stream: Iterable[str], column: str) -> list[str]:
    rows = csv.DictReader(stream)
    if column not in (rows.fieldnames or ()):
        raise KeyError(column)
    return [row[column] for row in rows if row[column]]


def _column_of_parquet(address: str, column: str) -> list[str]:
    import fsspec
    from pyarrow import parquet

    with fsspec.open(address, "rb") as stream:
        found = parquet.read_table(stream, columns=[column]).column(column).to_pylist()
    return [each for each in found if each]


MAX_OUTPUT_BYTES = 256 * MEBIBYTE
"""Bytes of the rows of one package."""

WALL_SECONDS_PER_CPU_SECOND = 5
"""A package may take this many times its processor time, as other programs may use the processor."""


class CheckSettings(Struct, frozen=True):
    """The settings of each check, as on the command line; they decide the rows, and so name a shard.

    `config_name` and `config` are the name and text of a configuration file, which applies to all packages.
    `timeout` is the processor
    time of one package in seconds, `memory` its memory in bytes, and `max_size` the bytes of an archive.
    """

    target: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    config_name: str = "extlint.toml"
    config: str = ""
    timeout: int = 60
    memory: int = 1024 * MEBIBYTE
    max_size: int = 512 * MEBIBYTE

    @property
    def limits(self) -> ProcessLimits:
        """The limits of the process that checks one package."""
        wall = self.timeout * WALL_SECONDS_PER_CPU_SECOND
        return ProcessLimits(self.timeout, wall, self.memory, MAX_OUTPUT_BYTES)


DEFAULT_SIZE = 100
"""Packages of a shard, on average."""

MAX_RATIO = 4
"""A shard has at most this many times the packages of an average one."""

_NAME_CHARACTERS = 24


class Shard(Struct, frozen=True):
    """Some packages, and the settings of their checks."""

    name: str
    sources: tuple[Source, ...]
    settings: CheckSettings


def divided(sources: Sequence[Source], settings: CheckSettings, size: int = DEFAULT_SIZE) -> Iterator[Shard]:
    """Yields the shards of sorted sources.

    The address of a package decides whether a shard ends with it, so a new package changes only its own.
    """
    part: list[Source] = []
    for each in sources:
        part.append(each)
        if _hash(each.address) % size == 0 or len(part) >= MAX_RATIO * size:
            yield _shard(part, settings)
            part = []
    if part:
        yield _shard(part, settings)


def _shard(sources: Sequence[Source], settings: CheckSettings) -> Shard:
    digest = sha256(encode((__version__, versions_of_facts(), settings, sources)))
    return Shard(digest.hexdigest()[:_NAME_CHARACTERS], tuple(sources), settings)


def _hash(address: str) -> int:
    return int.from_bytes(sha256(address.encode()).digest()[:8], "big")
