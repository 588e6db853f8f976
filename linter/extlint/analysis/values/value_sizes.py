"""Measures values with parts, so that none grows too large to compare and copy.

A value is measured when it is created, from the sizes of its parts.
"""

from __future__ import annotations

from msgspec import Struct

from extlint.analysis.facts.values import (
    Api,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    ObjectValue,
    Union,
    Value,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script

MAX_PARTS = 20_000
"""The most parts of an array or object, including nested ones; only the type of a larger one is known."""

MAX_NESTING = 60
"""The most levels of nested objects and arrays that are known.

Code that traverses values is recursive, and has enough stack for at least this many levels.
"""


class _Size(Struct, frozen=True, eq=False):
    """The number of parts of a value, with nested ones counted at each occurrence, and their depth."""

    value: Value
    parts: int
    nesting: int


def within_limits(evaluator: Evaluator, value: ObjectValue | ArrayValue) -> Value:
    """Returns the value, or an open object or array with unknown contents if it is too large."""
    if _measure(evaluator, value):
        return value
    if isinstance(value, ObjectValue):
        return ObjectValue({}, True, value.span)
    return ArrayValue((), True, value.span)


def _measure(evaluator: Evaluator, value: Value) -> bool:
    """Measures a value, and returns whether it is within the limits."""
    sizes = _sizes(evaluator)
    waiting, part_count, nesting = [(value, 0)], 0, 0
    while waiting:
        each, depth = waiting.pop()
        known = sizes.get(id(each))
        part_count += 1 if known is None else known.parts
        nesting = max(nesting, depth if known is None else depth + known.nesting)
        if part_count > MAX_PARTS or nesting > MAX_NESTING:
            return False
        if known is None:
            waiting += ((part, depth + (not isinstance(each, Union))) for part in _parts(each))
    sizes[id(value)] = _Size(value, part_count, nesting)
    return True


@once_per_script
def _sizes(evaluator: Evaluator) -> dict[int, _Size]:  # noqa: ARG001
    """Returns the sizes of the measured objects and arrays, by identity."""
    return {}


def _parts(value: Value) -> tuple[Value, ...] | list[Value]:
    match value:
        case ObjectValue(fields=fields):
            return [each.value for each in fields.values()]
        case ArrayValue(items=parts) | Union(options=parts) | Api(bound=parts):
            return parts
        case InstanceValue(fulfillment=part) | FunctionValue(result=part) if part is not None:
            return (part,)
    return ()
