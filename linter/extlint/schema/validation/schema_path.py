"""The nodes of a JSON Schema on the path to an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError


def dereference(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a node of a schema, or the target of its reference."""
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rpartition("/")[2]]
    return node


def schemas_along(
    schema: Mapping[str, Any], error: ValidationError
) -> Iterator[tuple[str | int | None, Mapping[str, Any]]]:
    """Yields each node on the path to the one that failed, with the step that leads there.

    The root and the target of a reference have no step: jsonschema leaves `$ref` and `if` out of the path.
    """
    node: Any = schema
    yield None, node
    for step in error.absolute_schema_path:
        if isinstance(node, Mapping) and "$ref" in node and step not in node:
            node = dereference(schema, node)
            yield None, node
        node = node[step]
        if isinstance(node, Mapping):
            yield step, node
