"""Hover in manifests."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.manifest.manifest import REQUESTS, is_host_pattern
from extlint.schema.targets.request import FACTS_OF, engine_of
from extlint.services.api_lookup.entry import Part
from extlint.services.api_lookup.manifest_keys import find_key
from extlint.services.editor.audience import Audience
from extlint.services.editor.documents.loose_json import JsonPlace, Offsets, place_at, read_loosely
from extlint.services.editor.documents.text_cursor import TextCursor
from extlint.services.editor.markdown import (
    key_markdown,
    part_markdown,
    pattern_markdown,
    permission_markdown,
)
from extlint.services.editor.schema_places import described_types, keys_at, manifest_schemas
from extlint.services.permissions.lookup import find_permission
from extlint.services.permissions.prompts import prompt_for
from extlint.services.permissions.requests import Kind, Request
from extlint.text.positions import Position, Span
from extlint_schemas import TARGETS

_REFERENCE, *BROWSERS = TARGETS
_PATTERNS = ("matches", "exclude_matches")
_NO_SPAN = Span(Position(1, 1), Position(1, 1))


def hover_in_manifest(audience: Audience, cursor: TextCursor) -> tuple[Offsets, str] | None:
    """Returns the offsets of the key or value at the cursor, and what is known about it."""
    document = read_loosely(cursor.text)
    place = place_at(document, cursor.offset)
    if place is None or place.token is None or document.root is None:
        return None
    find = _of_value if _is_request(place) else _of_key
    markdown = find(audience, place, document.root.keys)
    return ((place.token.start, place.token.end), markdown) if markdown else None


def _is_request(place: JsonPlace) -> bool:
    """Whether a place is an item of a list of permissions, or of patterns."""
    names = [each for each in place.steps if isinstance(each, str)]
    is_list = not place.at_key and place.container.opening == "["
    return is_list and bool(names) and (names[0] in REQUESTS or names[-1] in _PATTERNS)


def _of_value(audience: Audience, place: JsonPlace, _top_keys: Sequence[str]) -> str:
    name = "" if place.token is None else place.token.content
    if is_host_pattern(name):
        return pattern_markdown(audience, name, _prompts(audience, name))
    permission = find_permission(name, audience.names) or find_permission(name, BROWSERS)
    return "" if permission is None else permission_markdown(audience, permission)


def _of_key(audience: Audience, place: JsonPlace, top_keys: Sequence[str]) -> str:
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
    request = Request(pattern, Kind.REQUIRED, _NO_SPAN)
    engines = {each: engine_of(each) for each in audience.names}
    return {
        target: f"to {phrase}" if (phrase := prompt_for(engine, request)) else "nothing"
        for target, engine in engines.items()
        if engine is not None and engine in FACTS_OF
    }
