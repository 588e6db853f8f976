"""The schemas of managed storage with which Chromium loads an extension."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.queries.packages import LOADED, load
from extlint_judge.query import Query, findings


def _with(schema: object) -> dict[str, object]:
    return {"type": "object", "properties": {"a": schema}}


_TEXT = {"type": "string"}
SCHEMAS: Mapping[str, object] = {
    "a list": [],
    "a type that is not object": _TEXT,
    "without a type": {"properties": {"a": _TEXT}},
    "without properties": {"type": "object"},
    "properties as a list": {"type": "object", "properties": []},
    "additional properties at the top": {"type": "object", "additionalProperties": _TEXT},
    "additional properties as false at the top": {"type": "object", "additionalProperties": False},
    "pattern properties at the top": {"type": "object", "patternProperties": {"a": _TEXT}},
    "required": {"type": "object", "properties": {"a": _TEXT}, "required": ["a"]},
    "required, but no property": {"type": "object", "properties": {"a": _TEXT}, "required": ["b"]},
    "required as a string": {"type": "object", "properties": {"a": _TEXT}, "required": "a"},
    "required as a number in a list": {"type": "object", "required": [1]},
    "an id": {"type": "object", "properties": {"a": {"$ref": "B"}, "b": {"id": "B", **_TEXT}}},
    "an id that occurs twice": {
        "type": "object",
        "properties": {"a": {"id": "B", **_TEXT}, "b": {"id": "B", **_TEXT}},
    },
    "an unknown id": _with({"$ref": "C"}),
    "a path in place of an id": {
        "type": "object",
        "definitions": {"B": _TEXT},
        "properties": {"a": {"$ref": "#/definitions/B"}},
    },
    "a reference next to a wrong title": {
        "type": "object",
        "properties": {"a": {"$ref": "B", "title": 4}, "b": {"id": "B", **_TEXT}},
    },
    "a string": _with("string"),
    "an empty object": _with({}),
    **{f"type {name}": _with({"type": name}) for name in ("any", "date", "null", "String", "text")},
    **{
        f"type {name}": _with({"type": name}) for name in ("boolean", "integer", "number", "object", "string")
    },
    "several types": _with({"type": ["string", "integer"]}),
    **{key: _with({key: [_TEXT]}) for key in ("anyOf", "choices", "oneOf")},
    "an array": _with({"type": "array", "items": _TEXT}),
    "an array without items": _with({"type": "array"}),
    "an array with a list of items": _with({"type": "array", "items": [_TEXT]}),
    "an array of wrong items": _with({"type": "array", "items": {"type": "x"}}),
    "additional properties": _with({"type": "object", "additionalProperties": _TEXT}),
    "additional properties as false": _with({"type": "object", "additionalProperties": False}),
    "additional properties of a string as false": _with({**_TEXT, "additionalProperties": False}),
    "pattern properties": _with({"type": "object", "patternProperties": {"^a": _TEXT}}),
    "pattern properties, a wrong one": _with({"type": "object", "patternProperties": {"(": _TEXT}}),
    "pattern properties, a string": _with({"type": "object", "patternProperties": {"a": "string"}}),
    "enum of strings": _with({**_TEXT, "enum": ["a"]}),
    "enum of integers": _with({"type": "integer", "enum": [1]}),
    "enum of numbers": _with({"type": "number", "enum": [1.5]}),
    "enum of booleans": _with({"type": "boolean", "enum": [True]}),
    "enum of another type": _with({**_TEXT, "enum": [1]}),
    "enum of objects": _with({"type": "object", "enum": [{}]}),
    "an empty enum": _with({**_TEXT, "enum": []}),
    "a range": _with({"type": "integer", "minimum": 1, "maximum": 2}),
    "a range in the wrong order": _with({"type": "integer", "minimum": 2, "maximum": 1}),
    "a range of a string": _with({**_TEXT, "minimum": 1}),
    "a minimum as a string": _with({"type": "integer", "minimum": "1"}),
    "a minimum of a number": _with({"type": "number", "minimum": 1}),
    "a minimum of an object": _with({"type": "object", "minimum": 1}),
    "a pattern": _with({**_TEXT, "pattern": "^[a-z]+$"}),
    "a wrong pattern": _with({**_TEXT, "pattern": "("}),
    "a pattern with lookahead": _with({**_TEXT, "pattern": "(?=a)b"}),
    "a pattern of an integer": _with({"type": "integer", "pattern": "a"}),
    "a pattern of an object": _with({"type": "object", "pattern": "a"}),
    "a title that is a number": _with({**_TEXT, "title": 1}),
    "keys that are not read": _with({**_TEXT, "default": 5, "format": 1, "minLength": "x", "other": 1}),
    "required as true in a string": _with({**_TEXT, "required": True}),
}


def extension_with(schema: object) -> Files:
    """Returns an extension with a schema of managed storage."""
    keys = manifest(permissions=["storage"], storage={"managed_schema": "schema.json"})
    return extension(keys, {"schema.json": json.dumps(schema)})


def _compare(browser: str, schema: object, answer: str) -> Iterator[str]:
    reported = findings(browser, extension_with(schema), "invalid-value", "missing-key")
    if bool(reported) is (answer == LOADED):
        yield f"extlint says that it is {'refused' if answer == LOADED else 'accepted'}"


managed_schemas = Query(
    "managed-schemas",
    """Query which schemas of managed storage Chromium takes.

    The exit code is 1 if extlint reports different ones.
    """,
    lambda _: SCHEMAS,
    lambda session, schema: load(session, extension_with(schema)),
    _compare,
    ("chromium",),
)
