"""Writes types and signatures briefly, for the lookup of an API."""

from __future__ import annotations

import json
from collections.abc import Sequence

from extlint.schema.types import (
    AnyType,
    ArrayType,
    BinaryType,
    BooleanType,
    ChoicesType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    Parameter,
    RefType,
    StringType,
    Type,
)
from extlint.text.wording import listed

MAX_PROPERTIES = 3
"""The maximum number of an object's required properties that are named."""


def type_text(kind: Type) -> str:
    """Returns a type as a short text: `array of management.IconInfo`, `string or boolean`."""
    match kind:
        case AnyType():
            return "any value"
        case NullType():
            return "null"
        case BooleanType(enum=enum):
            return "boolean" if enum is None else _values(enum)
        case NumberType():
            return _number(kind)
        case StringType(enum=enum):
            return "string" if enum is None else _values(enum)
        case BinaryType():
            return "binary data"
        case ArrayType(items=items):
            return f"array of {type_text(items)}"
        case FunctionType(parameters=parameters):
            return "function" if parameters is None else signature("function", parameters)
        case ObjectType(is_instance_of=str(name)):
            return f"instance of {name}"
        case ObjectType():
            return _object(kind)
        case ChoicesType(choices=choices):
            return listed(list(dict.fromkeys(type_text(each.type) for each in choices)), "or")
        case RefType(namespace=namespace, name=name):
            return f"{namespace}.{name}"


def _values(values: Sequence[str | bool]) -> str:
    return listed([json.dumps(each, ensure_ascii=False) for each in values], "or")


def _object(kind: ObjectType) -> str:
    required = [name for name, each in kind.properties.items() if not each.optional and not each.unsupported]
    return f"object with {listed(required, 'and')}" if 1 <= len(required) <= MAX_PROPERTIES else "object"


def _number(kind: NumberType) -> str:
    noun = "integer" if kind.integer else "number"
    least = "" if kind.minimum is None else f", at least {kind.minimum}"
    most = "" if kind.maximum is None else f", at most {kind.maximum}"
    return f"{noun}{least}{most}"


def signature(name: str, parameters: Sequence[Parameter]) -> str:
    """Returns the signature of a call: `get(id, callback?)`."""
    return f"{name}({', '.join(each.name + '?' * each.optional for each in parameters)})"
