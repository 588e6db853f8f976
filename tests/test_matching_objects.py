"""Objects: the mistakes in their properties, with positions and messages."""

from __future__ import annotations

from typing import Any

import pytest
from matching_values import (
    FUNCTION,
    MAP,
    PROMISE,
    STRING,
    UNDEFINED,
    api_type,
    environment,
    js,
    maybe,
    one_of,
)

from extlint.analysis.facts.values import UNKNOWN, Field, Literal, ObjectValue
from extlint.analysis.facts.values import Kind as JsKind
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import MAYBE, YES, No, Problem
from extlint.schema.matching.match import match

OPTIONS = {
    "type": "object",
    "properties": {
        "showConfirmDialog": {"type": "boolean", "optional": True},
        "dialogMessage": {"type": "string", "optional": True},
    },
}
REQUIRED = {"type": "object", "properties": {"name": {"type": "string"}}}
TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
BARE_TRUE = {"type": "object", "additionalProperties": True}
PATTERNS = {
    "type": "object",
    "properties": {"key1": {"type": "string", "pattern": "^[a-z]*$"}},
    "patternProperties": {"(?i)^key\\d$": {"type": "string"}},
}
VERSIONS = {
    "type": "object",
    "properties": {
        "old": {"type": "string", "max_manifest_version": 2},
        "new": {"type": "any", "optional": True},
    },
}
UNSUPPORTED = {"type": "object", "properties": {"gone": {"type": "string", "unsupported": True}}}
ON_ERROR = {
    "type": "object",
    "properties": {
        "lenient": {"type": "string", "onError": "warn"},
        "gone": {"type": "string", "unsupported": True, "onError": "ignore"},
    },
}
POINT_OR_NAME = {"choices": [{"$ref": "Point"}, REQUIRED]}
ANYTHING = {"type": "object", "additionalProperties": {"type": "any"}}
ACCOUNT = {
    "choices": [
        {"type": "object", "properties": {"id": {"type": "string"}}},
        {"type": "object", "properties": {"id": {"type": "integer"}}},
    ]
}
ANY_AND_PATTERN = {
    "type": "object",
    "properties": {"a": {"type": "any"}},
    "patternProperties": {"^[ab]$": {"type": "boolean"}},
}
UNSUPPORTED_PATTERN = {"type": "object", "patternProperties": {r"\u{61}": {"type": "integer"}}}

VALID: list[tuple[str, dict[str, Any], object]] = [
    ("nothing given", OPTIONS, {}),
    ("all given", OPTIONS, {"showConfirmDialog": True, "dialogMessage": "x"}),
    ("null for an optional property", OPTIONS, {"dialogMessage": None}),
    ("undefined for an optional property", OPTIONS, {"dialogMessage": UNDEFINED}),
    ("a required property", REQUIRED, {"name": STRING}),
    ("other properties of a type", TEXTS, {"a": "x", "b": ""}),
    ("any other property", BARE_TRUE, {"a": FUNCTION, "b": UNDEFINED}),
    ("any other property in an open object", BARE_TRUE, {"a": 1, ...: True}),
    ("a name that matches a pattern", PATTERNS, {"KEY2": "x", "key1": "y"}),
    ("a property of this manifest version", VERSIONS, {"old": "x"}),
    ("an unsupported property that is left out", UNSUPPORTED, {}),
    ("a missing property whose errors are only logged", ON_ERROR, {}),
]

UNCERTAIN: list[tuple[str, dict[str, Any], object]] = [
    ("an unknown property value", OPTIONS, {"showConfirmDialog": UNKNOWN}),
    ("a wrong value that may be absent", OPTIONS, {"showConfirmDialog": maybe("yes")}),
    ("an unknown property that may be absent", OPTIONS, {"shown": maybe(True)}),
    ("a wrong value or null", OPTIONS, {"showConfirmDialog": one_of("yes", None)}),
    ("a missing property of an open object", REQUIRED, {...: True}),
    ("a required property that may be absent", REQUIRED, {"name": maybe("x")}),
    ("an open object of one type", TEXTS, {"a": "x", ...: True}),
    ("a name and a pattern that is not understood", UNSUPPORTED_PATTERN, {"aa": "x"}),
    ("a wrong value whose errors are only logged", ON_ERROR, {"lenient": 1}),
    ("a type that a pattern refuses", ANY_AND_PATTERN, {"a": STRING}),
]

