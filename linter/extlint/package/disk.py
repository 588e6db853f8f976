"""Reads from the disk: regular files only, up to a limit, never blocking, and functions on its paths.

A check may replace the texts of files by unsaved ones: all functions here act as if these were on the disk.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from io import FileIO
from stat import S_IFDIR, S_IFREG, S_ISREG
from typing import TypeAlias

from extlint.package import limits
from extlint.package.files import TooLargeError, UnreadableError


def with_slashes(path: str) -> str:
    """Returns a path with `/` between its parts, as users and packages write it."""
    return path.replace(os.sep, "/")


def with_parents(folder: str) -> Iterator[str]:
    """Yields a path and the folders above it, the nearest first."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def is_in(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or is below it."""
    top = os.path.normcase(folder).rstrip(os.sep)
    return os.path.normcase(path) == top or os.path.normcase(path).startswith(top + os.sep)


def below(path: str, folder: str) -> str:
    """Returns an absolute path relative to a folder."""
    return with_slashes(os.path.relpath(path, folder))


def is_below(path: str, folder: str) -> bool:
    """Whether a real path is below a real folder, which ends in a separator."""
    return os.path.normcase(path).startswith(os.path.normcase(folder))


class LinksOnDisk:
    """The links below a folder on disk.

    `base` is the folder's real path, ending in a separator. `links` maps each link to the real path it leads
    to, and `targets` each listed file to its real path if a link leads to it.
    """

    def __init__(self, base: str, links: Mapping[str, str], targets: Mapping[str, str | None]) -> None:
        self._base = base
        self._links = links
        self._targets = targets

    def links(self, folder: str) -> Mapping[str, str]:
        """Returns listed files below a folder that links lead to, each with its own path in that folder."""
        start = self._base + folder
        return {
            path[len(folder) :]: real[len(start) :].replace(os.sep, "/")
            for path, real in self._targets.items()
            if real is not None and path.startswith(folder) and is_below(real, start)
        }

    def leads_out(self, folder: str, path: str) -> bool:
        """Whether a link on the way to a path below a folder leads out of that folder."""
        steps = (folder + path).split("/")
        ways = ("/".join(steps[:length]) for length in range(folder.count("/") + 1, len(steps) + 1))
        return any(
            way in self._links and not is_below(self._links[way] + os.sep, self._base + folder)
            for way in ways
        )


# A FIFO opened without O_NONBLOCK waits for a writer, maybe forever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)

_unsaved: ContextVar[UnsavedFiles | None] = ContextVar("extlint_unsaved_files", default=None)


@contextmanager
def with_unsaved_files(files: UnsavedFiles) -> Iterator[None]:
    """Replaces the texts of files within the block, for the code of this thread."""
    before = _unsaved.set(files)
    try:
        yield
    finally:
        _unsaved.reset(before)


def is_file(path: str) -> bool:
    """Whether a path leads to a regular file."""
    return _unsaved_text(path) is not None or os.path.isfile(path)


def is_certainly_no_file(path: str) -> bool:
    """Whether a path leads to no regular file. False if texts are replaced, perhaps by another path."""
    return _unsaved.get() is None and not os.path.isfile(path)


def is_folder(path: str) -> bool:
    """Whether a path leads to a folder."""
    unsaved = _unsaved.get()
    return os.path.isdir(path) or (unsaved is not None and unsaved.has_folder(path))


def exists(path: str) -> bool:
    """Whether there is anything at a path, also a link that leads to nothing."""
    return os.path.lexists(path) or _unsaved_text(path) is not None or is_folder(path)


def mode_of(path: str) -> int:
    """Returns the mode of what a path leads to, which has its type. Raises OSError and ValueError."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        if _unsaved_text(path) is not None:
            return S_IFREG
        if is_folder(path):
            return S_IFDIR
        raise


def size_of(path: str) -> int:
    """Returns the size of a file in bytes, without reading it. Raises OSError and ValueError."""
    text = _unsaved_text(path)
    return os.stat(path).st_size if text is None else len(text)


def entries_in(folder: str) -> Iterator[Entry]:
    """Yields the files, folders and others in a folder, in any order. Raises OSError."""
    unsaved = _unsaved.get()
    names = set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.add(entry.name)
                yield entry
    except FileNotFoundError:
        if unsaved is None or not unsaved.has_folder(folder):
            raise
    if unsaved is not None:
        yield from (each for each in unsaved.entries(folder) if each.name not in names)


def unsaved_paths_below(folder: str) -> Iterable[str]:
    """Returns the paths of the files below a folder whose texts are replaced."""
    unsaved = _unsaved.get()
    return () if unsaved is None else unsaved.below(folder)


def _unsaved_text(path: str) -> bytes | None:
    unsaved = _unsaved.get()
    return None if unsaved is None else unsaved.text(path)


def open_file(path: str, name: str) -> FileIO:
    """Opens a regular file for reading, following links.

    Raises UnreadableError, which names the file as `name`, if it does not exist, may not be read, or
    is a folder, a FIFO or a device.
    """
    try:
        descriptor = os.open(path, _FLAGS)
        if S_ISREG(os.fstat(descriptor).st_mode):
            return FileIO(descriptor)
        os.close(descriptor)
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None
    raise UnreadableError(f"cannot read {name}: it is not a regular file")


def read_file(path: str, name: str, at_most: int | None = None) -> bytes:
    """Returns the bytes of a regular file, or the first `at_most` of them.

    Raises UnreadableError as `open_file` does, and TooLargeError if the entire file has more than
    `limits.MAX_FILE_BYTES` bytes.
    """
    text = _unsaved_text(path)
    if text is not None:
        if at_most is None and len(text) > limits.MAX_FILE_BYTES:
            raise _too_large(name)
        return text if at_most is None else text[:at_most]
    with open_file(path, name) as stream:
        try:
            size = os.fstat(stream.fileno()).st_size
            if at_most is None and size > limits.MAX_FILE_BYTES:
                raise _too_large(name)
            return stream.read(size if at_most is None else min(size, at_most))
        except OSError as error:
            raise unreadable(name, error) from None


def _too_large(name: str) -> TooLargeError:
    return TooLargeError(f"{name} is larger than {limits.mebibytes(limits.MAX_FILE_BYTES)}")


def unreadable(name: str, error: OSError | ValueError) -> UnreadableError:
    """Returns the error with a sentence for a system error about a file or folder."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return UnreadableError(f"no such file or folder: {name}")
    reason = error.strerror if isinstance(error, OSError) else None
    return UnreadableError(f"cannot read {name}: {(reason or 'the name is not valid').lower()}")


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


Entry: TypeAlias = "os.DirEntry[str] | UnsavedEntry"


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
