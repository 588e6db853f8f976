"""Reduces the value of an object or a property that other code may have changed to its known part."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Unknown,
    Value,
    options_of,
    union_of,
)
from extlint.analysis.values.api_results import is_promise
from extlint.analysis.values.evaluator import GLOBAL
from extlint.analysis.values.options import carries_api, join


def escaped_value(value: Value, written: Collection[str | None] = ()) -> Value:
    """Returns the part of a value that is still known after it has escaped to other code.

    Functions and members of the API in an object are assumed to be unchanged, except those whose names are in
    `written`: programs do not replace them. Everything else may have changed.
    """
    if isinstance(value, ArrayValue):
        return ArrayValue((), True, value.span)
    if isinstance(value, ApiResult):
        return value if is_promise(value) else UNKNOWN
    if isinstance(value, ObjectValue):
        left = {
            name: Field(escaped_value(found.value), found.key, found.maybe_absent)
            for name, found in value.fields.items()
        }
        changed = None in written
        remaining = {
            name: each for name, each in left.items() if _stays(each.value, changed or name in written)
        }
        return ObjectValue(remaining, True, value.span)
    return value


def _stays(value: Value, is_written: bool) -> bool:
    if carries_api(value):
        return True
    holds_members = isinstance(value, FunctionValue) or (isinstance(value, ObjectValue) and value.fields)
    return bool(holds_members) and not is_written


def shared_with_scripts(value: Value, *, constant: bool) -> Value:
    """Returns the part of a variable's value that is known even though other scripts of the realm use it.

    The API, objects that contain it and functions are assumed to be unchanged; any other variable that is
    not `constant` may have been reassigned.
    """
    return union_of(part for option in options_of(value) for part in _shared_option(option, constant))


def _shared_option(option: Value, constant: bool) -> tuple[Value, ...]:
    match option:
        case Api() | Unknown():
            return (option,)
        case FunctionValue():
            return (replace(option, parameters=None),)
        case ObjectValue() | ArrayValue():
            escaped = escaped_value(option)
            return (
                (escaped,)
                if constant or (isinstance(escaped, ObjectValue) and escaped.fields)
                else (UNKNOWN,)
            )
    return (option,) if constant else (UNKNOWN,)


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
