"""Merges parts of schemas: `$extend` and `$import` of the dialect.

The semantics are those of Firefox's Schemas.sys.mjs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

SchemaNode: TypeAlias = Mapping[str, Any]


def merged_types(nodes: Iterable[SchemaNode]) -> dict[str, SchemaNode]:
    """Returns the types of a namespace by name, including additions of `$extend` and `$import`.

    A type that is only extended is the sum of the additions, as its own definition is elsewhere.
    """
    found: dict[str, SchemaNode] = {}
    extensions = []
    for node in nodes:
        if "$extend" in node:
            extensions.append(node)
        else:
            found[node["id"]] = node
    for node in extensions:
        found[node["$extend"]] = _extended(found.get(node["$extend"], {}), node)
    return {name: _with_imported(found, name) for name in found}


def _extended(base: SchemaNode, extension: SchemaNode) -> SchemaNode:
    described = {"description": extension.get("description", ""), **base}
    if "choices" in extension:
        return {**described, "choices": [*base.get("choices", ()), *extension["choices"]]}
    properties = {**base.get("properties", {}), **extension["properties"]}
    return {"type": "object", **described, "properties": properties}


def _with_imported(nodes: Mapping[str, SchemaNode], name: str) -> SchemaNode:
    """Returns a type with its imports from another type of its namespace.

    Its own properties take precedence.
    """
    node = dict(nodes[name])
    visited = {name}
    while (source := node.pop("$import", None)) is not None and source not in visited:
        visited.add(source)
        base = nodes.get(source, {})
        for key in ("properties", "patternProperties"):
            if key in base:
                node[key] = {**base[key], **node.get(key, {})}
        for key in ("additionalProperties", "$import"):
            if key in base:
                node[key] = base[key]
    return node


def imported_parts(
    parts_of: Callable[[str], Sequence[SchemaNode]], parts: Sequence[SchemaNode]
) -> Iterator[SchemaNode]:
    """Yields the imports of a namespace from others, except for names that it defines itself.

    `parts_of` returns the parts of a namespace by its name. Permissions, contexts and versions of the other
    namespace are not imported.
    """
    for part in parts:
        for other in parts_of(part["$import"]) if "$import" in part else ():
            yield {
                "properties": _without(other.get("properties", {}), parts),
                "types": list(_others(other, parts, "types", "id")),
                "functions": list(_others(other, parts, "functions", "name")),
                "events": list(_others(other, parts, "events", "name")),
            }


def _without(properties: SchemaNode, parts: Sequence[SchemaNode]) -> SchemaNode:
    own = {name for part in parts for name in part.get("properties", ())}
    return {name: node for name, node in properties.items() if name not in own}


def _others(other: SchemaNode, parts: Sequence[SchemaNode], key: str, label: str) -> Iterator[SchemaNode]:
    own = {node.get(label) for part in parts for node in part.get(key, ())}
    return (node for node in other.get(key, ()) if node.get(label) not in own)
