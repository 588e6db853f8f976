"""Writes and reads archives. The same files produce the same bytes."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_TIME = (1985, 10, 26, 8, 15, 0)
_SECONDS = 499162500
"""The time of all files, which is the one that npm uses. ZIP cannot store times before 1980."""


class File(NamedTuple):
    """A file of an archive, with its path in it."""

    path: str
    content: bytes
    is_program: bool = False

    @property
    def mode(self) -> int:
        """The permissions of the file."""
        return 0o755 if self.is_program else 0o644


def files_of_folder(folder: Path, prefix: str) -> Iterator[File]:
    """Returns the files of a folder, sorted, with their paths below a prefix."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            is_program = bool(path.stat().st_mode & stat.S_IXUSR)
            yield File(f"{prefix}/{path.relative_to(folder).as_posix()}", path.read_bytes(), is_program)


def files_of_archive(path: Path) -> Iterator[File]:
    """Returns the files of an archive that this module wrote."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                is_program = bool(entry.external_attr >> 16 & stat.S_IXUSR)
                yield File(entry.filename, archive.read(entry), is_program)
    else:
        with tarfile.open(path) as tar:
            for member in tar:
                content = tar.extractfile(member)
                assert content is not None
                yield File(member.name, content.read(), bool(member.mode & stat.S_IXUSR))


def write_archive(path: Path, files: Iterable[File]) -> None:
    """Writes an archive whose format is that of its name: `.zip`, `.tar.gz` or `.tgz`."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for each in files:
                entry = zipfile.ZipInfo(each.path, _TIME)
                entry.create_system = 3  # with the permissions of Unix
                entry.external_attr = (stat.S_IFREG | each.mode) << 16
                archive.writestr(entry, each.content, zipfile.ZIP_DEFLATED, 9)
        return
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for each in files:
            member = tarfile.TarInfo(each.path)
            member.size, member.mode, member.mtime = len(each.content), each.mode, _SECONDS
            tar.addfile(member, io.BytesIO(each.content))


def extract_archive(path: Path, folder: Path) -> None:
    """Writes the files of an archive that this module wrote to a folder."""
    for each in files_of_archive(path):
        target = folder / each.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(each.content)
        target.chmod(each.mode)