INVALID: list[tuple[dict[str, Any], object, list[str]]] = [
    (
        OPTIONS,
        {"showConfirmDialog": "yes"},
        ['`o.showConfirmDialog` must be a boolean, not the string "yes"'],
    ),
    (
        OPTIONS,
        {"showConfirmDialog": one_of("yes", 1)},
        ['`o.showConfirmDialog` must be a boolean, not the string "yes" or the number 1'],
    ),
    (OPTIONS, {"showConfirmDialogue": True}, ["unknown property `showConfirmDialogue`"]),
    (OPTIONS, {"showConfirmDialogue": UNDEFINED}, ["unknown property `showConfirmDialogue`"]),
    (
        OPTIONS,
        {"shown": 1, "dialogMessage": 2, ...: True},
        ["`o.dialogMessage` must be a string, not the number 2", "unknown property `shown`"],
    ),
    (REQUIRED, {}, ["`o.name` is required"]),
    (REQUIRED, {"name": None}, ["`o.name` must be a string, not null"]),
    (REQUIRED, {"name": maybe(1)}, ["`o.name` must be a string, not the number 1"]),
    (REQUIRED, MAP, ["`o` must be a plain object, not a Map"]),
    (TEXTS, {"a-b": 1}, ['`o["a-b"]` must be a string, not the number 1']),
    (PATTERNS, {"KEY2": 1, "key1": ""}, ["`o.KEY2` must be a string, not the number 1"]),
    (PATTERNS, {"key1": "1"}, ['`o.key1` must be a string that matches /^[a-z]*$/, not the string "1"']),
    (UNSUPPORTED, {"gone": "x"}, ["`o.gone` is not supported"]),
    (ON_ERROR, {"gone": "x"}, ["`o.gone` is not supported"]),
    ({"$ref": "Promise"}, {}, ["`o.then` is required"]),
    ({"$ref": "Promise"}, 5, ["`o` must be an object with `then` or a Promise, not the number 5"]),
    ({"$ref": "ExpectedError"}, {}, ["`o` must be a string, a RegExp or a function, not an empty object"]),
    ({"$ref": "ExpectedError"}, PROMISE, ["`o` must be a string, a RegExp or a function, not a Promise"]),
    (POINT_OR_NAME, {"name": 1}, ["`o.name` must be a string, not the number 1"]),
    (POINT_OR_NAME, {"x": 1, "y": 2, "other": 3}, ["unknown property `other`"]),
    (ACCOUNT, {"id": True}, ["`o.id` must be a string or an integer, not true"]),
    (ACCOUNT, {"name": "x"}, ["`o.id` is required", "unknown property `name`"]),
    ({"choices": [TEXTS, UNSUPPORTED]}, {"gone": 1}, ["`o` must be an object, not an object with `gone`"]),
    ({"type": "array", "items": REQUIRED}, [{"name": "x"}, {}], ["`o[1].name` is required"]),
    (
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}},
        {"a": [1, "2", 3.5]},
        [
            '`o.a[1]` must be an integer, not the string "2"',
            "`o.a[2]` must be an integer, not the number 3.5",
        ],
    ),
]

CHROMIUM: list[tuple[str, dict[str, Any], object, bool]] = [
    ("null for a required property", REQUIRED, {"name": None}, False),
    ("null for a required property of any type", {"type": "object", "properties": {"a": {"type": "any"}}},
     {"a": None}, False),
    ("a bare true for additional properties", BARE_TRUE, {"a": 1}, False),
    ("a schema for additional properties", TEXTS, {"a": "x"}, True),
    ("null for an additional property", TEXTS, {"a": None}, True),
    ("an additional property of the wrong type", TEXTS, {"a": 1}, False),
    ("additional properties that are ignored", {**REQUIRED, "ignoreAdditionalProperties": True},
     {"name": "x", "b": 1}, True),
    ("what cannot be serialized as an additional property", ANYTHING, {"a": FUNCTION}, True),
    ("a Map for optional properties", OPTIONS, MAP, True),
    ("a Map for required properties", REQUIRED, MAP, False),
    ("a property of another manifest version", VERSIONS, {"old": "x"}, True),
]  # fmt: skip


