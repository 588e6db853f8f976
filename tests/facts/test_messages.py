"""The schemas of message files."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft7Validator

from extlint_facts import renewal
from extlint_facts.messages import files

COMMITTED = renewal.committed(renewal.SCHEMAS)
MADE = {path: text for path, text in COMMITTED.items() if path.startswith("messages/")}


def test_what_is_committed_is_what_is_written_by_hand() -> None:
    assert files({}) == MADE


@pytest.mark.parametrize("browser", ["firefox", "chrome"])
def test_a_schema_is_valid(browser: str) -> None:
    Draft7Validator.check_schema(json.loads(MADE[f"messages/{browser}.json"]))
