"""Files that Git ignores, so that they may be missing from a checkout until something generates them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from extlint.extension import Extension
from extlint.package.files import Package
from extlint.package.git_index import tracked_files
from extlint.package.suffixes import SOURCES, has_suffix
from extlint.package.surroundings import GITIGNORE
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import cached_method, query

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class IgnoredFiles:
    """The files of an extension that `.gitignore` files match, in its folder and in those above it.

    If the extension's own folder is ignored, none of its files counts as ignored, as all of them are
    generated, unless Git tracks the manifest all the same: then the others may be missing from a checkout.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._project = ProjectFiles(package)

    def has(self, path: str) -> bool:
        """Whether Git ignores a file at a path in the extension. The file may be missing.

        A folder that a build makes contains none of the sources.
        """
        full = self._project.full(path)
        if self._is_own_folder_ignored:
            is_partial = self._manifest in self._tracked and full not in self._tracked
            return is_partial and not has_suffix(path, SOURCES)
        return self._is_ignored(full)

    @property
    def _manifest(self) -> str:
        return self._project.full(self._package.manifest_path)

    @cached_property
    def _tracked(self) -> frozenset[str]:
        return tracked_files(self._package)

    @cached_property
    def tracks_own_folder(self) -> bool:
        """Whether Git tracks the extension's folder: `.gitignore` files exist, and do not match it."""
        around = self._package.around
        if around is None or self._is_own_folder_ignored:
            return False
        return any(self._spec(folder) is not None for folder in folders_above(around.folder.rstrip("/")))

    @cached_property
    def _is_own_folder_ignored(self) -> bool:
        around = self._package.around
        if self._package.packed or around is None:
            return True
        return around.folder != "" and self._is_ignored(around.folder)

    def _is_ignored(self, path: str) -> bool:
        """Whether the last pattern that matches a path ignores it. Patterns of deeper folders come later."""
        ignored = False
        for folder in reversed(folders_above(path.rstrip("/").rpartition("/")[0])):
            spec = self._spec(folder)
            found = None if spec is None else spec.check_file(path[len(folder) :].lstrip("/")).include
            ignored = ignored if found is None else found
        return ignored

    @cached_method
    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        path = joined(folder, GITIGNORE)
        data = None if path is None else self._project.read(path)
        return None if data is None else _patterns_in(data)


@query
def ignored_files(extension: Extension) -> IgnoredFiles:
    """Returns the files of an extension that Git ignores."""
    return IgnoredFiles(extension.package)


def _patterns_in(data: bytes) -> GitIgnoreSpec:
    from extlint.package.git_ignore import parse_patterns

    return parse_patterns(data)
