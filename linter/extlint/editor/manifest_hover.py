"""Hover in manifests."""

from __future__ import annotations

from extlint.api_lookup.manifest_keys import find_key
from extlint.editor.audience import Audience
from extlint.editor.loose_json import Offsets, place_at, read_loosely
from extlint.editor.markdown import key_markdown, pattern_markdown, permission_markdown
from extlint.editor.text_cursor import TextCursor
from extlint.manifest.manifest import REQUESTS, is_host_pattern
from extlint.permissions.lookup import find_permission
from extlint.permissions.prompts import prompt_for
from extlint.permissions.requests import Kind, Request
from extlint.targets.request import FACTS_OF, engine_of
from extlint.text.positions import Position, Span
from extlint_schemas import TARGETS

_REFERENCE, *BROWSERS = TARGETS
_NO_SPAN = Span(Position(1, 1), Position(1, 1))


def hover_in_manifest(audience: Audience, cursor: TextCursor) -> tuple[Offsets, str] | None:
    """Returns the offsets of the key or value at the cursor, and what is known about it."""
    place = place_at(read_loosely(cursor.text), cursor.offset)
    if place is None or place.token is None:
        return None
    at = place.token.start, place.token.end
    names = [each for each in place.steps if isinstance(each, str)]
    name = place.token.content
    if (
        not place.at_key
        and is_host_pattern(name)
        and ((names[:1] and names[0] in REQUESTS) or "matches" in names)
    ):
        return at, pattern_markdown(audience, name, _prompts(audience, name))
    if not place.at_key and names[:1] and names[0] in REQUESTS:
        permission = find_permission(name, audience.names) or find_permission(name, BROWSERS)
        return None if permission is None else (at, permission_markdown(audience, permission))
    if place.container.opening == "{" and place.member is not None and place.member.key is not None:
        names.append(place.member.key.content)
    name = ".".join(names)
    key = find_key(name, audience.names) or find_key(name, BROWSERS)
    return None if key is None else (at, key_markdown(audience, key))


def _prompts(audience: Audience, pattern: str) -> dict[str, str]:
    """Returns the prompt that a host pattern causes in each target, as far as those are known."""
    request = Request(pattern, Kind.REQUIRED, _NO_SPAN)
    engines = {each: engine_of(each) for each in audience.names}
    return {
        target: f"to {phrase}" if (phrase := prompt_for(engine, request)) else "nothing"
        for target, engine in engines.items()
        if engine is not None and engine in FACTS_OF
    }
