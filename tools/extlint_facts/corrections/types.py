"""Corrections of the types of manifests and of declarativeNetRequest rules.

A place is a path: keys divided by `/`, where `[]` is each item of an array and `*` each member with an
arbitrary name. A path in a named type begins with its full name (`manifest.ThemeColor`). The keys are set
on the type at that path, and a null removes a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from extlint_facts.corrections.rows import Subject, corrections, report_stale
from extlint_facts.manifests.types import Types
from extlint_facts.ordering import Node

EACH_ITEM, EACH_MEMBER = "[]", "*"
_UNKNOWN_PLACE = (
    "corrections: {} leads nowhere at {}; correct the place, or delete it if the packages no longer have it"
)
_FORMS = ("type", "choices", "$ref")

Change: TypeAlias = tuple[str, dict[str, Any]]
"""A place, and the keys set there."""


def changes(browser: str, subject: Subject) -> list[Change]:
    """Returns the changes of a browser's manifest or rules, in the order in which they are applied."""
    return [(at, each.keys) for each in corrections(browser, subject) for at in each.at]


def apply_changes(types: Types, manifest: Node, listed: Iterable[Change]) -> Node:
    """Returns a type with every change applied.

    Raises StaleCorrectionError for a change that matches nothing.
    """
    for at, keys in listed:
        try:
            manifest = _apply_change(types, manifest, at.split("/"), keys)
        except KeyError as error:
            report_stale(_UNKNOWN_PLACE.format(at, error))
    return manifest


def apply_type_changes(types: Types, listed: Iterable[Change]) -> Types:
    """Returns the types, with the changes of named ones applied.

    Raises StaleCorrectionError as `apply_changes` does.
    """
    for at, keys in listed:
        name, _, rest = at.partition("/")
        if name in types:
            steps = rest.split("/") if rest else []
            try:
                types = {**types, name: _apply_change(types, types[name], steps, keys)}
            except KeyError as error:
                report_stale(_UNKNOWN_PLACE.format(at, error))
    return types


def expanded(types: Types, node: Node) -> Node:
    """Returns a type with its reference replaced by the referenced type."""
    while "$ref" in node:
        own = {key: value for key, value in node.items() if key != "$ref"}
        node = {**types[node["$ref"]], **own}
    return {key: value for key, value in node.items() if key != "id"}


def _apply_change(types: Types, node: Node, steps: Sequence[str], keys: dict[str, Any]) -> Node:
    if not steps:
        return _merged(types, node, keys)
    node = expanded(types, node)
    if "choices" in node:
        return {**node, "choices": _change_choices(types, node["choices"], steps, keys)}
    first, rest = steps[0], steps[1:]
    if first == EACH_ITEM:
        if node.get("type") != "array":
            raise KeyError(first)
        return {**node, "items": _apply_change(types, node.get("items", {"type": "any"}), rest, keys)}
    if node.get("type") != "object":
        raise KeyError(first)
    if first == EACH_MEMBER:
        return _change_members(types, node, rest, keys)
    properties = node.get("properties", {})
    if first not in properties and rest:
        raise KeyError(first)
    there = properties.get(first, {"optional": True})
    return {**node, "properties": {**properties, first: _apply_change(types, there, rest, keys)}}


def _change_choices(
    types: Types, choices: list[Node], steps: Sequence[str], keys: dict[str, Any]
) -> list[Node]:
    changed, failed = [], None
    for each in choices:
        try:
            changed.append(_apply_change(types, each, steps, keys))
        except KeyError as error:
            changed.append(each)
            failed = error if failed is None or changed[:-1] == choices[: len(changed) - 1] else failed
    if changed == choices and failed is not None:
        raise failed
    return changed


def _change_members(types: Types, node: Node, rest: Sequence[str], keys: dict[str, Any]) -> Node:
    if "patternProperties" in node:
        named = {
            name: _apply_change(types, each, rest, keys) for name, each in node["patternProperties"].items()
        }
        return {**node, "patternProperties": named}
    other = node.get("additionalProperties")
    other = other if isinstance(other, dict) else {"type": "any"}
    return {**node, "additionalProperties": _apply_change(types, other, rest, keys)}


def _merged(types: Types, node: Node, keys: dict[str, Any]) -> Node:
    """Returns a type with a correction's keys.

    One with another form of type replaces all keys except those of the position.
    """
    if "$ref" in node and set(keys) - {"optional", "$ref"}:
        node = expanded(types, node)
    if any(form in keys and keys[form] != node.get(form) for form in _FORMS):
        node = {key: value for key, value in node.items() if key in _POSITION_KEYS}
    merged = {**node, **keys}
    return {key: value for key, value in merged.items() if value is not None}


_POSITION_KEYS = frozenset({"optional", "min_manifest_version", "max_manifest_version"})
"""The keys that describe a position and remain when its type is replaced."""
