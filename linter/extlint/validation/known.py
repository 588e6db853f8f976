"""Which targets know a key of the manifest, or a permission."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from extlint.validation.mistake import Steps
from extlint_schemas import json_schema

Schema: TypeAlias = Mapping[str, Any]

VERSIONS = (2, 3)
_KEPT = 4096
TARGETS = ("firefox", "chrome", "edge", "safari", "firefox_android")
"""The targets with a manifest of their own, the best known first."""


@lru_cache(_KEPT)
def knowing(steps: Steps) -> tuple[str, ...]:
    """The targets that know the key at the end of a path, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(knows(json_schema(f"manifests/{target}_{version}"), steps) for version in VERSIONS)
    )


@lru_cache(_KEPT)
def having(permission: str, key: str) -> tuple[str, ...]:
    """The targets whose list of permissions under a key takes a permission, in any manifest version."""
    return tuple(
        target
        for target in TARGETS
        if any(permission in _listed(f"manifests/{target}_{version}", key) for version in VERSIONS)
    )


def _listed(name: str, key: str) -> frozenset[str]:
    """The permissions that a schema's list under a key takes."""
    schema = json_schema(name)
    lists = _below(schema, schema, key)
    items = (item for each in lists for item in _below(schema, each, 0))
    choices = (choice for item in items for choice in item.get("anyOf", ()))
    return frozenset(text for choice in choices for text in choice.get("enum", ()))


def knows(schema: Schema, steps: Steps) -> bool:
    """Whether a schema has a key at the end of a path; that an object may have any key does not count."""
    nodes = _at(schema, steps[:-1])
    found = (inner for node in nodes for inner in _below(schema, node, steps[-1], named=True))
    return any("x-only-in" not in each for each in found)


def keys_of(schema: Schema, steps: Steps) -> Iterator[str]:
    """The names of the keys that the object at a path has."""
    for node in _at(schema, steps):
        if "$ref" in node:
            node = schema["definitions"][node["$ref"].rpartition("/")[2]]
        yield from node.get("properties", ())


def _at(schema: Schema, steps: Steps) -> list[Schema]:
    nodes: list[Schema] = [schema]
    for step in steps:
        nodes = [inner for node in nodes for inner in _below(schema, node, step)]
    return nodes


def _below(
    schema: Mapping[str, Any], node: Mapping[str, Any], step: str | int, *, named: bool = False
) -> Iterator[Mapping[str, Any]]:
    """What a node says of what is at a key or index; with `named` only of keys that it names."""
    if "$ref" in node:
        yield from _below(schema, schema["definitions"][node["$ref"].rpartition("/")[2]], step, named=named)
    for key in ("then", "else"):
        if key in node:
            yield from _below(schema, node[key], step, named=named)
    for choice in (*node.get("anyOf", ()), *node.get("allOf", ())):
        yield from _below(schema, choice, step, named=named)
    if isinstance(step, int):
        if isinstance(node.get("items"), Mapping):
            yield node["items"]
    elif step in node.get("properties", ()):
        yield node["properties"][step]
    else:
        patterns = node.get("patternProperties", {})
        yield from (inner for pattern, inner in patterns.items() if re.search(pattern, step))
        if not named and isinstance(node.get("additionalProperties"), Mapping):
            yield node["additionalProperties"]
