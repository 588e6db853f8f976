"""Completion of keys and values in the rule files of declarativeNetRequest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.checks.calls.types import ITEM, PossibleType
from extlint.schema.types import Property, RefType
from extlint.schema.words.notation import type_text
from extlint.services.editor.audience import Audience
from extlint.services.editor.documents.completion import Completion
from extlint.services.editor.documents.json_insertion import may_begin, written
from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, place_at, read_loosely
from extlint.services.editor.documents.text_cursor import TextCursor
from extlint.services.editor.expected_types import booleans_of, properties_of, types_below, values_of
from extlint.text.json.values import Step

_RULE = RefType("declarativeNetRequest", "Rule")
_RESOURCES = ("declarative_net_request", "rule_resources")


def is_ruleset(audience: Audience, path: str) -> bool:
    """Whether the manifest names a file as a rule file."""
    found = audience.manifest.get(*_RESOURCES)
    names = () if found is None else (each.get("path") for each in found.items())
    return any(
        each is not None and isinstance(each.value, str) and each.value.removeprefix("./").lstrip("/") == path
        for each in names
    )


def ruleset_completions(audience: Audience, cursor: TextCursor) -> Sequence[Completion]:
    """Returns the keys or values that fit at the cursor in a rule file."""
    place = place_at(read_loosely(cursor.text), cursor.offset)
    if place is None or not place.steps or (place.token is None and not _may_begin(cursor, place)):
        return ()
    own = None if place.token is None else place.token.content
    if not place.at_key:
        present = {each for each in place.container.strings if each != own}
        return [each for each in _values(audience, cursor, place) if each.label not in present]
    present = {each for each in place.container.keys if each != own}
    return [each for each in _keys(audience, cursor, place) if each.label not in present]


def _may_begin(cursor: TextCursor, place: JsonPlace) -> bool:
    return (place.container.opening == "{" and not place.at_key) or may_begin(cursor, place)


def _types(audience: Audience, steps: Sequence[Step]) -> Iterator[tuple[str, tuple[PossibleType, ...]]]:
    """Yields the types of the value at the end of some steps, for each target."""
    names = [ITEM if isinstance(each, int) else each for each in steps[1:]]
    for extension in audience.extensions:
        yield extension.target.name, types_below(extension, [_RULE], names)


def _keys(audience: Audience, cursor: TextCursor, place: JsonPlace) -> Iterator[Completion]:
    found: dict[str, Property] = {}
    targets: dict[str, set[str]] = {}
    for target, types in _types(audience, place.steps):
        for name, (listed, _) in properties_of(types, audience.version).items():
            found.setdefault(name, listed)
            targets.setdefault(name, set()).add(target)
    has_colon = place.member is not None and place.member.colon is not None
    for name, listed in found.items():
        at, insert = written(cursor, place.token, name, "" if has_colon else ": ")
        required = "" if listed.optional else "required"
        notes = (type_text(listed.type), required, audience.only_in(targets[name]))
        sort = f"{int(listed.optional)}{name}"
        yield _item(
            cursor, name, "key", " – ".join(filter(None, notes)), at, insert, listed.description, sort
        )


def _values(audience: Audience, cursor: TextCursor, place: JsonPlace) -> Iterator[Completion]:
    strings: dict[str, set[str]] = {}
    flags: dict[str, None] = {}
    for target, types in _types(audience, place.value_steps):
        flags |= dict.fromkeys(booleans_of(types))
        for value in values_of(types):
            strings.setdefault(value, set()).add(target)
    for value, having in strings.items():
        at, insert = written(cursor, place.token, value, "")
        yield _item(cursor, value, "value", audience.only_in(having), at, insert)
    if place.token is None or place.token.kind != "string":
        at = (cursor.offset, cursor.offset) if place.token is None else (place.token.start, place.token.end)
        for flag in flags:
            yield _item(cursor, flag, "value", "", at, flag)


def _item(
    cursor: TextCursor,
    name: str,
    kind: str,
    detail: str,
    at: Offsets,
    insert: str,
    documentation: str = "",
    sort: str = "",
) -> Completion:
    start, end = (cursor.position(each) for each in at)
    return Completion(name, kind, detail, documentation, start, end, insert, sort=sort)
