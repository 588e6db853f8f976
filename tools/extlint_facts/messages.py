"""The JSON Schema of a locale's `messages.json` in each browser.

No package describes these files. Verified in Firefox 153 and Chromium 156: Firefox rejects files
with a message that is not an object or has no text; Chromium rejects more. Only Chromium rejects a
placeholder without `content`, but Firefox replaces it with nothing. Both ignore `description`, `example`
and unknown keys.
"""

from __future__ import annotations

from collections.abc import Mapping

from extlint_facts.manifests.documents import GENERATED
from extlint_facts.manifests.json_schema import Json
from extlint_facts.serialization import to_text

FOLDER = "messages"

_TEXT: Json = {"type": "string"}
_PLACEHOLDERS: Mapping[str, Json] = {
    "firefox": {"additionalProperties": {"type": "object", "required": ["content"]}},
    "chrome": {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": {"content": _TEXT},
            "required": ["content"],
        },
    },
}


def files(facts: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG001
    """Returns the schemas, by their paths in the schemas package."""
    return {
        f"{FOLDER}/{browser}.json": to_text(document(browser, placeholders))
        for browser, placeholders in _PLACEHOLDERS.items()
    }


def document(browser: str, placeholders: Json) -> Json:
    """Returns the schema of an entire file in a browser."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": GENERATED,
        "title": f"The messages of a locale in {browser}",
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": {"message": _TEXT, "placeholders": placeholders},
            "required": ["message"],
        },
    }
