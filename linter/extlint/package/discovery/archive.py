"""The files in an archive: .zip, .xpi (which is a zip) or .crx.

Nothing in an archive is trusted. Its directory is read up to a limit, and each file only if it has the length
and checksum that the directory states. A file that is encrypted, or compressed with a method other than
deflate, cannot be read. An entry whose name leads out of the archive is left out, and so are entries beyond
the limits.

A package of Chromium (.crx) is a header with keys and signatures, followed by a zip. Chromium's sources
define the format, in `components/crx_file` (`crx3.proto` describes version 3, whose header is one block;
version 2 has a public key and a signature). Numbers are little-endian.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from errno import EINVAL
from io import BytesIO
from stat import S_ISLNK
from typing import BinaryIO, TypeGuard

from msgspec import Struct

from extlint.package import limits
from extlint.package.discovery.zip_directory import DamagedError, ZipRecord, zip_records
from extlint.package.disk import open_file, unreadable
from extlint.package.files import MANIFEST, TooLargeError, UnreadableError
from extlint.package.limits import LeftOut, Why, is_finder_file
from extlint.text.patterns import lazy

_MAGIC = b"Cr24"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")


def check_crx(stream: BinaryIO, name: str) -> None:
    """Checks that a stream contains a header followed by a zip. Signatures are not verified.

    Raises UnreadableError, which names the file as `name`, if it does not; OSError if the disk fails.
    """
    stream.seek(0)
    start = stream.read(16)
    if not start.startswith(_MAGIC):
        raise UnreadableError(f"{name} is not a .crx file: it does not begin with Cr24")
    if len(start) < 16:
        raise UnreadableError(f"{name} is truncated")
    version, first, second = struct.unpack_from("<III", start, 4)
    if version == 2:
        offset = 16 + first + second
    elif version == 3:
        offset = 12 + first
    else:
        raise UnreadableError(
            f"{name} has version {version} of the .crx format; versions 2 and 3 can be read"
        )
    stream.seek(offset)
    if stream.read(4) not in _ZIP_STARTS:
        raise UnreadableError(f"{name} is truncated or damaged: no zip follows its header")


_ENCRYPTED = 0x1 | 0x40
_PATCH = 0x20
_STORED, _DEFLATED = 0, 8
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_DRIVE = lazy(r"[A-Za-z]:")

_DAMAGE = (ValueError, EOFError, ArithmeticError, LookupError, struct.error, zlib.error)
"""The exceptions of the standard library for invalid or malicious data."""


class _Entry(Struct, frozen=True):
    """A file in an archive: the offset of its local header, its sizes in bytes, and its checksum.

    `problem` is the reason why it cannot be read, or None.
    """

    offset: int
    packed: int
    size: int
    checksum: int
    deflated: bool
    problem: str | None


class ArchiveSurroundings:
    """The entire archive, around the folder of an extension in it."""

    def __init__(self, archive: ArchiveTree, folder: str) -> None:
        self.folder = folder
        self._archive = archive

    def has(self, path: str) -> bool:
        """Whether the archive has a file at a path."""
        return self._archive.holds("", path)

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file. Raises UnreadableError."""
        return self._archive.read(path)

    def folders(self, folder: str) -> Sequence[str]:
        """Returns the names of the folders in a folder, sorted."""
        return sorted({path.partition("/")[0] for path in self._below(folder) if "/" in path})

    def files(self, folder: str) -> Sequence[str]:
        """Returns the names of the files in a folder, sorted."""
        return sorted(path for path in self._below(folder) if "/" not in path)

    def _below(self, folder: str) -> Iterator[str]:
        start = f"{folder.rstrip('/')}/" if folder else ""
        return (path[len(start) :] for path in self._archive.paths if path.startswith(start))


