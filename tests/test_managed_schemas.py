"""Mistakes in the schema of managed storage, with which Chrome does not load an extension."""

from __future__ import annotations

import json

import pytest
from harness import lint, manifest, reported

FILE = "schema.json"
RULES = ("invalid-value", "missing-key")


def messages(schema: object, target: str = "chrome") -> list[str]:
    """Returns the message of each finding in a schema, with its severity."""
    text = schema if isinstance(schema, str) else json.dumps(schema)
    keys = {"permissions": ["storage"], "storage": {"managed_schema": FILE}}
    files = {"manifest.json": manifest(**keys), FILE: text}
    return [f"{each.severity.name.lower()}: {each.message}" for each in lint(files, RULES, target)]


def of_property(**keys: object) -> dict[str, object]:
    return {"type": "object", "properties": {"a": keys}}


@pytest.mark.parametrize(
    "schema",
    [
        of_property(type="string", enum=["a"], pattern="^a", title="A", default=1),
        of_property(type="array", items={"type": "object", "properties": {"b": {"type": "number"}}}),
        of_property(type="object", additionalProperties={"type": "string"}),
        {"type": "object", "properties": {"a": {"$ref": "B"}, "b": {"id": "B", "type": "string"}}},
        {"$schema": "x", "type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]},
        '{"type": "object", /* a comment, and a comma */ "properties": {},}',
    ],
)
def test_right_schema_has_no_findings(schema: object) -> None:
    assert messages(schema) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ([], "the schema must be an object"),
        ({}, "the schema must have the type `object`"),
        (of_property(), "a schema must have a `type`, or a `$ref` to the `id` of another one"),
        (of_property(type="strin"), "`strin` is not a type; did you mean `string`?"),
        (
            of_property(type="object", properties={"b": {"type": ["string"]}}),
            "`type` must be one string; Chrome accepts `array`, `boolean`, `integer`, `number`, `object` and"
            " `string`",
        ),
        (of_property(type="array"), "an array requires `items`"),
        (of_property(type="string", enum=[1]), "every item of `enum` must have the type `string`"),
        (of_property(type="string", enum=[]), "`enum` must not be empty"),
        (
            of_property(type="boolean", enum=[True]),
            "Chrome supports `enum` only for integers and strings, not for the type `boolean`",
        ),
        (
            of_property(type="number", maximum=1),
            "Chrome supports `maximum` only for integers, not for the type `number`",
        ),
        (of_property(type="integer", minimum=2, maximum=1), "`minimum` is greater than `maximum`"),
        (
            of_property(type="integer", pattern="a"),
            "Chrome supports `pattern` only for strings, not for the type `integer`",
        ),
        (
            of_property(type="string", pattern="("),
            "`(` is not a regular expression that Chrome accepts: a `(` has no `)`",
        ),
        (of_property(type="string", title=1), "`title` must be a string in a schema of managed storage"),
        (of_property(**{"$ref": "C"}), "`C` is not the `id` of a schema in this file"),
        (
            {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["colour"]},
            "`required` names `colour`, which is not in `properties`; did you mean `color`?",
        ),
        ({"type": "object", "required": [1]}, "an item of `required` must be a string"),
        ({"type": "object", "properties": {"a": "string"}}, "the schema of `a` must be an object"),
        (
            {"type": "object", "properties": {"a": {"id": "A", "type": "string"}}, "id": "A"},
            "the id `A` is already used",
        ),
        (
            {"type": "object", "patternProperties": {}},
            "Chrome does not support `patternProperties` at the top of the schema",
        ),
    ],
)
def test_refused_schema_is_reported(schema: object, expected: str) -> None:
    assert messages(schema) == [f"error: {expected}"]


def test_firefox_does_not_read_the_schema() -> None:
    assert messages([], "firefox") == []


def test_mistake_is_located_in_the_schema() -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "text"}}}'
    keys = {"permissions": ["storage"], "storage": {"managed_schema": FILE}}
    assert reported({"manifest.json": manifest(**keys), FILE: schema}, RULES, "chrome") == [
        ("invalid-value", '"text"')
    ]
