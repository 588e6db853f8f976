"""Describes types: those of API schemas, and those of JSON Schema."""

from __future__ import annotations

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
