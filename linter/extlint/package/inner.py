"""Folders in an extension's that belong to another extension, though its manifest has a name of its own."""

from __future__ import annotations

from extlint.package.files import Package
from extlint.package.sniff import has_manifest_version, is_named_like_a_manifest


def folders_of_others(package: Package) -> tuple[str, ...]:
    """The folders below the top, each with a `/` at its end, that hold a manifest by another name.

    A script there that nothing of the extension loads is of that manifest: `firefox/manifest.v2.json`.
    """
    found = {
        folder
        for path in package.paths
        if is_named_like_a_manifest(path.rpartition("/")[2])
        and (folder := path.rpartition("/")[0])
        and not package.manifest_path.startswith(f"{folder}/")
        and has_manifest_version(package.read(path))
    }
    return tuple(sorted(f"{folder}/" for folder in found))
