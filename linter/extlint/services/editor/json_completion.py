"""Completes keys and values of a manifest, and of the rule files of declarativeNetRequest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.checks.calls.types import ITEM, PossibleType
from extlint.manifest.manifest import COMMANDS
from extlint.schema.types import Property, RefType
from extlint.schema.words.types import type_text
from extlint.services.api_lookup.manifest_keys import find_key
from extlint.services.editor.audience import Audience
from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, Token, place_at, read_loosely
from extlint.services.editor.documents.text_cursor import Completion, TextCursor, may_begin, written
from extlint.services.editor.expected_types import booleans_of, properties_of, types_below, values_of
from extlint.services.editor.markdown import key_markdown, permission_markdown
from extlint.services.editor.schema_places import (
    KnownKey,
    KnownValue,
    TargetSchema,
    described_types,
    keys_at,
    manifest_schemas,
    values_at,
)
from extlint.services.permissions.prompts import find_permission
from extlint.text.json.values import Step
from extlint_schemas import thunderbird_names

_COMMANDS = ("commands",)
_LOCALES = "_locales"
_DEFAULT_LOCALE = ("default_locale",)
_REQUIRED, _EVERYWHERE, _SOMEWHERE, _DEPRECATED = range(4)


def manifest_completions(audience: Audience, cursor: TextCursor) -> Sequence[Completion]:
    """Returns the keys or the values that fit at the cursor in a manifest."""
    document = read_loosely(cursor.text)
    place = place_at(document, cursor.offset)
    if place is None or document.root is None:
        return ()
    schemas = list(manifest_schemas(audience, document.root.keys))
    if place.at_key:
        return _keys_of_manifest(audience, cursor, place, schemas)
    return _values_of_manifest(audience, cursor, place, schemas)


def _keys_of_manifest(
    audience: Audience, cursor: TextCursor, place: JsonPlace, schemas: Sequence[TargetSchema]
) -> Sequence[Completion]:
    if place.token is None and not may_begin(cursor, place):
        return ()
    own = None if place.token is None else place.token.content
    present = {each for each in place.container.keys if each != own}
    has_colon = place.member is not None and place.member.colon is not None
    items: dict[str, Completion] = {}
    for each in (*keys_at(schemas, place.steps), *_commands(audience, place)):
        if each.name in present or each.name in items:
            continue
        (start, end), insert = written(cursor, place.token, each.name, "" if has_colon else ": ")
        items[each.name] = _key_item(audience, cursor, place.steps, each, (start, end), insert)
    return tuple(items.values())


def _commands(audience: Audience, place: JsonPlace) -> Sequence[KnownKey]:
    """Returns the commands that browsers handle themselves for keys that the manifest has."""
    if place.steps != _COMMANDS:
        return ()
    own = [name for name, key in COMMANDS.items() if audience.manifest.get(key) is not None]
    return [KnownKey(each, ("object",), {*audience.names}) for each in own]


def _key_item(
    audience: Audience, cursor: TextCursor, steps: Sequence[Step], key: KnownKey, at: Offsets, insert: str
) -> Completion:
    note = audience.only_in(key.targets)
    is_deprecated = bool(key.deprecated_in) and key.deprecated_in == key.targets
    order = (
        _DEPRECATED
        if is_deprecated
        else _REQUIRED
        if key.is_required
        else _SOMEWHERE
        if note
        else _EVERYWHERE
    )
    name = ".".join([*(each for each in steps if isinstance(each, str)), key.name])
    known = find_key(name, audience.names)
    required = "required" if key.is_required else ""
    return Completion(
        key.name,
        "key",
        " – ".join(filter(None, (described_types(key), required, note))),
        "" if known is None else key_markdown(audience, known),
        cursor.position(at[0]),
        cursor.position(at[1]),
        insert,
        is_deprecated,
        f"{order}{key.name}",
    )


def _values_of_manifest(
    audience: Audience, cursor: TextCursor, place: JsonPlace, schemas: Sequence[TargetSchema]
) -> Sequence[Completion]:
    if place.container.opening == "[" and place.token is None and not may_begin(cursor, place):
        return ()
    own = None if place.token is None else place.token.content
    present = {each for each in place.container.strings if each != own}
    more_permissions = thunderbird_names().permissions if audience.is_for_thunderbird else frozenset()
    found = values_at(schemas, place.value_steps, more_permissions)
    if place.value_steps == _DEFAULT_LOCALE:
        found += [KnownValue(each, True, {*audience.names}) for each in _locales(audience)]
    return [
        _value_item(audience, cursor, place, each)
        for each in found
        if each.text not in present and (each.is_string or not _is_string(place.token))
    ]


def _locales(audience: Audience) -> Sequence[str]:
    """Returns the names of the locales in the package."""
    paths = (each.split("/") for each in audience.package.paths)
    return sorted({path[1] for path in paths if path[0] == _LOCALES and len(path) > 2})


def _value_item(audience: Audience, cursor: TextCursor, place: JsonPlace, value: KnownValue) -> Completion:
    if value.is_string:
        (start, end), insert = written(cursor, place.token, value.text, "")
    else:
        start = cursor.offset if place.token is None else place.token.start
        end = cursor.offset if place.token is None else place.token.end
        insert = value.text
    if place.token is None and cursor.text[cursor.offset - 1 : cursor.offset] == ":":
        insert = f" {insert}"
    note = audience.only_in(value.targets)
    known = find_permission(value.text, audience.names) if value.is_permission else None
    return Completion(
        value.text,
        "permission" if value.is_permission else "value",
        note,
        "" if known is None else permission_markdown(audience, known),
        cursor.position(start),
        cursor.position(end),
        insert,
        False,
        f"{_SOMEWHERE if note else _EVERYWHERE}{value.text}",
    )


def _is_string(token: Token | None) -> bool:
    return token is not None and token.kind == "string"


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
        return [each for each in _values_of_rule(audience, cursor, place) if each.label not in present]
    present = {each for each in place.container.keys if each != own}
    return [each for each in _keys_of_rule(audience, cursor, place) if each.label not in present]


def _may_begin(cursor: TextCursor, place: JsonPlace) -> bool:
    return (place.container.opening == "{" and not place.at_key) or may_begin(cursor, place)


def _types(audience: Audience, steps: Sequence[Step]) -> Iterator[tuple[str, tuple[PossibleType, ...]]]:
    """Yields the types of the value at the end of some steps, for each target."""
    names = [ITEM if isinstance(each, int) else each for each in steps[1:]]
    for extension in audience.extensions:
        yield extension.target.name, types_below(extension, [_RULE], names)


def _keys_of_rule(audience: Audience, cursor: TextCursor, place: JsonPlace) -> Iterator[Completion]:
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


def _values_of_rule(audience: Audience, cursor: TextCursor, place: JsonPlace) -> Iterator[Completion]:
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
