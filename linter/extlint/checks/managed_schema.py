"""The mistakes in the schema of managed storage, with which Chrome does not load the extension.

Chrome reads a small part of JSON Schema, and Firefox does not read the file at all. Verified in Chromium 156
and Firefox 153 (`extlint_judge managed-schemas`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from extlint.schema.validation.mistake import Mistake, Steps
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.wording import listed, quoted

TYPES = ("array", "boolean", "integer", "number", "object", "string")

_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "additionalProperties": (dict, "an object"),
    "description": (str, "a string"),
    "enum": (list, "a list"),
    "id": (str, "a string"),
    "items": (dict, "an object"),
    "maximum": ((int, float), "a number"),
    "minimum": ((int, float), "a number"),
    "pattern": (str, "a string"),
    "patternProperties": (dict, "an object"),
    "properties": (dict, "an object"),
    "required": (list, "a list"),
    "title": (str, "a string"),
}
_READ_BY_TYPE = {
    "array": ("items",),
    "object": ("additionalProperties", "patternProperties", "properties", "required"),
}
_ALWAYS_READ = ("description", "enum", "id", "maximum", "minimum", "pattern", "title")
_ENUM_TYPES: Mapping[str, type] = {"integer": int, "string": str}
_NOT_AT_TOP = ("additionalProperties", "patternProperties")

Schema = Mapping[str, Any]


def managed_schema_mistakes(schema: JsonValue) -> Iterator[Mistake]:
    """Yields the mistakes in the contents of a schema of managed storage."""
    if not isinstance(schema, dict):
        yield _wrong((), "the schema must be an object")
        return
    if schema.get("type") != "object":
        where: Steps = ("type",) if "type" in schema else ()
        yield _wrong(where, "the schema must have the type `object`")
        return
    for key in _NOT_AT_TOP:
        if isinstance(schema.get(key), dict):
            yield _wrong((key,), f"Chrome does not support {quoted(key)} at the top of the schema", True)
    found = list(_schemas((), schema))
    ids = [each["id"] for _, each in found if isinstance(each.get("id"), str)]
    seen: set[str] = set()
    for steps, each in found:
        if isinstance(each.get("id"), str):
            if each["id"] in seen:
                yield _wrong((*steps, "id"), f"the id {quoted(each['id'])} is already used")
            seen.add(each["id"])
        reference = each.get("$ref")
        if not isinstance(reference, str):
            yield from _own_mistakes(steps, each)
        elif reference not in ids:
            message = f"{quoted(reference)} is not the `id` of a schema in this file"
            meant = nearest(reference, ids)
            yield Mistake("invalid-value", (*steps, "$ref"), message, suggestion=meant)
        else:
            yield from _wrong_kinds(steps, each, _ALWAYS_READ)


def _schemas(steps: Steps, schema: JsonValue) -> Iterator[tuple[Steps, Schema]]:
    """Yields a schema and all those in it that Chrome reads, with their places."""
    waiting: list[tuple[Steps, JsonValue]] = [(steps, schema)]
    while waiting:
        at, each = waiting.pop(0)
        if not isinstance(each, dict):
            continue
        yield at, each
        kind = each.get("type")
        inner: list[tuple[Steps, JsonValue]] = []
        if kind == "array":
            inner.append(((*at, "items"), each.get("items")))
        elif kind == "object" and "$ref" not in each:
            inner.append(((*at, "additionalProperties"), each.get("additionalProperties")))
            for key in ("properties", "patternProperties"):
                named = each.get(key)
                if isinstance(named, dict):
                    inner += (((*at, key, name), part) for name, part in named.items())
        waiting[:0] = inner


def _own_mistakes(steps: Steps, schema: Schema) -> Iterator[Mistake]:
    kind = schema.get("type")
    if kind is None and "type" not in schema:
        message = "a schema must have a `type`, or a `$ref` to the `id` of another one"
        yield Mistake("missing-key", steps, message, missing=("type",))
        return
    if not isinstance(kind, str) or kind not in TYPES:
        accepted = f"Chrome accepts {listed(list(map(quoted, TYPES)), 'and')}"
        meant = nearest(kind.lower(), TYPES) if isinstance(kind, str) else None
        message = f"{quoted(kind)} is not a type" if isinstance(kind, str) else "`type` must be one string"
        yield Mistake("invalid-value", (*steps, "type"), message, suggestion=meant, accepted=accepted)
        return
    wrong = [*_wrong_kinds(steps, schema, (*_ALWAYS_READ, *_READ_BY_TYPE.get(kind, ())))]
    yield from wrong
    if wrong:
        return
    if kind == "array" and "items" not in schema:
        yield Mistake("missing-key", steps, "an array requires `items`", missing=("items",))
    if kind == "object":
        yield from _of_object(steps, schema)
    yield from _values(steps, schema, kind)
    yield from _pattern(steps, schema, kind)


def _wrong_kinds(steps: Steps, schema: Schema, keys: Iterable[str]) -> Iterator[Mistake]:
    for key in keys:
        accepted, words = _KINDS[key]
        if key in schema and (not isinstance(schema[key], accepted) or isinstance(schema[key], bool)):
            message = f"{quoted(key)} must be {words} in a schema of managed storage"
            yield _wrong((*steps, key), message)


def _of_object(steps: Steps, schema: Schema) -> Iterator[Mistake]:
    properties = schema.get("properties", {})
    for key in ("properties", "patternProperties"):
        for name, each in schema.get(key, {}).items():
            if not isinstance(each, dict):
                yield _wrong((*steps, key, name), f"the schema of {quoted(name)} must be an object")
    for at, name in enumerate(schema.get("required", ())):
        if not isinstance(name, str):
            yield _wrong((*steps, "required", at), "an item of `required` must be a string")
        elif name not in properties:
            message = f"`required` names {quoted(name)}, which is not in `properties`"
            yield Mistake(
                "invalid-value", (*steps, "required", at), message, suggestion=nearest(name, properties)
            )
    for pattern in schema.get("patternProperties", ()):
        yield from _refused_pattern((*steps, "patternProperties", pattern), pattern, at_key=True)


def _values(steps: Steps, schema: Schema, kind: str) -> Iterator[Mistake]:
    if "enum" in schema and kind not in ("array", "object"):
        accepted = _ENUM_TYPES.get(kind)
        if not schema["enum"]:
            yield _wrong((*steps, "enum"), "`enum` must not be empty")
        elif accepted is None:
            message = f"Chrome supports `enum` only for integers and strings, not for the type {quoted(kind)}"
            yield _wrong((*steps, "enum"), message, True)
        elif any(type(each) is not accepted for each in schema["enum"]):
            yield _wrong((*steps, "enum"), f"every item of `enum` must have the type {quoted(kind)}")
    limits = [key for key in ("minimum", "maximum") if key in schema]
    if limits and kind in ("boolean", "number", "string"):
        message = f"Chrome supports {quoted(limits[0])} only for integers, not for the type {quoted(kind)}"
        yield _wrong((*steps, limits[0]), message, True)
    elif kind == "integer" and len(limits) == 2 and schema["minimum"] > schema["maximum"]:
        yield _wrong((*steps, "minimum"), "`minimum` is greater than `maximum`")


def _pattern(steps: Steps, schema: Schema, kind: str) -> Iterator[Mistake]:
    if "pattern" not in schema or kind in ("array", "object"):
        return
    if kind != "string":
        message = f"Chrome supports `pattern` only for strings, not for the type {quoted(kind)}"
        yield _wrong((*steps, "pattern"), message, True)
    else:
        yield from _refused_pattern((*steps, "pattern"), schema["pattern"])


def _refused_pattern(steps: Steps, pattern: str, *, at_key: bool = False) -> Iterator[Mistake]:
    from extlint.checks.request_regex import chrome_rejection

    rejection = chrome_rejection(pattern, case_sensitive=True, captures=True)
    if rejection is not None and not rejection.too_large:
        message = f"{quoted(pattern)} is not a regular expression that Chrome accepts: {rejection.why}"
        yield _wrong(steps, message, at_key)


def _wrong(steps: Steps, message: str, at_key: bool = False) -> Mistake:
    return Mistake("invalid-value", steps, message, at_key=at_key)
