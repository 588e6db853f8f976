"""Which keys a JSON Schema has at a path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from extlint.validation.mistake import Steps

Schema: TypeAlias = Mapping[str, Any]

_COMMENTS = ("_", "$", "//", "#", "x-")


def is_comment(key: str) -> bool:
    """Whether a key is there for people or for a build, by the way it is written: `_comment`, `//`."""
    return key.startswith(_COMMENTS)


def knows(schema: Schema, steps: Steps) -> bool:
    """Whether a schema has a key at the end of a path; that an object may have any key does not count."""
    nodes = _at(schema, steps[:-1])
    found = (inner for node in nodes for inner in below(schema, node, steps[-1], named=True))
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
        nodes = [inner for node in nodes for inner in below(schema, node, step)]
    return nodes


def below(
    schema: Schema, node: Schema, step: str | int, *, named: bool = False, patterns: bool = True
) -> Iterator[Schema]:
    """What a node says of what is at a key or index.

    With `named` it is only that of keys that it names; without `patterns` none that a pattern describes.
    """
    if "$ref" in node:
        target = schema["definitions"][node["$ref"].rpartition("/")[2]]
        yield from below(schema, target, step, named=named, patterns=patterns)
    for key in ("then", "else"):
        if key in node:
            yield from below(schema, node[key], step, named=named, patterns=patterns)
    for choice in (*node.get("anyOf", ()), *node.get("allOf", ())):
        yield from below(schema, choice, step, named=named, patterns=patterns)
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
