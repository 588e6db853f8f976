"""Replaces results of the API in arguments by what the schemas say about them: their kinds."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    ApiResult,
    ArrayValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
    union_of,
)
from extlint.analysis.values.api_results import is_promise
from extlint.checks.calls.result_types import ITEM, possible_types
from extlint.extension import Extension
from extlint.schema.types import (
    ArrayType,
    BooleanType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    StringType,
    Type,
)

_KINDS: tuple[tuple[type[Type], Kind], ...] = (
    (StringType, Kind.STRING),
    (NumberType, Kind.NUMBER),
    (BooleanType, Kind.BOOLEAN),
    (ArrayType, Kind.ARRAY),
    (ObjectType, Kind.OBJECT),
    (FunctionType, Kind.FUNCTION),
)


def with_result_kinds(extension: Extension, value: Value) -> Value:
    """Returns a value with the results of the API in it replaced by values of their kinds."""
    match value:
        case ApiResult():
            return _of_kind(extension, value)
        case ArrayValue(items=items):
            return replace(value, items=tuple(with_result_kinds(extension, each) for each in items))
        case Union(options=options):
            return union_of((with_result_kinds(extension, each) for each in options), value.span)
        case ObjectValue(fields=fields):
            return replace(
                value,
                fields={
                    name: replace(each, value=with_result_kinds(extension, each.value))
                    for name, each in fields.items()
                },
            )
    return value


def _of_kind(extension: Extension, result: ApiResult) -> Value:
    if is_promise(result):
        return result
    types = [each.type for each in possible_types(extension, result)]
    kinds = [next((kind for of, kind in _KINDS if isinstance(each, of)), None) for each in types]
    values: list[Value] = [Typed(kind, result.span) for kind in kinds if kind is not None]
    values += [Literal(Kind.NULL, None, result.span) for each in types if isinstance(each, NullType)]
    if not types or len(values) < len(types):
        return result
    if result.steps and not _always_exists(extension, result):
        values.append(Literal(Kind.UNDEFINED, None, result.span))
    return union_of(values, result.span)


def _always_exists(extension: Extension, result: ApiResult) -> bool:
    """Whether every object of the types that a part of a result belongs to has this part."""
    *steps, last = result.steps
    if last == ITEM or (steps and not _always_exists(extension, replace(result, steps=tuple(steps)))):
        return False
    owners = possible_types(extension, replace(result, steps=tuple(steps)))
    return all(
        isinstance(each.type, ObjectType)
        and last in each.type.properties
        and not each.type.properties[last].optional
        for each in owners
    )
