"""The entry points in a manifest that is an object literal in a module: `manifest.config.ts` of CRXJS."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from extlint.package.discovery.made_manifest import Read, text_of, with_required_keys
from extlint.text.object_literal import read_object_with
from extlint.text.patterns import lazy

_MODULE = lazy(r"(?:[\w-]+/){0,2}manifest(?:\.config)?\.[cm]?[jt]s")
_MAX_MODULE = 200_000
"""The length in characters of a module that is read."""

_VERSION = "manifest_version"
_KEYS = frozenset(
    {
        *("action", "background", "chrome_url_overrides", "content_scripts", "devtools_page"),
        *("options_page", "options_ui", "sandbox", "side_panel"),
    }
)
"""The keys that name scripts and pages."""


def is_manifest_module(path: str) -> bool:
    """Whether a file has the name of a module that contains a manifest."""
    return _MODULE.fullmatch(path) is not None


def keys_in_module(paths: Collection[str], read: Read) -> dict[str, Any] | None:
    """Returns the keys for entry points that a module has, if any file exists that they name."""
    modules = filter(is_manifest_module, paths)
    for path in sorted(modules, key=lambda path: (path.count("/"), path)):
        found = read_object_with(text_of(read, path)[:_MAX_MODULE], _VERSION) or {}
        keys = {key: value for key, value in found.items() if key in _KEYS}
        if any(name.removeprefix("./").lstrip("/") in paths for name in _texts(keys)):
            return with_required_keys(keys, found.get(_VERSION, 3))
    return None


def _texts(value: object) -> Iterator[str]:
    """Yields the texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
