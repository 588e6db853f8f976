"""Reduces the value of a property that other code can write too to its known part."""

from __future__ import annotations

from extlint.analysis.expressions.escaped_values import escaped_value
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.values.evaluator import GLOBAL
from extlint.analysis.values.options import join


def stable_part(value: Value, *, only_api: bool = False) -> Value:
    """Returns the known part of the value of a property that other code can write too.

    Members of the API, its results, functions and instances of the script's own classes are assumed to be
    unchanged, since programs do not replace them; any other value may have changed.
    """
    stable_options = [_stable_option(each, only_api=only_api) for each in options_of(value)]
    return UNKNOWN if all(isinstance(each, Literal) for each in stable_options) else join(*stable_options)


def is_partly_unstable(value: Value) -> bool:
    """Whether some option of a value becomes unknown because other code may change it."""
    return any(_stable_option(each, only_api=False) == UNKNOWN for each in options_of(value))


def _stable_option(value: Value, *, only_api: bool) -> Value:
    match value:
        case Api() | ApiResult():
            return value
        case Literal(kind=Kind.NULL | Kind.UNDEFINED):
            return value
        case FunctionValue() | InstanceValue(builtin=False):
            return UNKNOWN if only_api else value
        case ObjectValue():
            left = escaped_value(value)
            return left if isinstance(left, ObjectValue) and left.fields else UNKNOWN
    return value if value == GLOBAL else UNKNOWN
