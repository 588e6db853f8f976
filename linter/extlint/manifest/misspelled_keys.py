"""Misspelled keys of a manifest, for which only the name is reported."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from extlint.manifest.manifest import Manifest
from extlint.text.nearest import nearest

_VERSION_NAMES = (("action", "browser_action"), ("browser_specific_settings", "applications"))
"""Names of the same key in different manifest versions."""

_MAX_KEYS = 1_000
"""The maximum number of keys of an object that are compared with a missing one."""

COMMANDS = {
    "_execute_action": "action",
    "_execute_browser_action": "browser_action",
    "_execute_page_action": "page_action",
    "_execute_sidebar_action": "sidebar_action",
}
"""The commands that browsers handle themselves, with the key of each."""


def intended_command(name: str) -> str | None:
    """Returns the browser-defined command that a name misspells, or None."""
    return nearest(name, COMMANDS) if name.startswith("_") else None


def has_key(manifest: Manifest, *path: str) -> bool:
    """Whether a key exists, or one that certainly stands for it: misspelled, or of the other version."""
    actual: list[str] = []
    for key in path:
        there = [name for name, _ in manifest.members(*actual)]
        name = key if key in there else _meant(key, there)
        if name is None:
            return False
        actual.append(name)
    return True


def _meant(key: str, there: Sequence[str]) -> str | None:
    """Returns the existing key that stands for a missing one, or None."""
    names = next((each for each in _VERSION_NAMES if key in each), (key,))
    return next((each for each in there[:_MAX_KEYS] if _may_mean(each, names)), None)


@lru_cache(maxsize=2_000)
def _may_mean(written: str, names: tuple[str, ...]) -> bool:
    """Whether a key is one of these names, or misspells one. Rules ask for the same few keys repeatedly."""
    return written in names or nearest(written, names) is not None
