"""Completes keys, names of rules and other values in the configuration of extlint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from posixpath import basename

from extlint.linting.configuration.keys import configuration_schema
from extlint.services.editor.documents.completion import Completion
from extlint.services.editor.documents.json_insertion import may_begin, written
from extlint.services.editor.documents.loose_json import Offsets, place_at, read_loosely
from extlint.services.editor.documents.text_cursor import TextCursor
from extlint.services.editor.documents.toml_place import TomlPlace, toml_place_at
from extlint.services.editor.rule_names import rule_detail, rule_documentation
from extlint.services.editor.schema_places import KnownKey, TargetSchema, described_types, keys_at, values_at

_TABLES = {"extlint.toml": (), ".extlint.toml": (), "pyproject.toml": ("tool", "extlint")}
_JSON_FILE = "package.json"
_JSON_KEY = "extlint"


def is_configuration(path: str) -> bool:
    """Whether a file may contain a configuration, by its name."""
    return basename(path) in _TABLES or basename(path) == _JSON_FILE


def configuration_completions(cursor: TextCursor) -> Sequence[Completion]:
    """Returns the keys or values that fit at the cursor in a configuration."""
    name = basename(cursor.path)
    return _in_json(cursor) if name == _JSON_FILE else _in_toml(cursor, _TABLES[name])


@cache
def _schemas() -> Sequence[TargetSchema]:
    schema = configuration_schema()
    return (TargetSchema("", schema, schema),)


def _in_json(cursor: TextCursor) -> Sequence[Completion]:
    place = place_at(read_loosely(cursor.text), cursor.offset)
    if place is None or place.steps[:1] != (_JSON_KEY,):
        return ()
    own = None if place.token is None else place.token.content
    if (
        place.token is None
        and not may_begin(cursor, place)
        and (place.at_key or place.container.opening == "[")
    ):
        return ()
    if place.at_key:
        has_colon = place.member is not None and place.member.colon is not None
        present = {each for each in place.container.keys if each != own}
        return [
            _item(
                cursor,
                each.name,
                described_types(each),
                *written(cursor, place.token, each.name, ending),
                each,
            )
            for each in keys_at(_schemas(), place.steps[1:])
            if each.name not in present
            for ending in ["" if has_colon else ": "]
        ]
    present = {each for each in place.container.strings if each != own}
    return [
        _item(cursor, each.text, "", *written(cursor, place.token, each.text, ""))
        for each in values_at(_schemas(), place.value_steps[1:])
        if each.text not in present and each.is_string
    ]


def _in_toml(cursor: TextCursor, prefix: Sequence[str]) -> Sequence[Completion]:
    place = toml_place_at(cursor.text, cursor.offset)
    if place is None or place.steps[: len(prefix)] != tuple(prefix):
        return ()
    steps = place.steps[len(prefix) :]
    if place.at_key:
        return [
            _item(cursor, each.name, described_types(each), place.span, _toml_key(place, each.name), each)
            for each in keys_at(_schemas(), steps)
            if each.name not in place.present
        ]
    return [
        _item(cursor, each.text, "", place.span, _toml_value(place, each.text, is_string=each.is_string))
        for each in values_at(_schemas(), steps)
        if each.text not in place.present and (each.is_string or not place.quote)
    ]


def _toml_key(place: TomlPlace, name: str) -> str:
    return name + place.missing_quote + ("" if place.has_equals else " = ")


def _toml_value(place: TomlPlace, text: str, *, is_string: bool) -> str:
    if not is_string:
        return text
    return text + place.missing_quote if place.quote else f'"{text}"'


def _item(
    cursor: TextCursor, name: str, detail: str, at: Offsets, insert: str, key: KnownKey | None = None
) -> Completion:
    start, end = (cursor.position(each) for each in at)
    if rule_detail(name) and (key is None or not key.description):
        return Completion(name, "rule", rule_detail(name), rule_documentation(name), start, end, insert)
    kind, documentation = ("value", "") if key is None else ("key", key.description)
    return Completion(name, kind, detail, documentation, start, end, insert)
