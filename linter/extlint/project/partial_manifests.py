"""Files next to a manifest that a build merges into it."""

from __future__ import annotations

from posixpath import basename, dirname

from extlint.extension import Extension, once_per_extension
from extlint.json_text.reader import read_json
from extlint.package.files import Package, UnreadableError
from extlint.package.sniff import has_manifest_version, is_named_like_a_manifest
from extlint.package.variants import is_in_manifest_folder
from extlint.text.positions import decode

_KEYS = (
    *("action", "background", "browser_action", "browser_specific_settings", "content_scripts"),
    *("host_permissions", "minimum_chrome_version", "optional_permissions", "permissions"),
)
"""Keys that identify a file with a manifest-like name as a part of a manifest."""


@once_per_extension
def has_partial_manifests(extension: Extension) -> bool:
    """Whether parts of the manifest are next to it: `manifest_chrome.json`, without a manifest version.

    They may have keys that are missing from the manifest itself, for all browsers or for one.
    """
    package = extension.package
    if package.packed:
        return False
    folder = dirname(package.manifest_path)
    return any(
        _is_near_manifest(path, folder) and _is_part(package, path)
        for path in package.paths
        if path != package.manifest_path and path.endswith(".json")
    )


def _is_near_manifest(path: str, folder: str) -> bool:
    """Whether a file is named like a manifest and is in a folder, or in a folder of manifests in it."""
    if is_in_manifest_folder(path) and folder in (dirname(path), dirname(dirname(path))):
        return True
    return is_named_like_a_manifest(basename(path)) and dirname(path) == folder


def _is_part(package: Package, path: str) -> bool:
    try:
        data = package.peek(path)
    except UnreadableError:
        return False
    if has_manifest_version(data):
        return False
    root = read_json(decode(data)).root
    return root is not None and any(root.get(key) is not None for key in _KEYS)
