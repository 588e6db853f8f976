"""The differences between browsers in what they read, and the schema by which each of them validates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import Schema, subschemas
from extlint.text.json.values import JsonValue
from extlint.text.wording import quoted
from extlint_schemas import json_schema

VERSIONS = (2, 3)
"""The manifest versions."""

_IGNORES_NULL = Engine.GECKO
"""Firefox treats a key whose value is null as missing. Verified in Firefox 153.7."""


def schema_of(browser: str, version: int) -> str:
    """Returns the name of the JSON Schema of a browser's manifests of a version."""
    return f"manifests/{browser}_{version}"


def visible_value(value: JsonValue, browser: str, version: int) -> JsonValue:
    """Returns the manifest without the parts that a browser ignores."""
    if engine_of(browser) is not _IGNORES_NULL:
        return value
    return without_nulls(json_schema(schema_of(browser, version)), value)


DEPRECATED = "deprecated-key"


class Verdict(Struct, frozen=True):
    """The verdict of one browser: the mistakes, and the keys that it leaves to other browsers.

    `is_decisive` is false if the reaction of another browser decides how severe a common mistake is.
    """

    mistakes: Sequence[Mistake]
    foreign: frozenset[Steps] = frozenset()
    is_decisive: bool = True

    def is_foreign(self, steps: Steps) -> bool:
        """Whether a location is, or is below, a key that only other browsers read."""
        return any(steps[:length] in self.foreign for length in range(1, len(steps) + 1))

    def mistakes_by_location(self) -> Mapping[object, Mistake]:
        """Returns the mistakes by location: the path, and the first key that is missing there."""
        return {_location(each): each for each in reversed(self.mistakes)}


def _location(mistake: Mistake) -> object:
    """Returns a key for the location of a mistake.

    Deprecated values, and those for other browsers, get distinct keys, because they are not wrong yet.
    """
    return mistake.steps, mistake.missing[:1], mistake.rule == DEPRECATED, mistake.reaction is Reaction.SKIPS


def agreed_mistakes(verdicts: Sequence[Verdict]) -> Iterator[Mistake]:
    """Yields the mistakes at locations where every browser that reads them finds one, each location once."""
    reported: set[object] = set()
    with_places = [(each, each.mistakes_by_location()) for each in verdicts]
    for own in verdicts:
        for mistake in own.mistakes:
            place = _location(mistake)
            other_verdicts = [(each, places) for each, places in with_places if each is not own]
            if place not in reported and all(
                place in places or each.is_foreign(mistake.steps) for each, places in other_verdicts
            ):
                reported.add(place)
                every = [mistake, *(places[place] for _, places in other_verdicts if place in places)]
                preferred = next((each for each in every if _has_suggestion(each)), mistake)
                decisive = [places for each, places in with_places if each.is_decisive]
                reacting = [each[place] for each in decisive if place in each]
                yield replace(preferred, reaction=_strictest_reaction(reacting))


def _strictest_reaction(mistakes: Sequence[Mistake]) -> Reaction | None:
    """Returns the strictest reaction of the browsers to a mistake.

    Returns None if it is unknown for one of them: then the rule decides.
    """
    found = [each.reaction for each in mistakes if each.reaction is not None]
    return max(found, default=None) if len(found) == len(mistakes) else None


def _has_suggestion(mistake: Mistake) -> bool:
    """Whether a mistake names the correct value: the key that one of the browsers has."""
    return mistake.suggestion is not None


def with_null(mistake: Mistake, holder: JsonValue) -> Mistake:
    """Returns a mistake about a missing key as one about a wrong value, if the key exists and is null.

    `holder` is the object at the location of the mistake as its author wrote it.
    """
    key = next((key for key in mistake.missing if isinstance(holder, dict) and key in holder), None)
    if key is None:
        return mistake
    message = f"{quoted(key)} must not be null"
    return Mistake("invalid-value", (*mistake.steps, key), message, reaction=mistake.reaction)


def without_nulls(schema: Schema, value: JsonValue) -> JsonValue:
    """Returns a value without the keys that are null, if the schema names them.

    Keys with arbitrary names, and keys of the other manifest version, are preserved.
    """
    return _strip(schema, (schema,), value) if _has_null(value) else value


_INACTIVE_VALUES = (None, False, 0, "")
"""Values with which a key does not turn a manifest into another kind."""


def _has_null(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(each is None or _has_null(each) for each in value.values())
    return isinstance(value, list) and any(map(_has_null, value))


def _strip(schema: Schema, nodes: Sequence[Schema], value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_strip(schema, tuple(_subschemas(schema, nodes, at)), each) for at, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    nodes = tuple(_resolve_conditions(node, value) for node in nodes)
    stripped: dict[str, Any] = {}
    for key, each in value.items():
        inner = tuple(_subschemas(schema, nodes, key))
        if each is not None or not _is_named(schema, nodes, key):
            stripped[key] = _strip(schema, inner, each)
    return stripped


def _resolve_conditions(node: Schema, value: Mapping[str, JsonValue]) -> Schema:
    """Returns the schema for the kind of manifest that a value is, by the key that decides it."""
    while "if" in node:
        (key,) = node["if"]["required"]
        node = node["else"] if value.get(key) in _INACTIVE_VALUES else node.get("then", {})
    return node


def _subschemas(schema: Schema, nodes: Sequence[Schema], step: str | int) -> Iterator[Schema]:
    return (inner for node in nodes for inner in subschemas(schema, node, step))


def _is_named(schema: Schema, nodes: Sequence[Schema], key: str) -> bool:
    found = [inner for node in nodes for inner in subschemas(schema, node, key, named=True, patterns=False)]
    return bool(found) and not any("x-only-in" in each for each in found)
