"""From facts about browsers to the JSON Schema of a declarativeNetRequest rule in each."""

from __future__ import annotations

from collections.abc import Mapping

from extlint_facts.manifests.documents import GENERATED, used
from extlint_facts.manifests.draft import Draft, Json
from extlint_facts.manifests.overlay import changed, rows
from extlint_facts.manifests.types import types_of
from extlint_facts.writing import to_text

FOLDER = "request_rules"
BROWSERS = ("firefox", "chrome")
_RULE = "declarativeNetRequest.Rule"
_VERSION = 3


def files(facts: Mapping[str, str]) -> dict[str, str]:
    """The schemas, by their paths in the package of the schemas.

    `facts` are the texts of the other files by their paths. Raises StaleRowError for a row by hand that
    fits nowhere.
    """
    return {f"{FOLDER}/{browser}.json": to_text(document(facts, browser)) for browser in BROWSERS}


def document(facts: Mapping[str, str], browser: str) -> Json:
    """The schema of one rule in a browser."""
    types = types_of(facts, browser)
    draft = Draft(types, browser, _VERSION)
    top = draft.schema(changed(types, types[_RULE], rows(f"{browser}_rules")))
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": GENERATED,
        "title": f"A rule of declarativeNetRequest in {browser}",
        **top,
        "definitions": dict(sorted(used(top, draft.definitions))),
    }
