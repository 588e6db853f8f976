"""The nodes of a JSON Schema at a path: their keys, and the choice that the author of a value meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from extlint.schema.validation.mistake import Steps
from extlint.text.nearest import nearest

if TYPE_CHECKING:
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


def intended_choice(error: ValidationError) -> Sequence[ValidationError] | None:
    """Returns the errors of the choice that the author meant, or None if no choice is closer than the others.

    A choice is meant if the value has its type; among several of that type, the one with the least severe
    errors.
    """
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    fitting = [errors for errors in branches.values() if not _has_wrong_type(errors)]
    if not fitting:
        return None
    for errors in fitting:
        if all(each.validator == "not" and not each.relative_path for each in errors):
            return errors
    fitting = [errors for errors in fitting if not any(_rejects_all(each) for each in errors)] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if isinstance(error.instance, str):
        return None
    return min(fitting, key=_weight)


def _has_wrong_type(errors: Sequence[ValidationError]) -> bool:
    return any(not each.relative_path and each.validator in ("type", "const") for each in errors)


def _rejects_all(error: ValidationError) -> bool:
    return error.validator == "not" and not error.relative_path


def _weight(errors: Sequence[ValidationError]) -> tuple[float, int]:
    """Returns the severity of a choice's errors; keys of another choice weigh most, misspelled ones least."""
    return sum(_cost(each) for each in errors), -max(len(each.relative_path) for each in errors)


def _cost(error: ValidationError) -> float:
    if error.validator == "additionalProperties":
        schema: Any = error.schema
        known = list(schema.get("properties", ()))
        instance: Any = error.instance
        keys = [key for key in instance if key not in known]
        return sum(1.0 if nearest(key, known) is not None else 2.0 for key in keys)
    return 2.0 if error.validator == "required" and not error.relative_path else 1.0