def problems(node: dict[str, Any], value: object, engine: Engine = Engine.GECKO) -> tuple[Problem, ...]:
    found = match(js(value), api_type(node), environment(engine))
    return found.problems if isinstance(found, No) else ()


@pytest.mark.parametrize(("node", "value"), [pytest.param(*each[1:], id=each[0]) for each in VALID])
def test_valid_object_matches(node: dict[str, Any], value: object) -> None:
    assert match(js(value), api_type(node), environment()) is YES


@pytest.mark.parametrize(("node", "value"), [pytest.param(*each[1:], id=each[0]) for each in UNCERTAIN])
def test_uncertain_object_may_match(node: dict[str, Any], value: object) -> None:
    assert match(js(value), api_type(node), environment()) is MAYBE


@pytest.mark.parametrize(
    ("node", "value", "messages"), [pytest.param(*each, id=" and ".join(each[2])) for each in INVALID]
)
def test_invalid_object_has_problems(node: dict[str, Any], value: object, messages: list[str]) -> None:
    assert sorted(each.message("o") for each in problems(node, value)) == messages


@pytest.mark.parametrize(
    ("node", "value", "right"), [pytest.param(*each[1:], id=each[0]) for each in CHROMIUM]
)
def test_object_in_chromium(node: dict[str, Any], value: object, right: bool) -> None:
    assert (problems(node, value, Engine.CHROMIUM) == ()) is right


def test_property_of_another_manifest_version_is_unexpected() -> None:
    found = match(js({"old": "x"}), api_type(VERSIONS), environment(manifest_version=3))
    assert isinstance(found, No)
    assert found.problems[0].message("o") == "`o.old` is only available in Manifest V2"


def test_nearest_property_is_suggested() -> None:
    (problem,) = problems(OPTIONS, {"showConfirmDialogue": True})
    assert problem.help == "did you mean `showConfirmDialog`?"


def test_nearest_enum_value_is_suggested() -> None:
    (problem,) = problems({"$ref": "Level"}, "nromal")
    assert problem.message("level") == (
        '`level` must be one of "low", "normal" or "high", not the string "nromal"'
    )
    assert problem.help == "did you mean `normal`?"


def test_problem_has_the_span_of_its_value() -> None:
    wrong = Literal(JsKind.NUMBER, 1.0, (10, 11))
    value = ObjectValue(
        {"dialogMessage": Field(wrong, (2, 8)), "other": Field(UNKNOWN, (20, 25))}, span=(1, 30)
    )
    spans = {each.path: (each.what, each.span) for each in problems(OPTIONS, value)}
    assert spans == {("dialogMessage",): ("value", (10, 11)), ("other",): ("unexpected", (20, 25))}
    (missing,) = problems(REQUIRED, ObjectValue(span=(1, 3)))
    assert (missing.what, missing.path, missing.span) == ("missing", ("name",), (1, 3))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("x" * 10_000, f'"{"x" * 39}…"', id="long"),
        pytest.param("\ud800", '"\\u{d800}"', id="a lone surrogate"),
        pytest.param('\x1b[31m"\n\\', '"\\u{1b}[31m\\"\\n\\\\"', id="control characters and quotes"),
        pytest.param("é\U0001f600", '"é\U0001f600"', id="letters that can be shown"),
    ],
)
def test_strings_in_messages_are_truncated_and_escaped(text: str, shown: str) -> None:
    (problem,) = problems({"type": "integer"}, text)
    assert problem.message("n") == f"`n` must be an integer, not the string {shown}"
