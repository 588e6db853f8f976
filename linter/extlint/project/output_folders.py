"""Whether an extension's folder is build output, by its name and the rest of the project."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from extlint.extension import Extension
from extlint.package.files import MANIFEST
from extlint.package.sniff import names_manifest_version
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.project.ignored_files import ignored_files
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import query

MAX_SIBLING_FOLDERS = 50
"""Siblings of an output folder that are searched for its source."""


@query(is_kept=True)
def is_output_folder(extension: Extension) -> bool:
    """Whether the folder has the name of build output, and a build fills it.

    A build certainly does so if Git does not track the folder, if its source is known, or if Git tracks
    the folder with all of its scripts.
    """
    around = extension.package.around
    if extension.package.packed or around is None or OUTPUT_FOLDERS.isdisjoint(around.folder.split("/")):
        return False
    return (
        not ignored_files(extension).tracks_own_folder
        or _has_extension_above(extension, around.folder)
        or _has_sibling_source(extension, around.folder)
        or _has_all_scripts(extension)
    )


def _has_all_scripts(extension: Extension) -> bool:
    """Whether the manifest and the pages name scripts, and all of these exist."""
    named = {each.path for each in extension.named_files if has_suffix(each.path, SCRIPTS)}
    return bool(named) and all(path in extension.package for path in named)


def _has_extension_above(extension: Extension, folder: str) -> bool:
    """Whether a folder of the project above the extension's own is also an extension's folder."""
    project = ProjectFiles(extension.package)
    _, *above = folders_above(folder.rstrip("/"))
    found = (project.read(joined(each, MANIFEST) or "") for each in above)
    return any(data is not None and names_manifest_version(data) for data in found)


def _has_sibling_source(extension: Extension, folder: str) -> bool:
    """Whether a sibling of the output folder is the folder of an extension with the same name."""
    name = extension.manifest.get("name")
    return (
        name is not None and isinstance(name.value, str) and name.value in _sibling_names(extension, folder)
    )


def _sibling_names(extension: Extension, folder: str) -> Iterator[object]:
    project, parts = ProjectFiles(extension.package), folder.split("/")
    above = "/".join(parts[: next(at for at, part in enumerate(parts) if part in OUTPUT_FOLDERS)])
    for each in islice(project.folders(above), MAX_SIBLING_FOLDERS):
        path = joined(above, f"{each}/{MANIFEST}") or ""
        data = None if each in OUTPUT_FOLDERS else project.read(path)
        root = project.json(path) if data is not None and names_manifest_version(data) else None
        name = None if root is None else root.get("name")
        if name is not None:
            yield name.value
