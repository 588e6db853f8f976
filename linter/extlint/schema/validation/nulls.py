"""Handles keys with the value null, which some browsers treat as absent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from extlint.schema.validation.mistake import Mistake
from extlint.schema.validation.schema_keys import Schema, subschemas
from extlint.text.json.values import JsonValue
from extlint.text.wording import quoted


def with_null(mistake: Mistake, holder: JsonValue) -> Mistake:
    """Returns a mistake about a missing key as one about a wrong value, if the key exists and is null.

    `holder` is the object at the location of the mistake as its author wrote it.
    """
    key = next((key for key in mistake.missing if isinstance(holder, dict) and key in holder), None)
    if key is None:
        return mistake
    message = f"{quoted(key)} must not be null"
    return Mistake("invalid-value", (*mistake.steps, key), message, reaction=mistake.reaction)


def without_nulls(schema: Schema, value: JsonValue) -> JsonValue:
    """Returns a value without the keys that are null, if the schema names them.

    Keys with arbitrary names, and keys of the other manifest version, are preserved.
    """
    return _strip(schema, (schema,), value) if _has_null(value) else value


_INACTIVE_VALUES = (None, False, 0, "")
"""Values with which a key does not turn a manifest into another kind."""


def _has_null(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(each is None or _has_null(each) for each in value.values())
    return isinstance(value, list) and any(map(_has_null, value))


def _strip(schema: Schema, nodes: Sequence[Schema], value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_strip(schema, tuple(_subschemas(schema, nodes, at)), each) for at, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    nodes = tuple(_resolve_conditions(node, value) for node in nodes)
    stripped: dict[str, Any] = {}
    for key, each in value.items():
        inner = tuple(_subschemas(schema, nodes, key))
        if each is not None or not _is_named(schema, nodes, key):
            stripped[key] = _strip(schema, inner, each)
    return stripped


def _resolve_conditions(node: Schema, value: Mapping[str, JsonValue]) -> Schema:
    """Returns the schema for the kind of manifest that a value is, by the key that decides it."""
    while "if" in node:
        (key,) = node["if"]["required"]
        node = node["else"] if value.get(key) in _INACTIVE_VALUES else node.get("then", {})
    return node


def _subschemas(schema: Schema, nodes: Sequence[Schema], step: str | int) -> Iterator[Schema]:
    return (inner for node in nodes for inner in subschemas(schema, node, step))


def _is_named(schema: Schema, nodes: Sequence[Schema], key: str) -> bool:
    found = [inner for node in nodes for inner in subschemas(schema, node, key, named=True, patterns=False)]
    return bool(found) and not any("x-only-in" in each for each in found)
