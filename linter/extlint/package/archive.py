"""The files in an archive: .zip, .xpi (which is a zip) or .crx.

Nothing in an archive is trusted. Its directory is read up to a limit, and each file only if it has the
length and checksum that the directory states. What browsers refuse is refused: encryption, any
compression other than deflate, names that lead out of the archive.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from errno import EINVAL
from io import BufferedReader
from pathlib import Path
from stat import S_ISLNK
from typing import TypeGuard
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from msgspec import Struct

from extlint.package import limits
from extlint.package.crx import check_crx
from extlint.package.disk import open_file, unreadable
from extlint.package.files import MANIFEST, Package, TooLargeError, UnreadableError
from extlint.package.tree import package_of
from extlint.text.patterns import lazy

_ENCRYPTED = 0x1 | 0x40
_PATCH = 0x20
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_DRIVE = lazy(r"[A-Za-z]:")

# Finder adds this folder to the archives that it makes.
_FINDER = "__MACOSX/"

_DAMAGE = (
    BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    EOFError,
    ArithmeticError,
    LookupError,
    struct.error,
    zlib.error,
)
"""Everything that the standard library raises on broken or malicious archives."""


class _Entry(Struct, frozen=True):
    """Where an archive holds a file: offset of its local header, sizes in bytes, and checksum."""

    offset: int
    packed: int
    size: int
    checksum: int
    deflated: bool


class ArchiveSurroundings:
    """The whole archive, around the folder of an extension in it."""

    def __init__(self, archive: ArchiveTree, folder: str) -> None:
        self.folder = folder
        self._archive = archive

    def has(self, path: str) -> bool:
        """Whether the archive has a file at a path."""
        return self._archive.holds("", path)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError if it is damaged or too large."""
        return self._archive.read(path)

    def folders(self, folder: str) -> Sequence[str]:
        """The names of the folders in a folder, sorted."""
        return sorted({path.partition("/")[0] for path in self._below(folder) if "/" in path})

    def files(self, folder: str) -> Sequence[str]:
        """The names of the files in a folder, sorted."""
        return sorted(path for path in self._below(folder) if "/" not in path)

    def _below(self, folder: str) -> Iterator[str]:
        start = f"{folder.rstrip('/')}/" if folder else ""
        return (path[len(start) :] for path in self._archive.paths if path.startswith(start))


