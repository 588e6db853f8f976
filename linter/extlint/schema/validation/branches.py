"""Finds the choice of a schema that the author of a value meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

from extlint.text.nearest import nearest


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
