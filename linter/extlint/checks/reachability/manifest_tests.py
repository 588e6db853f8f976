"""Evaluates a script's tests of its manifest: `getManifest().manifest_version === 3`.

Chromium 156 returns the manifest as it is written, with messages filled in. Firefox 153 normalizes it: it
omits unknown keys and permissions, and adds values for some keys that are not written. Verified with
`extlint_judge seen-manifest`.
"""

from __future__ import annotations

import json
import operator

from extlint.analysis.facts.script_facts import INCLUDES, TRUE, ApiPath, Guards
from extlint.extension import Extension
from extlint.schema.engine import Engine

_KEYS_WITHOUT_DEFAULTS = frozenset(
    {("background", "page"), ("background", "scripts"), ("background", "service_worker")}
)
"""Nested keys that are undefined in Firefox unless they are written."""

_DEFAULTED_KEYS = frozenset(
    """
    applications granted_host_permissions hidden host_permissions incognito optional_host_permissions
    optional_permissions permissions
    """.split()
)
"""Keys that have a value in Firefox even if they are not written."""

_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_MESSAGE = "__MSG_"


class _UnknownError(Exception):
    """The value that a script sees is unknown."""


def contradicts_manifest(extension: Extension, guards: Guards) -> bool:
    """Whether guards assume something about the manifest that is false."""
    return any(_is_false(extension, fact) for fact in guards.manifest)


def _is_false(extension: Extension, fact: ApiPath) -> bool:
    test, value, *keys = fact
    try:
        is_so = _is_test_true(extension, keys, test.removeprefix("!"), json.loads(value))
    except _UnknownError:
        return False
    return is_so is test.startswith("!")


def _visible_value(extension: Extension, keys: list[str], test: str, value: object) -> object:
    """Returns the value that a script sees in the manifest, or None without one. Raises _UnknownError."""
    manifest = extension.manifest
    if not manifest.is_object:
        raise _UnknownError
    if keys == ["manifest_version"]:
        return float(manifest.version)
    if test == INCLUDES and value not in [name for name, _ in manifest.strings(*keys)]:
        return []
    node = manifest.get(*keys)
    if extension.schemas.engine is not Engine.CHROMIUM and (node is not None or _has_default(keys)):
        raise _UnknownError
    found = None if node is None else node.plain
    if isinstance(found, str) and _MESSAGE in found:
        raise _UnknownError
    return float(found) if isinstance(found, int) and not isinstance(found, bool) else found


def _has_default(keys: list[str]) -> bool:
    return keys[0] in _DEFAULTED_KEYS if len(keys) == 1 else tuple(keys) not in _KEYS_WITHOUT_DEFAULTS


def _is_test_true(extension: Extension, keys: list[str], test: str, value: object) -> bool:
    """Whether a test of the manifest is true. Raises _UnknownError."""
    visible = _visible_value(extension, keys, test, value)
    if test == TRUE:
        return isinstance(visible, list | dict) or bool(visible)
    if test == INCLUDES:
        return isinstance(visible, list) and value in visible
    if test == "==" and type(visible) is type(value):
        return visible == value
    if test in _ORDER and isinstance(visible, float) and isinstance(value, float):
        return bool(_ORDER[test](visible, value))
    raise _UnknownError
