"""Values that match a type and values that may not, and their source code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint.analysis.facts.values import (
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
)
from extlint.schema.matching.environment import YES, Environment
from extlint.schema.matching.match import match
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

MAX_DEPTH = 6
"""The depth of nesting up to which types get a value."""

FUNCTION = FunctionValue(())

SAMPLES: Mapping[str, Value] = {
    "a string": Literal(Kind.STRING, "judge of extlint"),
    "an integer": Literal(Kind.NUMBER, 3.0),
    "a fraction": Literal(Kind.NUMBER, 1.5),
    "a negative number": Literal(Kind.NUMBER, -7.0),
    "a large integer": Literal(Kind.NUMBER, 2.0**31),
    "NaN": Literal(Kind.NUMBER, float("nan")),
    "a boolean": Literal(Kind.BOOLEAN, True),
    "null": Literal(Kind.NULL),
    "undefined": Literal(Kind.UNDEFINED),
    "an empty object": ObjectValue(),
    "an empty array": ArrayValue(),
    "an array of an array": ArrayValue((ArrayValue(),)),
    "a function": FUNCTION,
    "a regular expression": InstanceValue("RegExp"),
}
"""Values by description. Some are invalid for each type."""

TEXTS = (
    *("a", "", "1", "de", "a.b", "/a.html", "#ffffff", "https://example.com/", "https://example.com/*"),
    *("judge@extlint.invalid", "2026-01-01T00:00:00Z", "{00000000-0000-0000-0000-000000000000}"),
)
"""Texts that may match a pattern or a format."""


def find_value(kind: Type, env: Environment, depth: int = 0) -> Value | None:
    """Returns a short value that certainly matches a type, or None if none was found."""
    return next((each for each in _candidates(kind, env, depth) if match(each, kind, env) is YES), None)


def _candidates(kind: Type, env: Environment, depth: int) -> Iterator[Value]:
    if depth > MAX_DEPTH:
        return
    match kind:
        case RefType():
            target = env.resolve(kind)
            if target is not None:
                yield from _candidates(target, env, depth + 1)
        case ChoicesType(choices):
            for choice in choices:
                if env.manifest_version in choice.versions:
                    yield from _candidates(choice.type, env, depth + 1)
        case StringType():
            texts = (kind.enum or ())[:1] or (*TEXTS, "a" * (kind.min_length or 0))
            yield from (Literal(Kind.STRING, text) for text in texts)
        case NumberType():
            yield from (Literal(Kind.NUMBER, float(each)) for each in (kind.minimum or 0, 1))
        case BooleanType(enum):
            yield from (Literal(Kind.BOOLEAN, each) for each in (enum or (False,)))
        case NullType():
            yield Literal(Kind.NULL)
        case FunctionType():
            yield FUNCTION
        case AnyType():
            yield SAMPLES["a string"]
            yield SAMPLES["an empty object"]
        case BinaryType():
            yield InstanceValue("ArrayBuffer")
        case ArrayType(items, min_items):
            item = find_value(items, env, depth + 1) if min_items else None
            yield ArrayValue(() if item is None else (item,) * (min_items or 0))
        case ObjectType(is_instance_of=str(name)):
            yield InstanceValue(name)
        case ObjectType():
            yield from _objects(kind, env, depth)


def _objects(kind: ObjectType, env: Environment, depth: int) -> Iterator[Value]:
    required = {
        name: find_value(each.type, env, depth + 1)
        for name, each in kind.properties.items()
        if not each.optional and not each.unsupported and env.manifest_version in each.versions
    }
    yield ObjectValue({name: Field(value) for name, value in required.items() if value is not None})


def source_of(value: Value) -> str:
    """Returns the source code of a value. Raises ValueError for a value that is not fully known."""
    match value:
        case Literal(kind=Kind.UNDEFINED):
            return "undefined"
        case Literal(kind=Kind.NUMBER, value=float(number)):
            if number != number:
                return "NaN"
            return str(int(number)) if number.is_integer() else repr(number)
        case Literal(value=str() | bool() | None as exact):
            return json.dumps(exact)
        case ObjectValue(fields=fields):
            inner = (f"{json.dumps(name)}: {source_of(each.value)}" for name, each in fields.items())
            return f"{{{', '.join(inner)}}}"
        case ArrayValue(items=items):
            return f"[{', '.join(map(source_of, items))}]"
        case FunctionValue():
            return "() => {}"
        case InstanceValue(class_name=name):
            return f"new {name}()"
    raise ValueError(f"{value} is not written")
