"""Hover: the facts about the name at a position in an editor, in manifests and scripts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import MEMBERS, Node
from extlint.analysis.syntax.nodes import AccessExpression, Pair
from extlint.analysis.values.api_results import result_of
from extlint.analysis.values.options import api_of
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.stack import checking_package
from extlint.checking.report_of import Settings
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.calls.types import PossibleType
from extlint.manifest.manifest import REQUESTS, is_host_pattern
from extlint.package.files import Package
from extlint.schema.model import Constant
from extlint.schema.targets import FACTS_OF, engine_of
from extlint.schema.words.types import type_text
from extlint.services.api_lookup.entry import Part
from extlint.services.api_lookup.manifest_keys import find_key
from extlint.services.editor.api_members import member_markdown
from extlint.services.editor.audience import Audience, audience_of
from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, place_at, read_loosely
from extlint.services.editor.documents.scripts import script_part_at
from extlint.services.editor.documents.text_cursor import TextCursor, cursor_at, decoded, encoded
from extlint.services.editor.expected_types import (
    ExpectedTypes,
    expected_types,
    properties_of,
    result_types,
    types_below,
    values_of,
)
from extlint.services.editor.markdown import (
    key_markdown,
    part_markdown,
    pattern_markdown,
    permission_markdown,
)
from extlint.services.editor.schema_places import described_types, keys_at, manifest_schemas
from extlint.services.editor.script_view import ScriptView, script_view
from extlint.services.permissions.prompts import Kind, Request, find_permission, prompt_for
from extlint.text.positions import START, Position
from extlint_schemas import TARGETS

_REFERENCE, *BROWSERS = TARGETS
_PATTERNS = ("matches", "exclude_matches")


def hover_in_manifest(audience: Audience, cursor: TextCursor) -> tuple[Offsets, str] | None:
    """Returns the offsets of the key or value at the cursor, and what is known about it."""
    document = read_loosely(cursor.text)
    place = place_at(document, cursor.offset)
    if place is None or place.token is None or document.root is None:
        return None
    find = _of_manifest_value if _is_request(place) else _of_manifest_key
    markdown = find(audience, place, document.root.keys)
    return ((place.token.start, place.token.end), markdown) if markdown else None


def _is_request(place: JsonPlace) -> bool:
    """Whether a place is an item of a list of permissions, or of patterns."""
    names = [each for each in place.steps if isinstance(each, str)]
    is_list = not place.at_key and place.container.opening == "["
    return is_list and bool(names) and (names[0] in REQUESTS or names[-1] in _PATTERNS)


def _of_manifest_value(audience: Audience, place: JsonPlace, _top_keys: Sequence[str]) -> str:
    name = "" if place.token is None else place.token.content
    if is_host_pattern(name):
        return pattern_markdown(audience, name, _prompts(audience, name))
    permission = find_permission(name, audience.names) or find_permission(name, BROWSERS)
    return "" if permission is None else permission_markdown(audience, permission)


def _of_manifest_key(audience: Audience, place: JsonPlace, top_keys: Sequence[str]) -> str:
    names = [each for each in place.steps if isinstance(each, str)]
    steps = place.steps
    if place.container.opening == "[":
        steps = tuple(names[:-1])
    elif place.member is not None and place.member.key is not None:
        names.append(place.member.key.content)
    name = ".".join(names)
    key = find_key(name, audience.names) or find_key(name, BROWSERS)
    if key is not None:
        return key_markdown(audience, key)
    listed = keys_at(manifest_schemas(audience, top_keys), steps)
    known = next((each for each in listed if names[-1:] == [each.name]), None)
    if known is None:
        return ""
    part = Part(known.name, described_types(known), not known.is_required)
    return part_markdown(part, ".".join(names[:-1]), audience.only_in(known.targets))


def _prompts(audience: Audience, pattern: str) -> dict[str, str]:
    """Returns the prompt that a host pattern causes in each target, as far as those are known."""
    request = Request(pattern, Kind.REQUIRED, START)
    engines = {each: engine_of(each) for each in audience.names}
    return {
        target: f"to {phrase}" if (phrase := prompt_for(engine, request)) else "nothing"
        for target, engine in engines.items()
        if engine is not None and engine in FACTS_OF
    }


_OBJECT_KEYS = frozenset({"property_identifier", "shorthand_property_identifier", "string"})


def hover_in_script(audience: Audience, cursor: TextCursor) -> tuple[Offsets, str] | None:
    """Returns the offsets of the name at the cursor, and what is known about it."""
    data = encoded(cursor.text)
    part = script_part_at(cursor.path, data, cursor.byte_offset(cursor.offset))
    if part is None or part.word[0] == part.word[1]:
        return None
    with script_view(audience.package, part, completes=False) as view:
        found = None if view is None else _hover(audience, view)
    if found is None:
        return None
    (start, end), markdown = found
    first, last = (len(decoded(data[: part.base + each])) for each in (start, end))
    return (first, last), markdown


def _hover(audience: Audience, view: ScriptView) -> tuple[Offsets, str] | None:
    leaf = view.leaf
    if leaf.type in ("string_fragment", "escape_sequence") and leaf.parent is not None:
        leaf = leaf.parent
    for find in (_of_script_value, _of_object_key, _of_string):
        if markdown := find(audience, view, leaf):
            return leaf.span, markdown
    return None


def _of_script_value(audience: Audience, view: ScriptView, leaf: Node) -> str:
    """Returns what is known about the member of the API, or the part of a result, that a name stands for."""
    up = leaf.parent
    if up is None:
        return ""
    if isinstance(up, AccessExpression) and up.type in MEMBERS and up.key.same(leaf):
        name = view.attempt(lambda: key_of(view.evaluator, up))
        return _of_member(audience, view.value(up.object), name)
    pattern = next((each for each in leaf.ancestors() if each.type == "object_pattern"), None)
    is_key = leaf.type == "shorthand_property_identifier_pattern" or (
        up.type == "pair_pattern" and leaf.is_field("key")
    )
    if pattern is not None and is_key:
        return _of_member(audience, view.value_of_pattern(pattern), view.source(leaf))
    if leaf.type in ("identifier", "shorthand_property_identifier"):
        api = api_of(view.value(leaf))
        return member_markdown(audience, api.path) if api is not None and api.path else ""
    return ""


def _of_member(audience: Audience, owner: Value, name: str | None) -> str:
    if name is None:
        return ""
    api = api_of(owner)
    if api is not None:
        return member_markdown(audience, (*api.path, name)) or _of_constant(audience, api.path, name)
    found = result_types(audience, owner)
    result = result_of(owner)
    if found is None or result is None:
        return ""
    return _of_property(audience, found, name)


def _of_constant(audience: Audience, path: ApiPath, name: str) -> str:
    """Returns what is known about a field of a property of the API, such as `runtime.lastError`."""
    found: dict[str, tuple[PossibleType, ...]] = {}
    for extension in audience.extensions:
        at = schema_path_of(extension, path) if path else None
        if at is not None and not at.rest and isinstance(at.member, Constant) and at.member.type is not None:
            found[extension.target.name] = types_below(extension, [at.member.type], ())
    return _of_property(audience, ExpectedTypes(path, found), name)


def _of_object_key(audience: Audience, view: ScriptView, leaf: Node) -> str:
    """Returns what is known about a key in an object that is passed to the API."""
    up = leaf.parent
    if up is None or leaf.type not in _OBJECT_KEYS:
        return ""
    owner = up if up.type == "object" else up.parent if isinstance(up, Pair) and up.key.same(leaf) else None
    if owner is None or owner.type != "object":
        return ""
    found = expected_types(view, audience, owner)
    name = view.source(leaf).strip("\"'")
    return "" if found is None else _of_property(audience, found, name)


def _of_property(audience: Audience, found: ExpectedTypes, name: str) -> str:
    having: set[str] = set()
    part: Part | None = None
    owner = ".".join(found.api)
    for target, types in found.by_target.items():
        listed = properties_of(types, audience.version).get(name)
        if listed is None:
            continue
        having.add(target)
        if part is None:
            kind = listed[1].name
            owner = owner if kind is None else f"{kind.namespace}.{kind.name}"
            part = Part(name, type_text(listed[0].type), listed[0].optional, listed[0].description)
    return "" if part is None else part_markdown(part, owner, audience.only_in(having))


def _of_string(audience: Audience, view: ScriptView, leaf: Node) -> str:
    """Returns what is known about a string that is one of the values of an enumeration."""
    if leaf.type != "string":
        return ""
    found = expected_types(view, audience, leaf)
    value = view.source(leaf)[1:-1]
    if found is None:
        return ""
    having: set[str] = set()
    description, owner = "", ".".join(found.api)
    for target, types in found.by_target.items():
        kind = values_of(types).get(value)
        if kind is None:
            continue
        having.add(target)
        if kind.name is not None and len(having) == 1:
            owner = f"{kind.name.namespace}.{kind.name.name}"
            description = value_description(audience, target, kind.name.namespace, kind.name.name, value)
    part = Part(f'"{value}"', owner, False, description)
    return part_markdown(part, owner, audience.only_in(having)) if having else ""


def value_description(audience: Audience, target: str, namespace: str, name: str, value: str) -> str:
    """Returns the description of a value of an enumeration, or an empty text."""
    schemas = next((each.schemas for each in audience.extensions if each.target.name == target), None)
    owner = None if schemas is None else schemas.namespace(namespace)
    return "" if owner is None else owner.value_descriptions(name).get(value, "")


class Hover(Struct, frozen=True):
    """A text in Markdown about the part of a document from `start` up to `end`."""

    start: Position
    end: Position
    markdown: str


@checking_package
def hover(package: Package, settings: Settings, path: str, text: str, position: Position) -> Hover | None:
    """Returns what is known about the name of the API, the manifest key or the permission at a position.

    `path` is the file's path in the extension, and `text` its text as it is now. Waits for the
    end of a check in another thread.
    """
    cursor = cursor_at(path, text, position)
    audience = audience_of(package, settings)
    if path == package.manifest_path or path in package.variants:
        found = hover_in_manifest(audience, cursor)
    else:
        found = hover_in_script(audience, cursor)
    if found is None:
        return None
    (start, end), markdown = found
    return Hover(cursor.position(start), cursor.position(end), markdown)
