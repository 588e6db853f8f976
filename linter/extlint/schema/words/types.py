"""Describes types in messages, and writes types and signatures briefly for the lookup of an API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

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
from extlint.schema.words.values import (
    MAX_OPTIONS,
    either,
    enum_text,
    instance_of,
    property_names,
    range_text,
)
from extlint.text.wording import listed

_JSON_TYPES = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""The types of JSON Schema, in the order in which messages list them."""


def json_types(names: str | Sequence[str]) -> str:
    """Returns types of JSON Schema as a phrase: `a string or a list`."""
    every = [names] if isinstance(names, str) else names
    return listed([words for name, words in _JSON_TYPES.items() if name in every], "or")


class Schemas(Protocol):
    """Resolves references to types."""

    def resolve(self, kind: Type) -> Type | None:
        """Returns the type itself, or the target of a reference, or None if the reference is unresolved."""
        ...


def described_type(kind: Type, schemas: Schemas, depth: int = 0) -> str:
    """Returns a phrase for the values that a type accepts.

    Examples: `a boolean`, `one of "a" or "b"`, `an integer of at least 1`.
    """
    target = schemas.resolve(kind)
    match target:
        case None | RefType() | AnyType():
            return "another value"
        case NullType():
            return "null"
        case BooleanType(enum=(flag,)):
            return "true" if flag else "false"
        case BooleanType():
            return "a boolean"
        case NumberType():
            return range_text("an integer" if target.integer else "a number", target.minimum, target.maximum)
        case StringType(enum=enum):
            return "a string" if enum is None else enum_text(enum)
        case BinaryType():
            return "an ArrayBuffer or a view of one"
        case ArrayType(items=items):
            return "an array" + _of_items(schemas.resolve(items))
        case FunctionType():
            return "a function"
        case ObjectType(is_instance_of=str(name)):
            return instance_of(name)
        case ObjectType(properties=properties):
            required = tuple(
                name for name, each in properties.items() if not each.optional and not each.unsupported
            )
            return f"an object with {property_names(required)}" if required else "an object"
        case ChoicesType():
            return either(alternatives(target, schemas, depth))


def _of_items(kind: Type | None) -> str:
    match kind:
        case StringType():
            return " of strings"
        case NumberType(integer=integer):
            return " of integers" if integer else " of numbers"
        case ObjectType(is_instance_of=None):
            return " of objects"
    return ""


def alternatives(kind: Type, schemas: Schemas, depth: int = 0) -> list[str]:
    """Returns phrases for the values that a type accepts, one for each choice."""
    target = schemas.resolve(kind)
    if not isinstance(target, ChoicesType):
        return [described_type(kind, schemas, depth)]
    if depth >= MAX_OPTIONS:
        return ["one of several values"]
    kinds = with_one_enum([choice.type for choice in target.choices], schemas)
    return [phrase for each in kinds for phrase in alternatives(each, schemas, depth + 1)]


def with_one_enum(kinds: Sequence[Type], schemas: Schemas) -> list[Type]:
    """Returns the choices of a type, with one enum for all of their strings, in place of the first."""
    merged: list[Type] = []
    values: dict[str, None] = {}
    place = -1
    for each in kinds:
        target = schemas.resolve(each)
        if not isinstance(target, StringType) or target.enum is None:
            merged.append(each)
            continue
        values |= dict.fromkeys(target.enum)
        if place < 0:
            place = len(merged)
            merged.append(each)
    if place >= 0:
        merged[place] = StringType(enum=tuple(values))
    return merged


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
