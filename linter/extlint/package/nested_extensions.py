"""Finds folders of an extension with scripts of another extension, unless the extension itself loads them."""

from __future__ import annotations

from extlint.package.files import Package
from extlint.package.sniff import has_manifest_version, is_named_like_a_manifest


def nested_extension_folders(package: Package) -> tuple[str, ...]:
    """Returns the folders below the top that are nearer to another manifest, each ending in `/`.

    They contain a manifest under another name (`firefox/manifest.v2.json`), or the folder of another
    extension: next to `platform/chrome/manifest.json`, the scripts in `platform/common/` do not belong to the
    manifest at the top, which is further away.
    """
    found = {
        folder
        for path in package.paths
        if is_named_like_a_manifest(path.rpartition("/")[2])
        and (folder := path.rpartition("/")[0])
        and not package.manifest_path.startswith(f"{folder}/")
        and has_manifest_version(package.read(path))
    }
    extension_folders = {parent for each in package.others if (parent := each.rstrip("/").rpartition("/")[0])}
    return tuple(sorted(f"{folder}/" for folder in found | extension_folders))
