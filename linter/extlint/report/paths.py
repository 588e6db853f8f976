"""The paths of files as CI systems resolve them: relative to the top of the repository."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from extlint.package.files import Package
from extlint.text.positions import encode_name

MAX_LEVELS_UP = 100
"""Folders above the current one that are searched for the top of its repository."""


class Paths(Struct, frozen=True):
    """Paths relative to the folder `top`, with `/` between the parts. Paths outside of it are absolute.

    The path of a file in an archive begins with that of the archive, as if that were a folder.
    """

    top: str
    current: str

    def folder(self, package: Package) -> str:
        """Returns the prefix of the path of each file of a package. It is empty or ends in `/`."""
        absolute = os.path.normpath(os.path.join(self.current, package.name))
        try:
            found = os.path.relpath(absolute, self.top)
        except ValueError:  # on another drive
            found = os.pardir
        if found == os.curdir:
            return ""
        if found.split(os.sep, 1)[0] == os.pardir:
            found = absolute
        return found.replace(os.sep, "/").rstrip("/") + "/"


def repository_paths() -> Paths:
    """Returns paths in the current folder's repository, or in that folder outside of a repository."""
    current = Path.cwd()
    folders = (current, *current.parents[:MAX_LEVELS_UP])
    top = next((each for each in folders if (each / ".git").exists()), current)
    return Paths(str(top), str(current))


def current_folder_paths() -> Paths:
    """Returns paths in the current folder."""
    current = os.getcwd()
    return Paths(current, current)


def address_of(package: Package, path: str) -> str | None:
    """Returns the URI of a file of a package, or None if it is in an archive."""
    paths = current_folder_paths()
    place = os.path.normpath(os.path.join(paths.current, package.name))
    if os.path.isfile(place):
        return None
    return uri(f"{place.replace(os.sep, '/')}/{path}")


def is_relative(path: str) -> bool:
    """Whether a path of `Paths` is relative."""
    return not Path(path).is_absolute()


def uri(path: str) -> str:
    """Returns a path of `Paths` as a URI reference, with invalid UTF-8 bytes percent-encoded."""
    if is_relative(path):
        return quote(encode_name(path))
    quoted = quote(encode_name(path), safe="/:")
    if path.startswith("//"):  # a shared folder of Windows, whose server is the host
        return f"file:{quoted}"
    return f"file://{quoted}" if path.startswith("/") else f"file:///{quoted}"
