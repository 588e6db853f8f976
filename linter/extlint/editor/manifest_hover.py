"""Hover in manifests."""

from __future__ import annotations

from extlint.api_lookup.manifest_keys import find_key
from extlint.editor.audience import Audience
from extlint.editor.loose_json import Offsets, place_at, read_loosely
from extlint.editor.markdown import key_markdown, permission_markdown
from extlint.editor.text_cursor import TextCursor
from extlint.manifest.manifest import REQUESTS
from extlint.permissions.lookup import find_permission
from extlint_schemas import TARGETS

_REFERENCE, *BROWSERS = TARGETS


def hover_in_manifest(audience: Audience, cursor: TextCursor) -> tuple[Offsets, str] | None:
    """Returns the offsets of the key or value at the cursor, and what is known about it."""
    place = place_at(read_loosely(cursor.text), cursor.offset)
    if place is None or place.token is None:
        return None
    at = place.token.start, place.token.end
    names = [each for each in place.steps if isinstance(each, str)]
    if not place.at_key and names[:1] and names[0] in REQUESTS:
        name = place.token.content
        permission = find_permission(name, audience.names) or find_permission(name, BROWSERS)
        return None if permission is None else (at, permission_markdown(audience, permission))
    if place.container.opening == "{" and place.member is not None and place.member.key is not None:
        names.append(place.member.key.content)
    name = ".".join(names)
    key = find_key(name, audience.names) or find_key(name, BROWSERS)
    return None if key is None else (at, key_markdown(audience, key))
