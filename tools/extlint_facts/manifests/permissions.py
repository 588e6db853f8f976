"""The schemas of the lists of permissions: names of permissions, and host patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from extlint_facts.corrections.rows import corrected_values
from extlint_facts.manifests.replacements import REPLACEMENTS
from extlint_facts.manifests.types import Types
from extlint_facts.ordering import Node

PERMISSIONS = {
    "permissions": ("manifest.Permission",),
    "optional_permissions": ("manifest.OptionalPermission", "manifest.OptionalOnlyPermission"),
}
"""The lists of permissions, and the types of the names that they accept."""

_PRIVILEGED = "manifest.PermissionPrivileged"
"""The type of the names that Firefox grants only to the add-ons of `PRIVILEGED_ADD_ONS`."""

PRIVILEGED_ADD_ONS = "Mozilla's own add-ons"

_HOST_FORMATS = {
    ("chrome", 2): "chrome-host-permission-2",
    ("chrome", 3): "chrome-host-permission",
}
"""The formats of host patterns. A browser that is not listed uses one format for all its keys."""


def permissions(types: Types, browser: str, version: int, key: str) -> dict[str, Any]:
    """Returns the schema of one list. Host patterns that belong in a different key are rejected as such."""
    names: list[str] = []
    privileged = [name for each in _strings(types, types.get(_PRIVILEGED, {})) for name in each["enum"]]
    patterns: list[dict[str, Any]] = []
    for kind in PERMISSIONS[key]:
        for each in _strings(types, types.get(kind, {})):
            if "enum" in each:
                names += each["enum"]
            elif "pattern" in each:
                patterns.append({"type": "string", "pattern": each["pattern"]})
    names += corrected_values(browser, "permission", "known")
    if silent := corrected_values(browser, "permission", "ignored"):
        patterns.append({"type": "string", "pattern": f"^({'|'.join(map(re.escape, silent))})$"})
    hosts_format = _HOST_FORMATS.get((browser, version), f"{browser}-match-pattern")
    hosts: dict[str, Any] = {"type": "string", "format": hosts_format}
    if version not in corrected_values(browser, "permission list", "takes_hosts_in")[key]:
        hosts |= {"not": {}, "x-only-in": 2, "x-instead": REPLACEMENTS[version, f"{key}[]"]}
    limited = corrected_values(browser, "permission", "manifest_version")
    only_for = corrected_values(browser, "permission", "only_for")
    refusing = corrected_values(browser, "permission", "on_error")
    refused = {name: audience for name, audience in only_for.items() if refusing[name] == "refuse"}
    other = sorted(name for name in limited if name in names and limited[name] != version)
    own = {name: whom for name, whom in only_for.items() if name not in refused}
    out = {*privileged, *other, *refused, *own}
    listed = {"type": "string", "enum": sorted(name for name in dict.fromkeys(names) if name not in out)}
    denied: list[dict[str, Any]] = []
    if privileged:
        denied.append({"enum": sorted(privileged), "x-only-for": PRIVILEGED_ADD_ONS})
    if other:
        denied.append({"enum": other, "x-only-in": 5 - version})
    denied += (
        {"enum": [name], "x-only-for": refused[name], "x-on-error": "refuse"}
        for name in sorted(set(refused) & set(names))
    )
    denied += ({"enum": [name], "x-only-for": own[name]} for name in sorted(set(own) & set(names)))
    with_arguments = corrected_values(browser, "permission list", "with_arguments").get(key)
    if with_arguments:
        patterns.append(
            {
                "type": "object",
                "propertyNames": {"enum": with_arguments},
                "minProperties": 1,
                "maxProperties": 1,
            }
        )
    forms = [listed, *({"type": "string", "not": {}, **each} for each in denied), *patterns, hosts]
    items: dict[str, Any] = {"anyOf": forms, "x-permission": True}
    return {"type": "array", "items": {**items, "x-on-error": "warn"} if browser == "firefox" else items}


def _strings(types: Types, node: Node) -> Iterator[Node]:
    if "$ref" in node:
        yield from _strings(types, types[node["$ref"]])
    elif "choices" in node:
        for each in node["choices"]:
            yield from _strings(types, each)
    elif node:
        yield node
