"""The project around an extension's folder.

Compilers and bundlers are configured above the manifest's folder, and their configuration determines which
file of the extension an import resolves to. Nothing there is checked, and nothing is part of the package.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import islice
from stat import S_ISREG
from typing import TYPE_CHECKING

from extlint.package.disk import (
    below,
    entries_in,
    exists,
    is_certainly_no_file,
    mode_of,
    read_file,
    with_parents,
    with_slashes,
)
from extlint.package.files import UnreadableError, bytes_of
from extlint.text.patterns import lazy

if TYPE_CHECKING:
    from extlint.package.disk import Entry
    from extlint.package.files import Surroundings

MAX_LEVELS = 10
"""Folders above an extension's folder that are examined."""

GITIGNORE = ".gitignore"
PACKAGE_JSON = "package.json"
XCODE_PROJECT = ".xcodeproj"
"""The suffix of the folder of an Xcode project."""

_RESOURCES = "/Resources"

COPIED_FOLDERS = frozenset({"public", "static"})
"""The names of folders whose contents builds copy, without the folder itself."""

OUTPUT_FOLDERS = frozenset(
    {
        ".output",
        "_build",
        "artifacts",
        "bin",
        "build",
        "dist",
        "out",
        "output",
        "release",
        "releases",
        "target",
    }
)
"""Names of folders to which builds write their output."""

CONFIGURATION_FOLDERS = ("", "build", "config", "scripts", "tools", "webpack")
"""Folders of a project that contain configurations of bundlers."""

CONFIGURATION = lazy(
    r"(?:bun|build|esbuild|rolldown|rollup|rspack|tsdown|tsup|vite|webpack)(?:[._-][\w.-]+)?\.[cm]?[jt]s"
)
"""The names of such configurations."""

_DOTS = frozenset({"", ".", ".."})
"""The parts of paths that mean something else to the system than to `realpath` if a folder is missing."""

_WORKSPACES = b'"workspaces"'
_NAMED = rb"(?<![\w.@/-])(?:\./%b(?![\w.-])|%b/)"
"""The pattern of a folder, or of a path in it, in a script."""

MAX_ENTRIES = 1_000
"""Files and folders of one folder that are examined."""


class DiskSurroundings:
    """The repository around a folder on disk: the folder with `.git`, else with the nearest `package.json`.

    A `package.json` above that one is the repository's if it has workspaces or names the other's folder.
    Without any of these, it is the folder with the Xcode project whose template has the folder. If the folder
    has no `.gitignore`, the nearest one above with it is the repository's: an archive has no `.git`.
    """

    def __init__(self, extension: str) -> None:
        self._extension = extension

    @cached_property
    def _root(self) -> str:
        above = list(islice(with_parents(self._extension), MAX_LEVELS + 1))
        found = next((each for each in above if os.path.lexists(os.path.join(each, ".git"))), None)
        if found is None:
            projects = [each for each in above if exists(os.path.join(each, PACKAGE_JSON))]
            project = (
                next(
                    (each for each in projects if _is_workspace_root(each, projects[0])),
                    next(iter(projects), None),
                )
                or _folder_of_xcode_project(self._extension)
                or self._extension
            )
            outer = islice(with_parents(project), MAX_LEVELS + 1)
            found = next((each for each in outer if exists(os.path.join(each, GITIGNORE))), project)
        return found

    @cached_property
    def folder(self) -> str:
        """The extension's folder below the project's root, ending in `/`, or empty if they are the same."""
        inner = below(self._extension, self._root)
        return "" if inner == "." else f"{inner}/"

    def has(self, path: str) -> bool:
        """Whether there is a regular file at a path below the root, without a link leading out of it."""
        return self._target(path) is not None

    def read(self, path: str) -> bytes:
        """Returns the bytes of such a file. Raises UnreadableError."""
        target = self._target(path)
        if target is None:
            raise UnreadableError(f"no such file or folder: {path}")
        return read_file(target, path)

    def folders(self, folder: str) -> Sequence[str]:
        """Returns the names of the folders in a folder below the root, sorted.

        At most `MAX_ENTRIES` entries are read.
        """
        return self._listed(folder, lambda entry: entry.is_dir(follow_symlinks=False))

    def files(self, folder: str) -> Sequence[str]:
        """Returns the names of the files in a folder below the root, sorted.

        At most `MAX_ENTRIES` entries are read.
        """
        return self._listed(folder, lambda entry: entry.is_file(follow_symlinks=False))

    def _listed(self, folder: str, predicate: Callable[[Entry], bool]) -> Sequence[str]:
        try:
            entries = islice(entries_in(f"{self._root}{os.sep}{folder}"), MAX_ENTRIES)
            return sorted(each.name for each in entries if predicate(each))
        except (OSError, ValueError):
            return ()

    def _target(self, path: str) -> str | None:
        named = f"{self._root}{os.sep}{path}"
        if _DOTS.isdisjoint(path.split("/")) and is_certainly_no_file(named):
            return None  # links are resolved only to an existing file, since that takes long
        try:
            root = os.path.realpath(self._root)
            target = os.path.realpath(named)
            if not target.startswith(root.rstrip(os.sep) + os.sep):
                return None
            return target if S_ISREG(mode_of(target)) else None
        except (OSError, ValueError):
            return None


def is_named_by_build(around: Surroundings) -> bool:
    """Whether the configuration of a bundler next to an extension's folder has a path with its name."""
    project, name = os.path.split(around.folder.rstrip("/"))
    named = re.compile(rb"[\"'`/]" + re.escape(os.fsencode(name)) + rb"[\"'`/]")
    return any(
        CONFIGURATION.fullmatch(file) is not None
        and named.search(bytes_of(around.read, f"{folder}/{file}".lstrip("/")) or b"")
        for folder in (f"{project}/{inner}".strip("/") for inner in CONFIGURATION_FOLDERS)
        for file in around.files(folder)
    )


_README = lazy(r"readme(?:\.(?:adoc|markdown|md|rst|txt))?\Z")


def is_readme(name: str) -> bool:
    """Whether a file is a README, by its name."""
    return _README.match(name.lower()) is not None


def is_xcode_folder(path: str) -> bool:
    """Whether an extension's folder, with `/`, is named as in Apple's template or by Safari's converter."""
    inner = path.removesuffix(_RESOURCES)
    return inner.endswith("(Extension)") or (inner != path and inner.endswith(" Extension"))


def _folder_of_xcode_project(extension: str) -> str | None:
    path = with_slashes(extension)
    if not is_xcode_folder(path):
        return None
    folder = os.path.dirname(path.removesuffix(_RESOURCES))
    try:
        return folder if any(name.endswith(XCODE_PROJECT) for name in os.listdir(folder)) else None
    except OSError:
        return None


def _is_workspace_root(folder: str, project: str) -> bool:
    """Whether the package.json of a folder has workspaces, or mentions the path of a project below."""
    try:
        text = read_file(os.path.join(folder, PACKAGE_JSON), PACKAGE_JSON)
    except UnreadableError:
        return False
    if _WORKSPACES in text:
        return True
    name = re.escape(os.fsencode(below(project, folder)))
    return name != b"." and re.search(_NAMED % (name, name), text) is not None
