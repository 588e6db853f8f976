"""Reduces a value to its API part: the API itself, or an object with the members that lead to it."""

from __future__ import annotations

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    Field,
    Literal,
    ObjectValue,
    Value,
    options_of,
)

MAX_DEPTH = 5
"""The maximum depth of objects to follow."""


def api_part(value: Value, depth: int = 0) -> Value | None:
    """Returns the API, or an object with only the members that are or contain the API.

    Returns None for anything else.
    """
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    if len(options) != 1 or depth > MAX_DEPTH:
        return None
    match options[0]:
        case Api(path=path, root=root, bound=bound):
            return Api(path, root, None, (UNKNOWN,) * len(bound))
        case ObjectValue(fields=fields):
            parts = {name: api_part(each.value, depth + 1) for name, each in fields.items()}
            inner = {name: Field(each) for name, each in parts.items() if each is not None}
            return ObjectValue(inner, True) if inner else None
    return None
