"""Shorthand for the values, types and environments of matching tests."""

from __future__ import annotations

from typing import Any

from extlint.analysis.facts.values import (
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
    union_of,
)
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import Environment
from extlint.schema.model import SchemaSet
from extlint.schema.types import Parameter, Type, parse_parameters, parse_type

TYPES = [
    {"id": "Level", "type": "string", "enum": ["low", "normal", "high"]},
    {"id": "Point", "type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}},
    {
        "id": "Tree",
        "choices": [
            {"type": "integer"},
            {"type": "array", "items": {"$ref": "Tree"}},
            {"type": "object", "properties": {"next": {"$ref": "Tree", "optional": True}}},
        ],
    },
    {"id": "Circle", "$ref": "Circle"},
    {
        "id": "ExpectedError",
        "choices": [
            {"type": "string"},
            {"type": "object", "isInstanceOf": "RegExp", "additionalProperties": True},
            {"type": "function"},
        ],
    },
    {
        "id": "Promise",
        "choices": [
            {"type": "object", "properties": {"then": {"type": "function"}}, "additionalProperties": True},
            {"type": "object", "isInstanceOf": "Promise", "additionalProperties": True},
        ],
    },
]
SCHEMAS = SchemaSet("tests", [{"namespace": "test", "types": TYPES}])

UNDEFINED = Literal(Kind.UNDEFINED)
STRING = Typed(Kind.STRING)
NUMBER = Typed(Kind.NUMBER)
OBJECT = Typed(Kind.OBJECT)
FUNCTION = FunctionValue()
REGEXP = InstanceValue("RegExp")
PROMISE = InstanceValue("Promise")
MAP = InstanceValue("Map")
PROXY = InstanceValue("Proxy")
OWN_CLASS = InstanceValue("Own", builtin=False)


def environment(engine: Engine = Engine.GECKO, manifest_version: int = 2) -> Environment:
    return Environment(SCHEMAS, engine, manifest_version)


def api_type(node: dict[str, Any]) -> Type:
    return parse_type(node, "test")


def parameters(*nodes: dict[str, Any]) -> tuple[Parameter, ...]:
    """Returns parameters, named a, b, c and so on where the name is omitted."""
    named = [{"name": chr(ord("a") + index), **node} for index, node in enumerate(nodes)]
    return parse_parameters(named, "test")


def js(value: object) -> Value:
    """Returns the JavaScript value for a Python literal; a dict key `...` opens the object."""
    match value:
        case None:
            return Literal(Kind.NULL)
        case bool():
            return Literal(Kind.BOOLEAN, value)
        case int() | float():
            return Literal(Kind.NUMBER, float(value))
        case str():
            return Literal(Kind.STRING, value)
        case list():
            return ArrayValue(tuple(js(item) for item in value if item is not ...), open=... in value)
        case dict():
            fields = {key: _field(item) for key, item in value.items() if key is not ...}
            return ObjectValue(fields, open=... in value)
        case _:
            return value  # type: ignore[return-value]


def _field(value: object) -> Field:
    return value if isinstance(value, Field) else Field(js(value))


def maybe(value: object) -> Field:
    """Returns a property that may be absent."""
    return Field(js(value), maybe_absent=True)


def one_of(*values: object) -> Value:
    found = union_of(js(value) for value in values)
    return found if isinstance(found, Union) else Union((found,))
