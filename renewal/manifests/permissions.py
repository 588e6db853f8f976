"""The schemas of the lists of permissions: names of permissions, and patterns of hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from manifests.instead import INSTEAD
from manifests.types import Types
from ordering import Node

PERMISSIONS = {
    "permissions": ("manifest.Permission",),
    "optional_permissions": ("manifest.OptionalPermission", "manifest.OptionalOnlyPermission"),
}
"""The lists of permissions, and the types of the names that they take."""

_TAKES_HOSTS = {
    ("firefox", 2, "permissions"),
    ("firefox", 2, "optional_permissions"),
    ("firefox", 3, "optional_permissions"),
    ("chrome", 2, "permissions"),
    ("chrome", 2, "optional_permissions"),
}
"""Which lists take patterns of hosts; Firefox 153.7 and Chromium 156 were asked for version 3."""


_HOSTS = {
    ("chrome", 2): "chrome-host-permission-2",
    ("chrome", 3): "chrome-host-permission",
}
"""The formats of patterns of hosts; a browser that is not here has one for all its keys."""

_TAKEN_IN_SILENCE = {
    "chrome": (
        *("accessibilityFeatures", "app", "app.window", "commands", "enterprise", "omnibox"),
        *("system", "system.network", "windows"),
    ),
}
"""Names that no documentation has, and that Chromium 156 takes without a warning; they do nothing."""


def permissions(types: Types, browser: str, version: int, key: str) -> dict[str, Any]:
    """The schema of one list. Patterns of hosts that have their own key are refused by that name."""
    names: list[str] = []
    patterns: list[dict[str, Any]] = []
    for kind in PERMISSIONS[key]:
        for each in _strings(types, types.get(kind, {})):
            if "enum" in each:
                names += each["enum"]
            elif "pattern" in each:
                patterns.append({"type": "string", "pattern": each["pattern"]})
    if silent := _TAKEN_IN_SILENCE.get(browser):
        patterns.append({"type": "string", "pattern": f"^({'|'.join(map(re.escape, silent))})$"})
    hosts_format = _HOSTS.get((browser, version), f"{browser}-match-pattern")
    hosts: dict[str, Any] = {"type": "string", "format": hosts_format}
    if (browser, version, key) not in _TAKES_HOSTS:
        hosts |= {"not": {}, "x-only-in": 2, "x-instead": INSTEAD[version, f"{key}[]"]}
    listed = {"type": "string", "enum": sorted(dict.fromkeys(names))}
    return {"type": "array", "items": {"anyOf": [listed, *patterns, hosts], "x-permission": True}}


def _strings(types: Types, node: Node) -> Iterator[Node]:
    if "$ref" in node:
        yield from _strings(types, types[node["$ref"]])
    elif "choices" in node:
        for each in node["choices"]:
            yield from _strings(types, each)
    elif node:
        yield node
