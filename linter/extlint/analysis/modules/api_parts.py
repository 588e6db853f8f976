"""Reduces a value to its API part: the API, or the members and functions that lead to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    Field,
    FunctionValue,
    InstanceValue,
    Literal,
    ObjectValue,
    Value,
    options_of,
)

MAX_DEPTH = 5
"""The maximum depth of objects to follow."""


def api_part(
    value: Value,
    depth: int = 0,
    summary_of: Callable[[Value], Value | None] = lambda _: None,
) -> Value | None:
    """Returns the API, an object with only the members that lead to it, or a function that returns it.

    Returns None for anything else. `summary_of` returns the value of a function or instance without spans.
    """
    options = [each for each in options_of(value) if not isinstance(each, Literal)]
    if len(options) != 1 or depth > MAX_DEPTH:
        return None

    def part(inner: Value) -> Value | None:
        return api_part(inner, depth + 1, summary_of)

    def parts(fields: Mapping[str, Field]) -> dict[str, Field]:
        found = {name: part(each.value) for name, each in fields.items()}
        return {name: Field(each) for name, each in found.items() if each is not None}

    match options[0]:
        case Api(path=path, root=root, bound=bound):
            return Api(path, root, None, (UNKNOWN,) * len(bound))
        case ObjectValue(fields=fields):
            inner = parts(fields)
            return ObjectValue(inner, True) if inner else None
        case FunctionValue(span=None, result=result, fields=fields):
            returned, members = None if result is None else part(result), parts(fields)
            if returned is None and not members:
                return None
            return replace(options[0], result=returned, fields=members)
        case FunctionValue() | InstanceValue(builtin=False):
            summary = summary_of(options[0])
            return None if summary is None else part(summary)
    return None