class ArchiveTree:
    """The files in an archive, each unpacked when it is asked for; the archive is not kept open.

    Links are left out. Of two entries with one name the last counts. If all files are in one top
    folder, which has a manifest, that folder is the place that paths are relative to.
    """

    packed = True
    file_links = None

    def __init__(self, archive: Path, name: str) -> None:
        """Reads the archive's directory. Raises UnreadableError if it cannot be, or exceeds the limits."""
        self.name = name
        self._archive = str(archive)
        with open_file(self._archive, name) as raw, _Bounded(raw) as stream:
            try:
                if archive.suffix.lower() == ".crx":
                    check_crx(stream, name)
                infos = _directory(stream)
                length = stream.seek(0, 2)
            except _TooLargeError:
                raise UnreadableError(f"{name} has more than {limits.MAX_ENTRIES} entries") from None
            except (*_DAMAGE, OSError) as error:
                raise self._failure(error, stream) from None
        self._check(infos, length)
        self._entries = _without_top_folder(self._listed(infos))

    @property
    def paths(self) -> Collection[str]:
        """The files in the archive."""
        return self._entries.keys()

    def size(self, path: str) -> int:
        """How many bytes a file has once it is unpacked, as the archive's directory says."""
        return self._entries[path].size

    def holds(self, folder: str, path: str) -> bool:
        """Whether a folder has a file at a path below it."""
        return folder + path in self._entries

    def around(self, folder: str) -> ArchiveSurroundings:
        """The archive, as what a folder in it lies in."""
        return ArchiveSurroundings(self, folder)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError if it is damaged or too large."""
        entry = self._entries[path]
        name = f"{self.name}/{path}"
        if max(entry.size, entry.packed) > limits.MAX_FILE_BYTES:
            raise TooLargeError(f"{name} is larger than {limits.mebibytes(limits.MAX_FILE_BYTES)}")
        try:
            data = self._unpacked(entry)
        except (*_DAMAGE, OSError) as error:
            if _is_of_the_disk(error):
                raise unreadable(self.name, error) from None
            data = None
        if data is None or len(data) != entry.size or zlib.crc32(data) != entry.checksum:
            raise UnreadableError(f"{name} is damaged")
        return data

    def _unpacked(self, entry: _Entry) -> bytes | None:
        """The bytes of an entry, at most one more than its size; None if they are not there."""
        with open_file(self._archive, self.name) as stream:
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

    def _check(self, infos: Sequence[ZipInfo], length: int) -> None:
        if len(infos) > limits.MAX_ENTRIES:
            raise UnreadableError(f"{self.name} has more than {limits.MAX_ENTRIES} entries")
        total = sum(info.file_size for info in infos)
        if total > limits.MAX_ARCHIVE_BYTES:
            size = limits.mebibytes(limits.MAX_ARCHIVE_BYTES)
            raise UnreadableError(f"{self.name} unpacks to more than {size}")
        if total > max(limits.EXPANSION_FROM_BYTES, limits.MAX_EXPANSION * length):
            raise UnreadableError(f"{self.name} unpacks to more than {limits.MAX_EXPANSION} times its size")

    def _listed(self, infos: Iterable[ZipInfo]) -> dict[str, _Entry]:
        entries = {}
        for info in infos:
            path = self._inner_path(info)
            if path is None or S_ISLNK(info.external_attr >> 16):
                continue
            self._refuse_if_unusual(info, path)
            entries[path] = _Entry(
                info.header_offset,
                info.compress_size,
                info.file_size,
                info.CRC,
                info.compress_type == ZIP_DEFLATED,
            )
        return entries

    def _inner_path(self, info: ZipInfo) -> str | None:
        """Where an entry lies in the archive; None if it is a folder, or nothing of the extension's."""
        for name in (info.orig_filename, info.filename):
            parts = name.split("/")
            if ".." in parts or name.startswith("/") or "\\" in name or "\0" in name or _DRIVE.match(name):
                raise UnreadableError(f"{self.name} has an entry with a path outside the archive: {name}")
            if len(parts) > limits.MAX_DEPTH:
                raise UnreadableError(f"{self.name} contains more than {limits.MAX_DEPTH} levels of folders")
        path = "/".join(part for part in parts if part not in ("", "."))
        return None if not path or parts[-1] in ("", ".") or path.startswith(_FINDER) else path

    def _refuse_if_unusual(self, info: ZipInfo, path: str) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableError(f"{self.name} is encrypted: {path} requires a password")
        if info.flag_bits & _PATCH or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise UnreadableError(f"{self.name} is packed in a way that browsers cannot read: {path}")

    def _failure(self, error: Exception, stream: BufferedReader) -> UnreadableError:
        if _is_of_the_disk(error):
            return unreadable(self.name, error)
        stream.seek(0)
        if stream.read(4) in (b"PK\x03\x04", b"Cr24"):
            return UnreadableError(f"{self.name} is truncated or damaged")
        return UnreadableError(f"{self.name} is not a zip archive")


def _is_of_the_disk(error: Exception) -> TypeGuard[OSError]:
    """Whether an error is the system's, and not that of an offset which no file can have."""
    return isinstance(error, OSError) and error.errno != EINVAL


class _TooLargeError(Exception):
    pass


class _Bounded(BufferedReader):
    """A stream that refuses to read very much at once, as for the directory of a large archive."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > limits.MAX_LISTING_BYTES:
            raise _TooLargeError
        return super().read(size)


def _directory(stream: BufferedReader) -> Sequence[ZipInfo]:
    with ZipFile(stream) as archive:
        return archive.infolist()


def _without_top_folder(entries: dict[str, _Entry]) -> dict[str, _Entry]:
    tops = {path.partition("/")[0] for path in entries}
    top = tops.pop() + "/" if len(tops) == 1 else ""
    if top + MANIFEST not in entries:
        return entries
    return {path.removeprefix(top): entry for path, entry in entries.items()}


def open_archive(path: Path, name: str) -> Package:
    """All files of an archive as one package, known as `name`; whether it is a .crx tells its suffix.

    Raises UnreadableError if it is no archive, is damaged or encrypted, exceeds `limits`, or has an
    entry whose name is no path inside it. Files are unpacked when the package is asked for them.
    """
    return package_of(ArchiveTree(path, name))
