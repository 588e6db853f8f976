"""The parts of a JSON Schema that a value went through until one refused it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError


def followed(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """A node of a schema, or what it refers to."""
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rpartition("/")[2]]
    return node


def schemas_along(
    schema: Mapping[str, Any], error: ValidationError
) -> Iterator[tuple[str | int | None, Mapping[str, Any]]]:
    """Each node on the way to the one that failed, with the step that leads there.

    There is no step to the whole, nor to what a node refers to: jsonschema leaves `$ref` and `if` out of the
    path.
    """
    node: Any = schema
    yield None, node
    for step in error.absolute_schema_path:
        if isinstance(node, Mapping) and "$ref" in node and step not in node:
            node = followed(schema, node)
            yield None, node
        node = node[step]
        if isinstance(node, Mapping):
            yield step, node
