"""Finds the folders of a search that Git ignores, and parses patterns in the syntax of `.gitignore`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from extlint.package.disk import read_file
from extlint.package.files import UnreadableError
from extlint.package.git_index import tracked_paths
from extlint.package.limits import MAX_SNIFFED_BYTES
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import decode

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_STARS = 5
"""Stars in one part of a pattern. A pattern with more is ignored, as matching it may take very long."""

_TOO_MANY_STARS = lazy(rf"(?:\*[^/*]+){{{MAX_STARS},}}\*")
_ALL_INSIDE = lazy(r"(?<=/)\*\*(?=/?\s*\Z)", re.ASCII)
"""Git matches only the contents of a folder, but the library also matches the folder."""


def parse_patterns(data: bytes) -> GitIgnoreSpec:
    """Parses the patterns in a file. Skips invalid lines, like Git."""
    return compile_patterns(decode(data).decode("utf-8", "replace").splitlines())


def compile_patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """Compiles these patterns, skipping invalid ones."""
    from pathspec import GitIgnoreSpec

    comparable = [_ALL_INSIDE.sub("**/*", line) for line in lines if not _TOO_MANY_STARS.search(line)]
    try:
        return GitIgnoreSpec.from_lines(comparable)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in comparable if _is_valid(line))


def _is_valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


_GIT = ".git"
_GIT_IGNORE = ".gitignore"


class GitIgnores:
    """The paths that Git ignores below a folder.

    Applies the `.gitignore` files from the repository's root down, and its `info/exclude`; without a
    repository, those from the folder down. If the folder itself is ignored, nothing in it counts as ignored,
    as the user named it explicitly. Tracked files are never ignored, whatever the patterns say. The user's
    global patterns, outside the repository, are not applied, so that the result is the same for every user.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def has(self, path: str) -> bool:
        """Whether Git ignores a file at a path below the folder."""
        return not self._is_ignored_itself and self._is_ignored(self._folder / path)

    @cached_property
    def _is_ignored_itself(self) -> bool:
        return self._top != self._folder and self._is_ignored(self._folder)

    @cached_property
    def _top(self) -> Path:
        """The root of the repository around the folder, or the folder itself outside of a repository."""
        above = (each for each in (self._folder, *self._folder.parents) if os.path.lexists(each / _GIT))
        return next(above, self._folder)

    def _is_ignored(self, file: Path) -> bool:
        """Whether a path, or a folder on the way to it, is ignored.

        A nested repository has its own rules.
        """
        repository = self._repository(self._top)
        inner: list[str] = []
        parts = file.relative_to(self._top).parts
        for number, part in enumerate(parts, 1):
            inner.append(part)
            path = "/".join(inner)
            here = repository.root / path
            is_folder = number < len(parts) or here.is_dir()
            if repository.ignores(f"{path}/" if is_folder else path):
                return not repository.tracks(here, file)
            if is_folder and os.path.lexists(here / _GIT):
                repository = self._repository(here)
                inner.clear()
        return False

    @cached_method
    def _repository(self, root: Path) -> _Repository:
        return _Repository(root)


class _Repository:
    """The patterns and tracked files of one repository, each read on demand."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def ignores(self, path: str) -> bool:
        """Whether the last pattern that matches a path ignores it. A folder ends in `/`.

        Patterns of deeper folders come later, and those of `info/exclude` come first.
        """
        folder = path.rstrip("/")
        while folder:
            folder = folder.rpartition("/")[0]
            found = _verdict(self._spec(folder), path[len(folder) :].lstrip("/"))
            if found is not None:
                return found
        return bool(_verdict(self._user_excludes, path))

    def tracks(self, folder: Path, file: Path) -> bool:
        """Whether Git tracks a file, or a submodule in whose folder it is."""
        inner = file.relative_to(self.root).as_posix()
        module = f"{folder.relative_to(self.root).as_posix()}/"
        return inner in self._tracked or module in self._tracked

    @cached_method
    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        return _patterns(self.root / folder / _GIT_IGNORE)

    @cached_property
    def _user_excludes(self) -> GitIgnoreSpec | None:
        return _patterns(_common_folder(self._git) / "info" / "exclude")

    @cached_property
    def _tracked(self) -> frozenset[str]:
        return tracked_paths(_read(self._git / "index", None))

    @cached_property
    def _git(self) -> Path:
        """The folder with Git's files; in submodules and linked worktrees, a file `.git` names it."""
        place = self.root / _GIT
        named = _read(place, MAX_SNIFFED_BYTES) if place.is_file() else b""
        return self.root / os.fsdecode(named[8:].strip()) if named.startswith(b"gitdir: ") else place


def _common_folder(git: Path) -> Path:
    """Returns the folder that all worktrees of a repository share."""
    return git / os.fsdecode(_read(git / "commondir", MAX_SNIFFED_BYTES).strip() or b".")


def _verdict(spec: GitIgnoreSpec | None, path: str) -> bool | None:
    return None if spec is None else spec.check_file(path).include


def _patterns(file: Path) -> GitIgnoreSpec | None:
    data = _read(file, MAX_SNIFFED_BYTES)
    return parse_patterns(data) if data else None


def _read(file: Path, at_most: int | None) -> bytes:
    """Returns the bytes of a file, or empty bytes if it cannot be read."""
    try:
        return read_file(str(file), str(file), at_most)
    except UnreadableError:
        return b""
