"""The entry points in a manifest that is an object literal in a module: `manifest.config.ts` of CRXJS."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from extlint.package.discovery.made_manifest import Read, text_of
from extlint.package.discovery.merged_manifest import KEYS_OF_CODE
from extlint.text.json.object_literal import read_objects_with
from extlint.text.patterns import lazy

_MODULE = lazy(r"(?:[\w-]+/){0,2}(?:manifest(?:\.config)?|vite\.config)\.[cm]?[jt]s")
MAX_MODULE = 200_000
"""The length in characters of a module that is read."""

MANIFEST_VERSION, _NEWEST = "manifest_version", 3


def is_manifest_module(path: str) -> bool:
    """Whether a file has the name of a module that contains a manifest."""
    return _MODULE.fullmatch(path) is not None


def module_with_entry_points(paths: Collection[str], read: Read) -> str | None:
    """Returns the path of a module with a manifest that names scripts or pages, or None."""
    modules = sorted(filter(is_manifest_module, paths), key=lambda path: (path.count("/"), path))
    return next((path for path in modules if len(entry_points_in(path, read)) > 1), None)


def entry_points_in(path: str, read: Read) -> dict[str, Any]:
    """Returns the version in a module that contains a manifest, and the keys for entry points.

    Of several manifests, one in Manifest V3 counts.
    """
    objects = read_objects_with(text_of(read, path)[:MAX_MODULE], MANIFEST_VERSION)
    found = max(objects, key=lambda each: each.get(MANIFEST_VERSION) == _NEWEST, default={})
    return {key: value for key, value in found.items() if key in KEYS_OF_CODE or key == MANIFEST_VERSION}
