"""Matches between values and types: yes, no, or unknown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import inf, nan
from typing import Any, TypeAlias

import pytest
from matching_values import (
    FUNCTION,
    MAP,
    NUMBER,
    OBJECT,
    OWN_CLASS,
    PROMISE,
    PROXY,
    REGEXP,
    STRING,
    UNDEFINED,
    api_type,
    environment,
    js,
    one_of,
)

from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    Typed,
)
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import MAYBE, YES, No
from extlint.schema.matching.match import match
from extlint.schema.words.values import described_value

NO = "no"

Case: TypeAlias = tuple[dict[str, Any], object, object]

FIREFOX: list[Case] = [
    ({"type": "any"}, 1, YES),
    ({"type": "any"}, UNDEFINED, YES),
    ({"type": "any"}, UNKNOWN, YES),
    ({"type": "any"}, FUNCTION, YES),
    ({"type": "null"}, None, YES),
    ({"type": "null"}, UNDEFINED, NO),
    ({"type": "null"}, UNKNOWN, MAYBE),
    ({"type": "boolean"}, True, YES),
    ({"type": "boolean"}, "yes", NO),
    ({"type": "boolean"}, 0, NO),
    ({"type": "boolean"}, None, NO),
    ({"type": "boolean"}, Typed(Kind.BOOLEAN), YES),
    ({"type": "boolean", "enum": [True]}, False, NO),
    ({"type": "boolean", "enum": [True]}, True, YES),
    ({"type": "boolean", "enum": [True]}, Typed(Kind.BOOLEAN), MAYBE),
    ({"type": "integer"}, 1.0, YES),
    ({"type": "integer"}, -0.0, YES),
    ({"type": "integer"}, 2.0**31, YES),
    ({"type": "integer"}, 2.0**53, NO),
    ({"type": "integer"}, 1.5, NO),
    ({"type": "integer"}, nan, NO),
    ({"type": "integer"}, inf, NO),
    ({"type": "integer"}, NUMBER, MAYBE),
    ({"type": "integer"}, Literal(Kind.BIGINT, 5), NO),
    ({"type": "integer", "minimum": 12}, 12, YES),
    ({"type": "integer", "minimum": 12}, 4, NO),
    ({"type": "integer", "minimum": 0}, -1, NO),
    ({"type": "integer", "maximum": 42}, 43, NO),
    ({"type": "number"}, 1.5, YES),
    ({"type": "number"}, 1, YES),
    ({"type": "number"}, nan, NO),
    ({"type": "number"}, -inf, NO),
    ({"type": "number"}, NUMBER, MAYBE),
    ({"type": "number"}, "1", NO),
    ({"type": "number", "minimum": 2}, 1, YES),
    ({"type": "string"}, "", YES),
    ({"type": "string"}, STRING, YES),
    ({"type": "string"}, 5, NO),
    ({"type": "string"}, UNDEFINED, NO),
    ({"type": "string"}, UNKNOWN, MAYBE),
    ({"type": "string"}, InstanceValue("String"), NO),
    ({"type": "string", "enum": ["a", "b"]}, "a", YES),
    ({"type": "string", "enum": ["a", "b"]}, "c", NO),
    ({"type": "string", "enum": ["a", {"name": "b"}]}, "b", YES),
    ({"type": "string", "enum": ["a", "b"]}, "A", NO),
    ({"type": "string", "enum": ["a", "b"], "preprocess": "stringToLowerCase"}, "A", YES),
    ({"type": "string", "enum": ["a", "b"], "preprocess": "stringToLowerCase"}, "C", NO),
    ({"type": "string", "enum": ["a", "b"]}, STRING, MAYBE),
    ({"type": "string", "enum": ["long"], "maxLength": 2}, "long", YES),
    ({"type": "string", "minLength": 2}, "a", NO),
    ({"type": "string", "minLength": 2}, "\U0001f600", YES),
    ({"type": "string", "maxLength": 1}, "\U0001f600", NO),
    ({"type": "string", "maxLength": 1}, STRING, MAYBE),
    ({"type": "string", "pattern": "^a+$"}, "aaa", YES),
    ({"type": "string", "pattern": "^a+$"}, "b", NO),
    ({"type": "string", "format": "date"}, "tomorrow", NO),
    ({"type": "string", "format": "nobodyKnows"}, "x", MAYBE),
    ({"type": "array", "items": {"type": "string"}}, [], YES),
    ({"type": "array", "items": {"type": "string"}}, ["a", "b"], YES),
    ({"type": "array", "items": {"type": "string"}}, ["a", 1], NO),
    ({"type": "array", "items": {"type": "string"}}, ["a", UNKNOWN], MAYBE),
    ({"type": "array", "items": {"type": "string"}}, ["a", ...], MAYBE),
    ({"type": "array", "items": {"type": "string"}}, [1, ...], NO),
    ({"type": "array", "items": {"type": "string"}}, {}, NO),
    ({"type": "array", "items": {"type": "string"}}, Typed(Kind.ARRAY), MAYBE),
    ({"type": "array", "items": {"type": "any"}, "minItems": 2}, [1], NO),
    ({"type": "array", "items": {"type": "any"}, "minItems": 2}, [1, ...], MAYBE),
    ({"type": "array", "items": {"type": "any"}, "maxItems": 1}, [1, 2, ...], NO),
    ({"type": "array", "items": {"type": "string", "onError": "warn"}}, ["a", 1], YES),
    ({"type": "array", "items": {"type": "string", "onError": "ignore"}, "minItems": 1}, [1], NO),
    ({"type": "array", "items": {"type": "string", "onError": "ignore"}, "maxItems": 1}, [1, "a"], MAYBE),
    ({"type": "function"}, FUNCTION, YES),
    ({"type": "function"}, FunctionValue(is_class=True), YES),
    ({"type": "function"}, None, NO),
    ({"type": "function"}, {}, NO),
    ({"type": "function"}, Api(("management", "getAll")), MAYBE),
    ({"type": "function"}, OWN_CLASS, MAYBE),
    ({"type": "object"}, {}, YES),
    ({"type": "object"}, [], NO),
    ({"type": "object"}, FUNCTION, NO),
    ({"type": "object"}, None, NO),
    ({"type": "object"}, OBJECT, MAYBE),
    ({"type": "object"}, OWN_CLASS, MAYBE),
    ({"type": "object"}, MAP, NO),
    ({"type": "object"}, PROXY, NO),
    ({"type": "object", "isInstanceOf": "RegExp"}, REGEXP, YES),
    ({"type": "object", "isInstanceOf": "RegExp"}, {}, NO),
    ({"type": "object", "isInstanceOf": "RegExp"}, FUNCTION, NO),
    ({"type": "object", "isInstanceOf": "RegExp"}, PROMISE, NO),
    ({"type": "object", "isInstanceOf": "RegExp"}, OWN_CLASS, MAYBE),
    ({"type": "object", "isInstanceOf": "RegExp"}, OBJECT, MAYBE),
    ({"type": "object", "isInstanceOf": "RegExp"}, PROXY, NO),
    ({"type": "object", "isInstanceOf": "Element"}, {"id": "x"}, NO),
    ({"type": "object", "isInstanceOf": "Element"}, {"nodeType": 1}, MAYBE),
    ({"type": "object", "isInstanceOf": "Element"}, InstanceValue("Image"), MAYBE),
    ({"type": "object", "isInstanceOf": "Object"}, {}, YES),
    ({"choices": [{"type": "string"}, {"type": "integer"}]}, "x", YES),
    ({"choices": [{"type": "string"}, {"type": "integer"}]}, 1.5, NO),
    ({"choices": [{"type": "string"}, {"type": "integer"}]}, NUMBER, MAYBE),
    ({"choices": [{"type": "string"}, {"type": "integer"}]}, one_of(1, "x"), YES),
    ({"choices": [{"type": "string", "max_manifest_version": 2}]}, "x", YES),
    ({"choices": [{"type": "string", "min_manifest_version": 3}]}, "x", NO),
    ({"$ref": "Level"}, "low", YES),
    ({"$ref": "Level"}, "lowest", NO),
    ({"$ref": "nowhere.Level"}, 5, MAYBE),
    ({"$ref": "Circle"}, 5, MAYBE),
    ({"$ref": "Tree"}, {"next": [1, {"next": {}}]}, YES),
    ({"$ref": "Tree"}, {"next": [1, {"next": "x"}]}, NO),
    ({"$ref": "ExpectedError"}, "x", YES),
    ({"$ref": "ExpectedError"}, REGEXP, YES),
    ({"$ref": "ExpectedError"}, FunctionValue(is_class=True), YES),
    ({"$ref": "ExpectedError"}, {}, NO),
    ({"$ref": "ExpectedError"}, 5, NO),
    ({"$ref": "Promise"}, PROMISE, YES),
    ({"$ref": "Promise"}, {"then": FUNCTION, "more": 1}, YES),
    ({"$ref": "Promise"}, {"then": 1}, NO),
    ({"$ref": "Promise"}, {...: True}, MAYBE),
    ({"$ref": "Promise"}, FUNCTION, NO),
    ({"type": "string"}, one_of("a", 1), MAYBE),
    ({"type": "string"}, one_of(2, 1), NO),
    ({"type": "string"}, one_of("a", "b"), YES),
    ({"type": "string"}, one_of(1, UNKNOWN), MAYBE),
    ({"type": "string"}, NOTHING, MAYBE),
]

CHROMIUM: list[Case] = [
    ({"type": "any"}, {}, MAYBE),
    ({"type": "any"}, UNDEFINED, NO),
    ({"type": "any"}, nan, NO),
    ({"type": "any"}, FUNCTION, NO),
    ({"type": "integer"}, 2.0**31 - 1, YES),
    ({"type": "integer"}, 2.0**31, NO),
    ({"type": "integer"}, -(2.0**31), YES),
    ({"type": "integer"}, -0.0, YES),
    ({"type": "number", "minimum": 2}, 1, NO),
    ({"type": "number"}, inf, NO),
    ({"type": "string", "pattern": "^a$"}, "b", YES),
    ({"type": "string", "format": "date"}, "tomorrow", YES),
    ({"type": "string", "enum": ["long"], "maxLength": 2}, "long", NO),
    ({"type": "binary"}, InstanceValue("ArrayBuffer"), YES),
    ({"type": "binary"}, InstanceValue("Uint8Array"), YES),
    ({"type": "binary"}, {}, NO),
    ({"type": "object"}, MAP, YES),
    ({"type": "object"}, PROXY, MAYBE),
    ({"type": "object"}, FUNCTION, NO),
    ({"$ref": "Point"}, MAP, NO),
    ({"type": "object", "isInstanceOf": "RegExp"}, REGEXP, YES),
    ({"type": "object", "isInstanceOf": "RegExp"}, {}, NO),
    ({"type": "object", "isInstanceOf": "Object"}, MAP, YES),
    ({"type": "object", "isInstanceOf": "Blob"}, InstanceValue("File"), YES),
]


def cases(table: Iterable[Case]) -> list[object]:
    """Returns the rows of a table, each with a descriptive name."""
    return [pytest.param(*case, id=describe_case(*case)) for case in table]


def describe_case(node: dict[str, Any], value: object, expected: object) -> str:
    answer = {YES: "fits", NO: "does not fit", MAYBE: "may fit"}[expected]
    return f"{described_value(js(value))} {answer} {json.dumps(node)}"


@pytest.mark.parametrize(("node", "value", "expected"), cases(FIREFOX))
def test_match_in_firefox(node: dict[str, Any], value: object, expected: object) -> None:
    found = match(js(value), api_type(node), environment())
    assert (NO if isinstance(found, No) else found) == expected


@pytest.mark.parametrize(("node", "value", "expected"), cases(CHROMIUM))
def test_match_in_chromium(node: dict[str, Any], value: object, expected: object) -> None:
    found = match(js(value), api_type(node), environment(Engine.CHROMIUM, 3))
    assert (NO if isinstance(found, No) else found) == expected


def test_too_deep_value_is_not_checked() -> None:
    value = js("wrong")
    for _ in range(10_000):
        value = js([value])
    assert match(value, api_type({"$ref": "Tree"}), environment()) is MAYBE


def test_very_wide_value_takes_bounded_time() -> None:
    value = js([[["x"] * 30] * 30] * 30)
    assert match(value, api_type({"$ref": "Tree"}), environment()) is MAYBE


def test_repeatedly_shared_value_takes_bounded_time() -> None:
    value = js("wrong")
    for _ in range(30):
        value = js([value, value])
    assert match(value, api_type({"$ref": "Tree"}), environment()) is MAYBE
