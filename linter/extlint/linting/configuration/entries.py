"""Finds the `[[extension]]` entry that applies to an extension."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from pathlib import Path
from posixpath import basename, dirname, join, normpath

from extlint.linting.configuration.configuration import Configuration, ExtensionEntry
from extlint.package.discovery.manifest_folders import root_of
from extlint.package.discovery.scope import ConfiguredManifests
from extlint.package.disk import below, is_file, is_folder, read_file, unsaved_paths_below
from extlint.package.files import UnreadableError
from extlint.package.limits import MAX_SNIFFED_BYTES

MAX_MANIFESTS = 100
"""The maximum number of files that are searched for by one glob."""


def for_extension(configuration: Configuration, name: str, manifest: str) -> Configuration:
    """Returns the configuration of the extension in a folder or archive, whose manifest has this path in it.

    The keys of the first entry that applies to it replace those of the entire project.
    """
    entry = entry_of(configuration, name, manifest)
    return configuration if entry is None else entry.configuration.with_defaults(configuration)


def entry_of(configuration: Configuration, name: str, manifest: str) -> ExtensionEntry | None:
    """Returns the first entry that applies to the extension in a folder or archive, or None."""
    place = Path(os.path.relpath(name, configuration.folder)).as_posix()
    return next((each for each in configuration.extension if _applies_to(each, place, manifest)), None)


def configured_manifests(configuration: Configuration, folder: str) -> tuple[ConfiguredManifests, ...]:
    """Returns manifests in or below a folder that entries name, by the folder their paths are relative to.

    A root is a name here, not a glob. Manifests that have a root in common are variants of one extension.
    """
    found: dict[str, dict[str, None]] = {}
    top = Path(folder)
    for entry in configuration.extension:
        for file in _manifests(configuration.folder, entry.manifest or ""):
            root = _root_of(file) if entry.root is None else Path(configuration.folder, entry.root)
            if is_folder(str(root)) and (root.is_relative_to(top) or file.is_relative_to(top)):
                found.setdefault(os.path.normpath(root), {})[str(file)] = None
    return tuple(ConfiguredManifests(root, tuple(files)) for root, files in found.items())


def _root_of(manifest: Path) -> Path:
    """Returns the folder that the paths in a manifest are relative to, if no entry sets it."""
    path = manifest.as_posix()
    try:
        return Path(root_of(path, read_file(path, path, MAX_SNIFFED_BYTES)))
    except UnreadableError:
        return manifest.parent


def _manifests(folder: str, glob: str) -> Sequence[Path]:
    """Returns the files that a glob matches in the folder of a configuration.

    Returns an empty list if it is invalid.
    """
    if not glob:
        return ()
    try:
        named = set(islice(Path(folder).glob(normpath(glob)), MAX_MANIFESTS))
        unsaved = unsaved_paths_below(folder)
        named.update(Path(each) for each in unsaved if matches(glob, below(each, folder)))
        return sorted(each for each in named if is_file(str(each)) and "node_modules" not in each.parts)
    except (OSError, ValueError, NotImplementedError, IndexError):
        return ()


def _applies_to(entry: ExtensionEntry, place: str, manifest: str) -> bool:
    if entry.path is not None:
        return matches(entry.path, place) or matches(entry.path, dirname(normpath(join(place, manifest))))
    assert entry.manifest is not None
    if entry.root is not None:
        return matches(entry.root, place) and matches(basename(entry.manifest), basename(manifest))
    return matches(entry.manifest, join(place, manifest))


def matches(glob: str, path: str) -> bool:
    """Whether a glob matches an entire path; `**` matches any number of its parts."""
    return _match(tuple(normpath(glob).split("/")), tuple(normpath(path).split("/")))


def _match(glob: Sequence[str], path: Sequence[str]) -> bool:
    @cache
    def match(at: int, depth: int) -> bool:
        if at == len(glob):
            return depth == len(path)
        if glob[at] == "**":
            return match(at + 1, depth) or (depth < len(path) and match(at, depth + 1))
        return depth < len(path) and fnmatchcase(path[depth], glob[at]) and match(at + 1, depth + 1)

    return match(0, 0)
