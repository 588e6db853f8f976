"""Derives targets from another browser's manifest, adjusted by the compatibility data."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from extlint_facts.corrections.rows import corrected_values
from extlint_facts.manifests.json_schema import Json

BASE_OF = {"edge": "chrome", "firefox_android": "firefox", "safari": "chrome"}
"""The derived targets, and the browser whose manifest each is based on."""

EDITIONS = ("edge", "firefox_android")
"""The targets that are editions of the same browser, with only small differences in their schemas."""

VENDOR_KEYS = (
    "applications",
    "browser_specific_settings",
    "differential_fingerprint",
    "key",
    "minimum_chrome_version",
    "minimum_opera_version",
    "update_url",
)
"""Keys for one browser, a store or an editor, which other browsers ignore."""

_CHECKED_BY_MEMBER = ("chrome_url_overrides",)
"""Keys whose members are checked one by one; for others only the entire key is checked."""


def derive_schema(base: Json, target: str, support: Mapping[str, Any], title: str, firefox: Json) -> Json:
    """Returns the schema of a target: that of its base, without unsupported keys and with additional ones."""
    derived: Json = {**deepcopy(base), "title": title}
    properties = _extension_schema(derived)["properties"]
    for path, versions in support.items():
        first, _, rest = path.partition(".")
        if (
            versions.get(target) is not False
            or versions.get(BASE_OF[target]) is False
            or first in VENDOR_KEYS
        ):
            continue
        if not rest:
            properties.pop(first, None)
        elif first in _CHECKED_BY_MEMBER and first in properties:
            properties[first].get("properties", {}).pop(rest, None)
    for key in corrected_values(target, "manifest key", "like"):
        properties[key] = deepcopy(_extension_schema(firefox)["properties"][key])
    for path, versions in support.items():
        if "." not in path and versions.get(target):
            properties.setdefault(path, {})
    if target != "safari":
        return derived
    for key, each in properties.items():
        properties[key] = each if "x-only-in" in each else _without_versions(each)
    required = _extension_schema(derived)["required"]
    plain: Json = _without_details(derived)
    _extension_schema(plain)["required"] = required
    return plain


def _extension_schema(schema: Json) -> Json:
    while "else" in schema:
        schema = schema["else"]
    return schema


def _without_versions(node: Any) -> Any:
    """Removes the restrictions by manifest version below the top level, which were not verified in Safari."""
    if isinstance(node, list):
        return [_without_versions(each) for each in node if "x-only-for" not in each]
    if not isinstance(node, dict):
        return node
    if "x-only-in" in node and "type" not in node:
        return {key: each for key, each in node.items() if key != "not"}
    return {key: _without_versions(each) for key, each in node.items()}


def _without_details(node: Any) -> Any:
    """Removes formats, sizes and required keys, which were not verified in Safari."""
    if isinstance(node, list):
        return [_without_details(each) for each in node]
    if not isinstance(node, dict):
        return node
    dropped = _DETAILS | ({"anyOf"} if node.get("type") == "object" else set())
    if "patternProperties" in node:
        dropped |= {"additionalProperties"}
    return {
        key: each if key == "if" else _without_details(each)
        for key, each in node.items()
        if key not in dropped or isinstance(each, dict)
    }


_DETAILS = frozenset(
    {
        *("format", "maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"),
        *("pattern", "required", "uniqueItems", "x-expected", "x-mild", "x-unknown-keys"),
    }
)
"""Keys of JSON Schema that restrict a value beyond its type. Properties can have these names too."""
