"""Compares extlint with Mozilla's linter on message files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness import lint, manifest

from extlint.text.json.reader import read_json
from extlint.text.positions import TextIndex

CASES = (
    Path(__file__).resolve().parents[3] / "shared" / "conformance" / "addons-linter" / "locale_schema.json"
)
FILE = "_locales/en/messages.json"
RULES = ["invalid-value", "missing-key", "unknown-key", "duplicate-key", "undefined-placeholder"]

EXPLAINED = {
    "locale_schema-4474acc3c71a": "right for its schema, and a warning in its own code: a message "
    "`@@extension_id` is never shown, which is told here too",
    "locale_schema-cb3cea2bdadc": "right for its schema, and a mistake in its own code: of two placeholders "
    "that differ in letter case Firefox takes the last and Chrome the first, which is told here too",
}
"""The cases with a different result here, and why."""


def cases() -> list[Any]:
    return json.loads(CASES.read_text("utf-8")) if CASES.exists() else []


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not part of the project")
@pytest.mark.parametrize("case", [pytest.param(each, id=each["id"]) for each in cases()])
def test_message_files_agree_with_mozillas_linter(case: Any) -> None:
    text = json.dumps(case["manifest"])
    findings = lint({"manifest.json": manifest(default_locale="en"), FILE: text}, RULES, "firefox")
    assert (case["id"] in EXPLAINED) == (case["expect"]["valid"] == bool(findings))
    root, index = read_json(text.encode()).root, TextIndex(text.encode())
    assert root is not None
    for error in case["expect"]["errors"]:
        found = root.get(*error["instance_path"].split("/")[1:])
        assert found is not None
        place = index.span(*found.span)
        assert any(place.start <= each.span.start and each.span.end <= place.end for each in findings)
