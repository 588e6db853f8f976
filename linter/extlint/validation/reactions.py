"""What a browser does with a value that its schema refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

from extlint.validation.mistake import Reaction

_BY_ANNOTATION = {"refuse": Reaction.REFUSES, "warn": Reaction.IGNORES, "ignore": Reaction.IGNORES}


def reaction_to(schema: Mapping[str, Any], error: ValidationError) -> Reaction | None:
    """What the annotations of the schema on the way to an error say; None where there are none.

    What is wrong inside a value that the browser passes over is passed over with it; the nearest annotation
    counts. `tools/extlint_facts/manifests/json_schema.py` lists them.
    """
    own: Any = error.schema
    if error.validator in own.get("x-mild", ()):
        return Reaction.IGNORES
    if error.validator == "additionalProperties" and _refuses_unknown_keys(error):
        return Reaction.REFUSES
    found = [node["x-on-error"] for node in _way(schema, error) if "x-on-error" in node]
    return _BY_ANNOTATION[found[-1]] if found else None


def _refuses_unknown_keys(error: ValidationError) -> bool:
    """Whether an object, or the choice that it is one form of, is refused for an unknown key."""
    nodes: list[Any] = [error.schema]
    if error.parent is not None and error.parent.validator == "anyOf":
        nodes.append(error.parent.schema)
    return any(node.get("x-unknown-keys") == "refuse" for node in nodes)


def _way(schema: Mapping[str, Any], error: ValidationError) -> Iterator[Mapping[str, Any]]:
    """The schemas that a value went through until one refused it, references followed."""
    node: Any = schema
    yield node
    for step in error.absolute_schema_path:
        while isinstance(node, Mapping) and "$ref" in node and step not in node:
            node = schema["definitions"][node["$ref"].rpartition("/")[2]]
            yield node
        node = node[step]
        if isinstance(node, Mapping):
            yield node
