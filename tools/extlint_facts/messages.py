"""The JSON Schema of a locale's `messages.json` in each browser.

No package describes these files. Firefox 153 and Chromium 156 were asked which ones they refuse: Firefox
those with a message that is no object or has no text, Chromium more. A placeholder without `content` is
refused by Chromium alone, but Firefox puts nothing in its place. `description` and `example` are read by
neither, and keys that they do not know trouble neither.
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
    """The schemas, by their paths in the package of the schemas."""
    return {
        f"{FOLDER}/{browser}.json": to_text(document(browser, placeholders))
        for browser, placeholders in _PLACEHOLDERS.items()
    }


def document(browser: str, placeholders: Json) -> Json:
    """The schema of a whole file in a browser."""
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
