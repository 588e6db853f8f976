"""A canonical order for all parts of a namespace whose order is irrelevant, so that files are comparable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Node: TypeAlias = dict[str, Any]

KEYS = (
    *("namespace", "id", "$extend", "name", "$import", "type", "$ref", "isInstanceOf", "value", "writable"),
    *("optional", "default", "unsupported", "deprecated", "privileged", "onError"),
    *("min_manifest_version", "max_manifest_version", "since", "promiseSince", "deprecatedSince"),
    *("channel", "installLocation", "platforms"),
    *("permissions", "permissionsAll", "callPermissions", "hostPermission"),
    *("allowedContexts", "defaultContexts"),
    *("noServiceWorker", "requireUserInput", "allowAmbiguousOptionalArguments", "allowCrossOriginArguments"),
    *("eventsNotShown", "does_not_support_promises", "async"),
    *("enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"),
    *("items", "minItems", "maxItems", "choices"),
    *("parameters", "extraParameters", "filters", "returns", "returns_async", "options"),
    *("properties", "patternProperties", "additionalProperties", "unasked", "unseen"),
    *("ignoreAdditionalProperties", "preserveNull", "preprocess", "postprocess"),
    *("types", "functions", "events"),
)
"""Every key of the dialect that occurs in facts, in the order in which they are written."""

_POSITIONS = {key: at for at, key in enumerate(KEYS)}
_MAPS = frozenset({"properties", "patternProperties"})
_LISTS = frozenset({"choices", "parameters", "extraParameters", "filters"})
_NAME_KEYS = {"types": "id", "functions": "name", "events": "name"}
_NODES = frozenset({"items", "returns", "returns_async", "additionalProperties"})
SETS = frozenset({"permissions", "callPermissions", "allowedContexts", "defaultContexts", "platforms"})


def ordered(node: Mapping[str, Any]) -> Node:
    """Returns a node of the dialect with its keys, and the names in it, in canonical order.

    Parameters, choices, the values of an enum and overloads keep their order.
    Raises KeyError for a key that is not in `KEYS`.
    """
    return {key: _value(key, node[key]) for key in sorted(node, key=_POSITIONS.__getitem__)}


def _value(key: str, value: Any) -> Any:
    if key in _MAPS:
        return {name: ordered(value[name]) for name in sorted(value)}
    if key in _LISTS:
        return [ordered(each) for each in value]
    if key in _NAME_KEYS:
        label = _NAME_KEYS[key]
        return [ordered(each) for each in sorted(value, key=lambda each: each.get(label) or each["$extend"])]
    if key in SETS:
        return sorted(value)
    if key in _NODES and isinstance(value, dict):
        return ordered(value)
    return value
