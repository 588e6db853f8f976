"""The files below a folder of the disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from posixpath import dirname
from stat import S_ISREG

from extlint.package import limits
from extlint.package.disk import read_file, unreadable
from extlint.package.files import Package, UnreadableError
from extlint.package.surroundings import DiskSurroundings
from extlint.package.tree import whole

SKIPPED = frozenset({".bzr", ".git", ".hg", ".jj", ".svn", "CVS", "_darcs", "node_modules"})
"""Folders that are not walked into: they hold what tools put beside an extension."""


class FolderTree:
    """The files below a folder, each read when it is asked for.

    Linked folders are not walked into, nor those in `SKIPPED`; a linked file is listed if it lies in
    the folder itself. `contents` takes the place of what the disk has at those paths. `unreadable`
    tells of the folders below that could not be listed.
    """

    packed = False

    def __init__(self, root: Path, name: str, contents: Mapping[str, bytes] | None = None) -> None:
        """Walks the folder. Raises UnreadableError if it cannot be listed or exceeds the limits."""
        self.name = name
        self.root = Path(os.path.realpath(root))
        self._base = str(self.root).rstrip(os.sep) + os.sep
        self.unreadable: list[UnreadableError] = []
        self._contents = contents or {}
        self._not_walked: set[str] = set()
        self._targets = dict(self._walk())
        self._targets.update(dict.fromkeys(self._contents))

    @property
    def paths(self) -> Collection[str]:
        """The files that are listed."""
        return self._targets.keys()

    def read(self, path: str) -> bytes:
        """The bytes of a file, listed or not. Raises UnreadableError."""
        if path in self._contents:
            return self._contents[path]
        return read_file(self._base + path, self._called(path))

    def holds(self, folder: str, path: str) -> bool:
        """Whether a folder has a file at a path below it, which no link leads out of that folder."""
        full = folder + path
        if full in self._targets:
            target = self._targets[full]
            return target is None or _lies_in(target, self._base + folder)
        if "\\" in path or any(part in ("", ".", "..") for part in path.split("/")):
            return False
        return self._is_below_unwalked(full) and self._target(folder, path) is not None

    def around(self, folder: str) -> DiskSurroundings:
        """The project that a folder lies in, which may reach above this tree."""
        return DiskSurroundings(self.root / folder)

    def _is_below_unwalked(self, path: str) -> bool:
        """Whether a path leads into a folder that was not walked into; all other files are listed."""
        above = dirname(path) if self._not_walked else ""
        while above and above not in self._not_walked:
            above = dirname(above)
        return above != ""

    def _target(self, folder: str, path: str) -> str | None:
        """The regular file that a path below a folder leads to; None unless there is one in that folder."""
        try:
            target = os.path.realpath(self._base + folder + path)
            if not _lies_in(target, self._base + folder):
                return None
            try:
                return target if S_ISREG(Path(target).stat().st_mode) else None
            except PermissionError:
                return target  # reading it says why it cannot be read
        except (OSError, ValueError):
            return None

    def _called(self, path: str) -> str:
        return path if self.name == "." else f"{self.name.rstrip('/')}/{path}"

    def _walk(self) -> Iterator[tuple[str, str | None]]:
        """Each file's path; for a link, with the file that it leads to."""
        left = [("", 0)]
        count = 0
        while left:
            folder, depth = left.pop()
            for entry in self._entries(folder):
                count += 1
                if count > limits.MAX_FILES:
                    raise UnreadableError(f"{self.name} holds more than {limits.MAX_FILES} files and folders")
                path = folder + entry.name
                if entry.is_symlink():
                    target = self._target("", path)
                    if target is not None:
                        yield path, target
                    else:
                        self._not_walked.add(path)
                elif entry.is_file(follow_symlinks=False):
                    yield path, None
                elif not entry.is_dir(follow_symlinks=False):
                    continue
                elif entry.name in SKIPPED:
                    self._not_walked.add(path)
                else:
                    if depth == limits.MAX_DEPTH:
                        raise UnreadableError(
                            f"{self.name} holds more than {limits.MAX_DEPTH} folders inside each other"
                        )
                    left.append((path + "/", depth + 1))

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(self._base + folder) as entries:
                yield from entries
        except OSError as error:
            if not folder:
                raise unreadable(self.name, error) from None
            self._not_walked.add(folder.rstrip("/"))
            self.unreadable.append(unreadable(self._called(folder.rstrip("/")), error))


def _lies_in(path: str, folder: str) -> bool:
    """Whether a real path lies below a real folder, which ends with a separator."""
    return os.path.normcase(path).startswith(os.path.normcase(folder))


def open_folder(root: Path, name: str) -> Package:
    """All files of a folder as one package, known as `name`.

    Raises UnreadableError if the folder, or one below it, cannot be listed, or if there are more files
    than `limits` allows. Files are read when the package is asked for them.
    """
    tree = FolderTree(root, name)
    if tree.unreadable:
        raise tree.unreadable[0]
    return whole(tree)
