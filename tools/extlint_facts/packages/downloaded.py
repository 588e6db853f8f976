"""Finds pinned packages in a folder: archives made by npm, or unpacked packages."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

from extlint_facts.packages.pin import PackageError, Pin

_NAME = "package.json"


def find(pin: Pin, folder: Path) -> Path:
    """Returns the archive or folder of a pinned package. Raises PackageError.

    An archive must have the pinned hash. An unpacked package has no hash: its name and version must match.
    """
    archives = (each for each in sorted(folder.glob("*.tgz")) if _is_package(each, pin))
    unpacked = (each for each in _package_folders(folder) if _is_package(each, pin))
    if archive := next(archives, None):
        return pin.check(archive)
    if there := next(unpacked, None):
        return there
    raise PackageError(f"{folder} does not have {pin}")


def read_member(package: Path, member: str) -> str:
    """Returns the text of a file in a package, an archive or a folder.

    Raises PackageError if it does not exist.
    """
    if package.is_dir():
        file = package / member
        if file.is_file():
            return file.read_text(encoding="utf-8")
    else:
        with tarfile.open(package) as opened:
            for entry in opened:
                is_it = entry.name.partition("/")[2] == member
                if is_it and (content := opened.extractfile(entry)) is not None:
                    return content.read().decode("utf-8")
    raise PackageError(f"{package.name} has no file {member}")


def _is_package(package: Path, pin: Pin) -> bool:
    try:
        metadata = json.loads(read_member(package, _NAME))
    except (PackageError, ValueError, tarfile.TarError):
        return False
    is_object = isinstance(metadata, dict)
    return is_object and (metadata.get("name"), metadata.get("version")) == (pin.package, pin.version)


def _package_folders(folder: Path) -> Iterator[Path]:
    """Yields possible folders of unpacked packages: the folder, and those in it, as in `node_modules`."""
    for depth in range(4):
        yield from (each.parent for each in sorted(folder.glob("*/" * depth + _NAME)))
