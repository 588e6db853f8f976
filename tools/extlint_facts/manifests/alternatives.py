"""Compares alternative schemas by form, and joins them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]


def has_same_form(way: Json, other: Json) -> bool:
    """Whether two schemas describe the same form, and differ only in keys."""
    if way.get("type") != other.get("type"):
        return False
    if way.get("type") == "array":
        return has_same_form(way.get("items", {}), other.get("items", {}))
    return way.get("type") == "object"


def shape(schema: Json) -> Json:
    """Returns the part of a schema that distinguishes its form, and the browser's reaction to an error."""
    kind: Json = {key: schema[key] for key in ("type", "x-on-error") if key in schema}
    if kind.get("type") == "array" and isinstance(schema.get("items"), dict) and "type" in schema["items"]:
        kind["items"] = {"type": schema["items"]["type"]}
        kind["minItems"] = 1
    return kind


def merge_enums(ways: Iterable[Json]) -> Iterator[Json]:
    """Yields the alternatives, with all string enums merged into one."""
    listed = list(ways)
    enums = [each for each in listed if set(each) == {"type", "enum"} and each["type"] == "string"]
    if enums:
        values = dict.fromkeys(value for each in enums for value in each["enum"])
        yield {"type": "string", "enum": list(values)}
    seen: list[Json] = []
    for each in listed:
        if each not in enums and each not in seen:
            seen.append(each)
            yield each
