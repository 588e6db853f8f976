"""The paths of files as CI systems look them up: relative to the top of the repository."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from extlint.package.files import Package
from extlint.text.positions import encoded

MAX_LEVELS_UP = 100
"""How many folders above the current one are looked at for the top of its repository."""


class Paths(Struct, frozen=True):
    """Paths relative to the folder `top`, with `/` between the parts; absolute for what is not below it.

    A file in an archive has the path of the archive before its own, as if that were a folder.
    """

    top: str
    current: str

    def folder(self, package: Package) -> str:
        """What stands before the path of each file of a package; empty, or with a `/` at its end."""
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


def of_repository() -> Paths:
    """Paths in the repository of the current folder; where there is none, in the current folder."""
    current = Path.cwd()
    folders = (current, *current.parents[:MAX_LEVELS_UP])
    top = next((each for each in folders if (each / ".git").exists()), current)
    return Paths(str(top), str(current))


def of_current_folder() -> Paths:
    """Paths in the current folder."""
    current = os.getcwd()
    return Paths(current, current)


def address_of(package: Package, path: str) -> str | None:
    """The URI of a file of a package; None if it is none on the disk, but in an archive."""
    paths = of_current_folder()
    place = os.path.normpath(os.path.join(paths.current, package.name))
    if os.path.isfile(place):
        return None
    return uri(f"{place.replace(os.sep, '/')}/{path}")


def is_relative(path: str) -> bool:
    """Whether a path of `Paths` is relative."""
    return not Path(path).is_absolute()


def uri(path: str) -> str:
    """A path of `Paths` as a URI reference. A byte that is no UTF-8 in a file's name is escaped as it is."""
    if is_relative(path):
        return quote(encoded(path))
    return "file://" + quote(encoded(path if path.startswith("/") else f"/{path}"), safe="/:")
