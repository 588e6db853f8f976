"""The entry points in a manifest that is an object literal in a module: `manifest.config.ts` of CRXJS."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from extlint.package.discovery.made_manifest import Read, text_of
from extlint.package.discovery.merged_manifest import KEYS_OF_CODE, path_in_project, source_of_output
from extlint.text.json.object_literal import read_object_with
from extlint.text.patterns import lazy

_MODULE = lazy(r"(?:[\w-]+/){0,2}manifest(?:\.config)?\.[cm]?[jt]s")
MAX_MODULE = 200_000
"""The length in characters of a module that is read."""

MANIFEST_VERSION = "manifest_version"


def is_manifest_module(path: str) -> bool:
    """Whether a file has the name of a module that contains a manifest."""
    return _MODULE.fullmatch(path) is not None


def module_with_entry_points(paths: Collection[str], read: Read) -> str | None:
    """Returns the path of a module with keys that name files of the project, or None."""
    modules = filter(is_manifest_module, paths)
    for path in sorted(modules, key=lambda path: (path.count("/"), path)):
        if any(
            path_in_project(name) in paths or source_of_output(name, paths) is not None
            for name in _texts(entry_points_in(path, read))
        ):
            return path
    return None


def entry_points_in(path: str, read: Read) -> dict[str, Any]:
    """Returns the version in a module that contains a manifest, and the keys for entry points."""
    found = read_object_with(text_of(read, path)[:MAX_MODULE], MANIFEST_VERSION) or {}
    return {key: value for key, value in found.items() if key in KEYS_OF_CODE or key == MANIFEST_VERSION}


def with_sources(value: Any, paths: Collection[str]) -> Any:
    """Returns a value in which names of outputs are replaced by those of their sources."""
    if isinstance(value, dict):
        return {key: with_sources(each, paths) for key, each in value.items()}
    if isinstance(value, list):
        return [with_sources(each, paths) for each in value]
    is_missing = isinstance(value, str) and path_in_project(value) not in paths
    return (source_of_output(value, paths) or value) if is_missing else value


def _texts(value: object) -> Iterator[str]:
    """Yields the texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
