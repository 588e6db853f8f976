"""Texts that replace those of files on the disk, or that are at the paths of files yet to be written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from extlint.package.paths import with_parents


class UnsavedEntry:
    """A file or folder that is not on the disk, with the methods of `os.DirEntry` that a search uses."""

    def __init__(self, folder: str, name: str, *, is_file: bool) -> None:
        self.name = name
        self.path = os.path.join(folder, name)
        self._is_file = is_file

    def is_symlink(self) -> bool:
        """Whether it is a link, which it never is."""
        return False

    def is_file(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002
        """Whether it is a file."""
        return self._is_file

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002
        """Whether it is a folder."""
        return not self._is_file


class UnsavedFiles:
    """The texts by the paths of their files, and the folders on these paths.

    A file is found by each of its paths: links are resolved.
    """

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts: dict[str, bytes] = {}
        self._names: dict[str, dict[str, bool]] = {}
        self._real_folders: dict[str, str] = {}
        for path, text in texts.items():
            for known in dict.fromkeys((os.path.abspath(path), os.path.realpath(path))):
                self._texts[os.path.normcase(known)] = text
                inner, is_file = known, True
                for folder in with_parents(os.path.dirname(known)):
                    self._names.setdefault(os.path.normcase(folder), {})[os.path.basename(inner)] = is_file
                    inner, is_file = folder, False

    def text(self, path: str) -> bytes | None:
        """Returns the text of a file, or None if it has only that on the disk."""
        place = os.path.abspath(path)
        found = self._texts.get(os.path.normcase(place))
        if found is None:
            real = os.path.realpath(place) if os.path.islink(place) else self._real_path(place)
            found = self._texts.get(os.path.normcase(real))
        return found

    def has_folder(self, path: str) -> bool:
        """Whether a path is a folder on the way to a file."""
        return self._key(path) in self._names

    def entries(self, folder: str) -> Iterator[UnsavedEntry]:
        """Yields the files and folders in a folder, whether they are also on the disk or not."""
        for name, is_file in self._names.get(self._key(folder), {}).items():
            yield UnsavedEntry(folder, name, is_file=is_file)

    def below(self, folder: str) -> Iterator[str]:
        """Yields the paths of the files below a folder."""
        for each in self.entries(folder):
            if each.is_file():
                yield each.path
            else:
                yield from self.below(each.path)

    def _key(self, folder: str) -> str:
        place = os.path.abspath(folder)
        key = os.path.normcase(place)
        return key if key in self._names else os.path.normcase(os.path.realpath(place))

    def _real_path(self, place: str) -> str:
        folder, name = os.path.split(place)
        if folder not in self._real_folders:
            self._real_folders[folder] = os.path.realpath(folder)
        return os.path.join(self._real_folders[folder], name)
