"""Finds the keys that a JSON Schema has at a path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from extlint.schema.validation.mistake import Steps

Schema: TypeAlias = Mapping[str, Any]

_COMMENTS = ("_", "$", "//", "#", "x-")


def is_comment(key: str) -> bool:
    """Whether a key is a comment or an instruction for a build, by its form: `_comment`, `//`."""
    return key.startswith(_COMMENTS)


def is_known_key(schema: Schema, steps: Steps) -> bool:
    """Whether a schema names the key at the end of a path; objects that accept any key do not count."""
    nodes = _subschemas_at(schema, steps[:-1])
    found = (inner for node in nodes for inner in subschemas(schema, node, steps[-1], named=True))
    return any("x-only-in" not in each for each in found)


def audience_of_key(schema: Schema, steps: Steps) -> str | None:
    """Returns the only packages for which a key at the end of a path exists (`Chrome apps`), or None."""
    nodes = _subschemas_at(schema, steps)
    parts = (each for node in nodes for each in (node, *node.get("allOf", ())))
    return next((each["x-only-for"] for each in parts if "x-only-for" in each), None)


def keys_of(schema: Schema, steps: Steps) -> Iterator[str]:
    """Yields the names of the keys of the object at a path."""
    for node in _subschemas_at(schema, steps):
        if "$ref" in node:
            node = schema["definitions"][node["$ref"].rpartition("/")[2]]
        yield from node.get("properties", ())


def _subschemas_at(schema: Schema, steps: Steps) -> list[Schema]:
    nodes: list[Schema] = [schema]
    for step in steps:
        nodes = [inner for node in nodes for inner in subschemas(schema, node, step)]
    return nodes


def subschemas(
    schema: Schema, node: Schema, step: str | int, *, named: bool = False, patterns: bool = True
) -> Iterator[Schema]:
    """Yields the subschemas of a node for a key or index.

    With `named`, only those of keys that it names; without `patterns`, not those described by patterns.
    """
    if "$ref" in node:
        target = schema["definitions"][node["$ref"].rpartition("/")[2]]
        yield from subschemas(schema, target, step, named=named, patterns=patterns)
    for key in ("then", "else"):
        if key in node:
            yield from subschemas(schema, node[key], step, named=named, patterns=patterns)
    for choice in (*node.get("anyOf", ()), *node.get("allOf", ())):
        yield from subschemas(schema, choice, step, named=named, patterns=patterns)
    if isinstance(step, int):
        if isinstance(node.get("items"), Mapping):
            yield node["items"]
    elif step in node.get("properties", ()):
        yield node["properties"][step]
    else:
        described = node.get("patternProperties", {}) if patterns else {}
        yield from (inner for pattern, inner in described.items() if re.search(pattern, step))
        if not named and isinstance(node.get("additionalProperties"), Mapping):
            yield node["additionalProperties"]
