"""Finds a browser's reaction to a value that its schema rejects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

from extlint.validation.mistake import Reaction
from extlint.validation.schema_path import schemas_along

_BY_ANNOTATION = {"refuse": Reaction.REJECTS, "warn": Reaction.IGNORES, "ignore": Reaction.IGNORES}


def reaction_to(schema: Mapping[str, Any], error: ValidationError) -> Reaction | None:
    """Returns the reaction in the annotations of the schema on the path to an error.

    Returns None without annotations.

    A mistake inside a value that the browser ignores is ignored with it; the nearest annotation
    counts. `tools/extlint_facts/manifests/json_schema.py` lists them.
    """
    own: Any = error.schema
    if error.validator in own.get("x-mild", ()):
        return Reaction.IGNORES
    if error.validator == "additionalProperties" and _rejects_unknown_keys(error):
        return Reaction.REJECTS
    found = [node["x-on-error"] for _, node in schemas_along(schema, error) if "x-on-error" in node]
    return _BY_ANNOTATION[found[-1]] if found else None


def _rejects_unknown_keys(error: ValidationError) -> bool:
    """Whether an object, or the choice that it is one form of, is rejected for an unknown key."""
    nodes: list[Any] = [error.schema]
    if error.parent is not None and error.parent.validator == "anyOf":
        nodes.append(error.parent.schema)
    return any(node.get("x-unknown-keys") == "refuse" for node in nodes)
