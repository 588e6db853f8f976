"""The schemas of message files."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft7Validator

from extlint_facts import renewal
from extlint_facts.messages import files

COMMITTED = renewal.committed(renewal.SCHEMAS)
GENERATED = {path: text for path, text in COMMITTED.items() if path.startswith("messages/")}


def test_committed_schemas_match_the_manual_source() -> None:
    assert files({}) == GENERATED


@pytest.mark.parametrize("browser", ["firefox", "chrome"])
def test_schema_is_valid(browser: str) -> None:
    Draft7Validator.check_schema(json.loads(GENERATED[f"messages/{browser}.json"]))
