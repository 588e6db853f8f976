"""Files next to a manifest that a build merges into it."""

from __future__ import annotations

from posixpath import basename, dirname

from extlint.extension import Extension
from extlint.package.discovery.variants import is_in_manifest_folder
from extlint.package.files import Package, UnreadableError
from extlint.package.sniff import has_manifest_version, is_named_like_a_manifest
from extlint.queries.query import query
from extlint.text.json.reader import read_json
from extlint.text.positions import decode

_KEYS = (
    *("action", "background", "browser_action", "browser_specific_settings", "content_scripts"),
    *("host_permissions", "minimum_chrome_version", "optional_permissions", "permissions"),
)
"""Keys that identify a file with a manifest-like name as a part of a manifest."""


@query(is_kept=True)
def keys_in_parts(extension: Extension) -> frozenset[str]:
    """Returns the keys in parts of the manifest next to it: `manifest_chrome.json`, without a version.

    They may be missing from the manifest itself, for all browsers or for one.
    """
    package = extension.package
    if package.packed:
        return frozenset()
    folder = dirname(package.manifest_path)
    return frozenset().union(
        *(
            _keys_of_part(package, path)
            for path in package.paths
            if path != package.manifest_path and path.endswith(".json") and _is_near_manifest(path, folder)
        )
    )


def _is_near_manifest(path: str, folder: str) -> bool:
    """Whether a file is named like a manifest and is in a folder, or in a folder of manifests in it."""
    if is_in_manifest_folder(path) and folder in (dirname(path), dirname(dirname(path))):
        return True
    return is_named_like_a_manifest(basename(path)) and dirname(path) == folder


def _keys_of_part(package: Package, path: str) -> frozenset[str]:
    """Returns the keys in a file, if it is a part of a manifest."""
    try:
        data = package.peek(path)
    except UnreadableError:
        return frozenset()
    root = None if has_manifest_version(data) else read_json(decode(data)).root
    keys = frozenset[str]() if root is None else frozenset(key for key, _ in root.members())
    return frozenset() if keys.isdisjoint(_KEYS) else keys
