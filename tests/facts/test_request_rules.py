"""The schemas of declarativeNetRequest rules: generated from the facts and manual rows."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft7Validator

from extlint.text.formats.registry import FORMATS
from extlint_facts import renewal
from extlint_facts.request_rules import BROWSERS, files

COMMITTED = renewal.committed(renewal.SCHEMAS)
GENERATED = {path: text for path, text in COMMITTED.items() if path.startswith("request_rules/")}
FACTS = {path: text for path, text in COMMITTED.items() if path.partition("/")[0] in ("chrome", "firefox")}


def test_committed_schemas_match_the_facts() -> None:
    assert files(FACTS) == GENERATED


@pytest.mark.parametrize("browser", BROWSERS)
def test_schema_is_valid_and_names_known_formats(browser: str) -> None:
    text = GENERATED[f"request_rules/{browser}.json"]
    schema = json.loads(text)
    Draft7Validator.check_schema(schema)
    assert {"id", "action", "condition"} <= set(schema["required"])
    assert all(name in FORMATS for name in ("url",) if f'"format": "{name}"' in text)