class ArchiveTree:
    """The files in an archive, each unpacked on request; the archive is not kept open.

    The last one of several entries with the same name counts. If all files are in one top folder, which has a
    manifest, that folder is `top_folder`, and paths are relative to it. `left_out` are the entries that are
    not among the files.
    """

    packed = True
    file_links = None

    def __init__(self, archive: str | os.PathLike[str] | bytes, name: str) -> None:
        """Reads the directory of an archive, from its path or its content. Raises UnreadableError."""
        self.name = name
        self._archive = archive if isinstance(archive, bytes) else os.fspath(archive)
        self.left_out: list[LeftOut] = []
        with self._open() as stream:
            try:
                if (name if isinstance(self._archive, bytes) else self._archive).lower().endswith(".crx"):
                    check_crx(stream, name)
                records = zip_records(stream, limits.MAX_LISTING_BYTES)
                entries: dict[str, _Entry] = {}
                for path, entry in self._list_entries(records, stream.seek(0, 2)):
                    if path in entries:
                        self.left_out.append(LeftOut(path, Why.REPEATED))
                    entries[path] = entry
            except (DamagedError, *_DAMAGE, OSError) as error:
                raise self._failure(error, stream) from None
        self.top_folder = _top_folder(entries)
        self._entries = {path.removeprefix(self.top_folder): each for path, each in entries.items()}

    @property
    def paths(self) -> Collection[str]:
        """The files in the archive."""
        return self._entries.keys()

    def size(self, path: str) -> int:
        """Returns the unpacked size of a file in the archive in bytes; 0 for any other path."""
        return self._entries[path].size if path in self._entries else 0

    def holds(self, folder: str, path: str) -> bool:
        """Whether a folder has a file at a path below it."""
        return folder + path in self._entries

    def around(self, folder: str) -> ArchiveSurroundings:
        """Returns the archive as the surroundings of a folder in it."""
        return ArchiveSurroundings(self, folder)

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file. Raises UnreadableError if it is missing, damaged or too large."""
        entry = self._entries.get(path)
        name = f"{self.name}/{path}"
        if entry is None:
            raise UnreadableError(f"no such file: {name}")
        if entry.problem is not None:
            raise UnreadableError(f"{name} {entry.problem}")
        if max(entry.size, entry.packed) > limits.MAX_FILE_BYTES:
            raise TooLargeError(f"{name} is larger than {limits.mebibytes(limits.MAX_FILE_BYTES)}")
        try:
            data = self._unpacked(entry)
        except (*_DAMAGE, OSError) as error:
            if _is_system_error(error):
                raise unreadable(self.name, error) from None
            data = None
        if data is None or len(data) != entry.size or zlib.crc32(data) != entry.checksum:
            raise UnreadableError(f"{name} is damaged")
        return data

    def _unpacked(self, entry: _Entry) -> bytes | None:
        """Returns the bytes of an entry, at most one more than its size, or None if they are missing."""
        with self._open() as stream:
            stream.seek(entry.offset)
            mark, name_length, extra_length = _LOCAL_HEADER.unpack(stream.read(_LOCAL_HEADER.size))
            stream.seek(name_length + extra_length, 1)
            packed = stream.read(entry.packed)
        if mark != b"PK\x03\x04" or len(packed) != entry.packed:
            return None
        if not entry.deflated:
            return packed
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        data = inflate.decompress(packed, entry.size + 1)
        return data if inflate.eof else None

    def _open(self) -> BinaryIO:
        if isinstance(self._archive, bytes):
            return BytesIO(self._archive)
        return open_file(self._archive, self.name)

    def _list_entries(self, records: Iterable[ZipRecord | None], length: int) -> Iterator[tuple[str, _Entry]]:
        """Yields the entries by path in an archive of this length, up to the limits."""
        most = min(limits.MAX_ARCHIVE_BYTES, max(limits.EXPANSION_FROM_BYTES, limits.MAX_EXPANSION * length))
        for count, record in enumerate(records):
            if record is None:
                self.left_out.append(LeftOut("…", Why.ENTRIES))
                return
            path = _inner_path(record.name)
            if path == "":
                continue
            most -= record.size
            why = _reason_left_out(record, path, count, most)
            if why is None:
                yield path or record.name, _entry(record)
            else:
                self.left_out.append(LeftOut(record.name, why))
            if why is Why.SIZE:
                most += record.size

    def _failure(self, error: Exception, stream: BinaryIO) -> UnreadableError:
        if _is_system_error(error):
            return unreadable(self.name, error)
        stream.seek(0)
        if stream.read(4) in (b"PK\x03\x04", b"Cr24"):
            return UnreadableError(f"{self.name} is truncated or damaged")
        return UnreadableError(f"{self.name} is not a zip archive")


def _is_system_error(error: Exception) -> TypeGuard[OSError]:
    """Whether an error is from the operating system, and not caused by an invalid offset."""
    return isinstance(error, OSError) and error.errno != EINVAL


def _inner_path(name: str) -> str | None:
    """Returns the path of an entry; empty if it is not a file of the extension, or None if outside."""
    parts = name.split("/")
    if ".." in parts or name.startswith("/") or _DRIVE.match(name):
        return None
    path = "/".join(part for part in parts if part not in ("", "."))
    return "" if parts[-1] in ("", ".") or is_finder_file(path) else path


def _reason_left_out(record: ZipRecord, path: str | None, count: int, size_left: int) -> Why | None:
    """Returns why an entry is not a file of the extension, or None if it is."""
    if path is None:
        return Why.LEADS_OUT
    if "\\" in record.name or "\0" in record.name:
        return Why.NO_PATH
    if S_ISLNK(record.attributes >> 16):
        return Why.LINK
    if path.count("/") >= limits.MAX_DEPTH:
        return Why.DEPTH
    if count >= limits.MAX_ENTRIES and path != MANIFEST:
        return Why.ENTRIES
    return Why.SIZE if size_left < 0 else None


def _entry(record: ZipRecord) -> _Entry:
    problem = None
    if record.flags & _ENCRYPTED:
        problem = "is encrypted: it requires a password"
    elif record.flags & _PATCH or record.method not in (_STORED, _DEFLATED):
        problem = "is packed in a way that browsers cannot read"
    deflated = record.method == _DEFLATED
    return _Entry(record.offset, record.packed, record.size, record.checksum, deflated, problem)


def _top_folder(paths: Collection[str]) -> str:
    """Returns the folder of all of these files and a manifest, with a trailing `/`, or an empty string."""
    tops = {path.partition("/")[0] for path in paths}
    top = tops.pop() + "/" if len(tops) == 1 else ""
    return top if top + MANIFEST in paths else ""
