"""The files below a folder on disk."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, islice
from operator import attrgetter
from posixpath import dirname
from stat import S_ISREG
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.package import limits
from extlint.package.discovery.tree import package_of
from extlint.package.disk import (
    LinksOnDisk,
    entries_in,
    is_below,
    is_folder,
    mode_of,
    read_file,
    size_of,
    unreadable,
)
from extlint.package.failures import raise_if_cancelled
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.package.limits import LeftOut, Why, is_finder_file
from extlint.package.suffixes import CODE, has_suffix
from extlint.package.surroundings import DiskSurroundings

if TYPE_CHECKING:
    from extlint.package.disk import Entry

SKIPPED = frozenset({".bzr", ".git", ".hg", ".jj", ".svn", "CVS", "_darcs", "node_modules"})
"""Folders that are skipped because tools, not extension authors, put files in them."""


_CHECKED = (*CODE, ".json")
"""Suffixes of files that extlint checks, so that an out-of-folder link to one is reported."""


class _Folder(Struct, frozen=True):
    """A folder still to be walked, with the real folders from which links led to it."""

    path: str
    depth: int
    linked_from: tuple[str, ...] = ()

    @property
    def is_linked(self) -> bool:
        return bool(self.linked_from)


class FolderTree:
    """The files below a folder, each read on demand.

    Links are followed if their target is inside the folder: a linked file is listed under the link's name,
    and so are the files of a linked folder, unless the link forms a loop or its folder contains an extension.
    Folders in `SKIPPED` are not walked. `contents` overrides the files on disk at its paths. `unreadable` has
    the folders below that could not be listed, `left_out` what was not examined. A file in a folder that was
    not walked is not listed, but it can still be read by its path.
    """

    packed = False
    top_folder = ""

    def __init__(
        self, root: str | os.PathLike[str], name: str, contents: Mapping[str, bytes] | None = None
    ) -> None:
        """Walks the folder. Raises UnreadableError if it cannot be listed."""
        self.name = name
        self.root = os.path.realpath(root)
        self._base = self.root.rstrip(os.sep) + os.sep
        self.unreadable: list[UnreadableError] = []
        self.left_out: list[LeftOut] = []
        self._contents = contents or {}
        self._not_walked: set[str] = set()
        self._links: dict[str, str] = {}
        self._targets = dict(self._walk())
        self._targets.update(dict.fromkeys(self._contents))

    @property
    def paths(self) -> Collection[str]:
        """The files that are listed."""
        return self._targets.keys()

    def read(self, path: str) -> bytes:
        """Returns the bytes of a file, listed or not. Raises UnreadableError."""
        if path in self._contents:
            return self._contents[path]
        return read_file(self._base + path, self._display_path(path))

    def size(self, path: str) -> int:
        """Returns the size of a listed file in bytes, or 0 if the disk does not report it."""
        if path in self._contents:
            return len(self._contents[path])
        try:
            return size_of(self._base + path)
        except (OSError, ValueError):
            return 0

    def holds(self, folder: str, path: str) -> bool:
        """Whether a folder contains a file at a path below it, without a link leading out of that folder."""
        full = folder + path
        if full in self._targets:
            target = self._targets[full]
            return target is None or is_below(target, self._base + folder)
        if not self._is_below_unwalked(full):
            return False
        is_plain = "\\" not in path and not any(part in ("", ".", "..") for part in path.split("/"))
        return is_plain and self._target(folder, path) is not None

    @property
    def file_links(self) -> LinksOnDisk | None:
        """The links among the files, or None without any."""
        if not self._links:
            return None
        return LinksOnDisk(self._base, self._links, self._targets)

    def around(self, folder: str) -> DiskSurroundings:
        """Returns the project around a folder, which may extend above this tree."""
        return DiskSurroundings(os.path.normpath(os.path.join(self.root, folder)))

    def _is_below_unwalked(self, path: str) -> bool:
        """Whether a path leads into a folder that was skipped. All other files are listed."""
        above = dirname(path) if self._not_walked and not path.startswith("/") else ""
        while above and above not in self._not_walked:
            above = dirname(above)
        return above in self._not_walked

    def _target(self, folder: str, path: str) -> str | None:
        """Returns the regular file that a path below a folder leads to, or None unless it is in there."""
        try:
            target = os.path.realpath(self._base + folder + path)
            if not is_below(target, self._base + folder):
                return None
            try:
                return target if S_ISREG(mode_of(target)) else None
            except PermissionError:
                return target  # reading it reports why it is unreadable
        except (OSError, ValueError):
            return None

    def _display_path(self, path: str) -> str:
        return path if self.name == "." else f"{self.name.rstrip('/')}/{path}"

    def _walk(self) -> Iterator[tuple[str, str | None]]:
        """Yields each file's path, with the real path of the target if a link leads to it."""
        left = deque([_Folder("", 0)])
        count = linked = 0
        while left:
            raise_if_cancelled()
            folder = left.popleft()
            entries = self._first_entries(folder.path, limits.MAX_FILES - count)
            count += len(entries)
            linked += len(entries) if folder.is_linked else 0
            if folder.is_linked and (
                linked > limits.MAX_LINKED_FILES or any(each.name == MANIFEST for each in entries)
            ):
                self._not_walked.add(folder.path.rstrip("/"))
                continue
            for entry in entries:
                path = folder.path + entry.name
                if is_finder_file(path):
                    continue
                if entry.is_symlink():
                    yield from self._follow_link(path, folder, left)
                elif entry.is_file(follow_symlinks=False):
                    yield path, self._target("", path) if folder.is_linked else None
                elif not entry.is_dir(follow_symlinks=False):
                    self.left_out.append(LeftOut(path, Why.NO_FILE))
                elif entry.name in SKIPPED:
                    self._not_walked.add(path)
                elif folder.depth >= limits.MAX_DEPTH:
                    self._not_walked.add(path)
                    self.left_out.append(LeftOut(path, Why.DEPTH))
                else:
                    left.append(_Folder(path + "/", folder.depth + 1, folder.linked_from))

    def _follow_link(self, path: str, folder: _Folder, left: deque[_Folder]) -> Iterator[tuple[str, str]]:
        """Yields the file that a link leads to. Queues a linked folder to be walked."""
        real = self._links[path] = os.path.realpath(self._base + path)
        target = self._target("", path)
        if target is not None:
            yield path, target
            return
        self._not_walked.add(path)
        here = (*folder.linked_from, os.path.realpath(self._base + folder.path))
        is_loop = any(is_below(each + os.sep, real.rstrip(os.sep) + os.sep) for each in here)
        if is_below(real, self._base) and not is_loop and len(here) <= limits.MAX_LINKS and is_folder(real):
            self._not_walked.discard(path)
            left.append(_Folder(path + "/", folder.depth + 1, here))
        elif not is_below(real, self._base) and (is_folder(real) or has_suffix(path, _CHECKED)):
            self.left_out.append(LeftOut(path, Why.LINK_OUT))

    def _first_entries(self, folder: str, room: int) -> list[Entry]:
        """Returns the first `room` entries of a folder by name, and records the rest as left out."""
        entries = iter(self._entries(folder))
        found = list(islice(entries, room + 1))
        if len(found) > room:
            from heapq import nsmallest

            found = nsmallest(room, chain(found, entries), key=attrgetter("name"))
            self._not_walked.add(folder.rstrip("/"))
            self.left_out.append(LeftOut(f"{folder}…", Why.FILES))
        found.sort(key=attrgetter("name"))
        return found

    def _entries(self, folder: str) -> Iterator[Entry]:
        try:
            yield from entries_in(self._base + folder)
        except OSError as error:
            if not folder:
                raise unreadable(self.name, error) from None
            self._not_walked.add(folder.rstrip("/"))
            self.unreadable.append(unreadable(self._display_path(folder.rstrip("/")), error))


def open_folder(root: str | os.PathLike[str], name: str) -> Package:
    """Opens a package named `name` of all files in a folder.

    Raises UnreadableError if the folder, or one below it, cannot be listed. Files are read on demand.
    """
    tree = FolderTree(root, name)
    if tree.unreadable:
        raise tree.unreadable[0]
    return package_of(tree)
