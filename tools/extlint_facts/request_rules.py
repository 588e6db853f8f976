"""Converts facts about browsers to the JSON Schema of a declarativeNetRequest rule in each."""

from __future__ import annotations

from collections.abc import Mapping

from extlint_facts.corrections.types import apply_changes, changes
from extlint_facts.manifests.documents import GENERATED, referenced_definitions
from extlint_facts.manifests.json_schema import Json, SchemaBuilder
from extlint_facts.manifests.types import types_of
from extlint_facts.serialization import to_text

FOLDER = "request_rules"
BROWSERS = ("firefox", "chrome")
_RULE = "declarativeNetRequest.Rule"
_VERSION = 3


def files(facts: Mapping[str, str]) -> dict[str, str]:
    """Returns the schemas, by their paths in the schemas package.

    `facts` are the texts of the other files, by path. Raises StaleCorrectionError for a correction
    that matches nothing.
    """
    return {f"{FOLDER}/{browser}.json": to_text(document(facts, browser)) for browser in BROWSERS}


def document(facts: Mapping[str, str], browser: str) -> Json:
    """Returns the schema of one rule in a browser."""
    types = types_of(facts, browser)
    builder = SchemaBuilder(types, browser, _VERSION)
    top = builder.schema(apply_changes(types, types[_RULE], changes(browser, "request rule")))
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": GENERATED,
        "title": f"A rule of declarativeNetRequest in {browser}",
        **top,
        "definitions": dict(sorted(referenced_definitions(top, builder.definitions))),
    }
