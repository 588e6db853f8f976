"""Firefox's responses to add-ons without an id; skipped if it is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.add_on_id import disagreements, observe


def test_firefox_calls_that_require_an_id(tmp_path: Path) -> None:
    command = find("firefox")
    if command is None:
        pytest.skip("there is no firefox")
    said = observe("firefox", command, tmp_path)
    assert [*disagreements(said)] == []
    assert "addon ID" in said["3: storage.sync.get"]
    assert said["2: storage.local.set"].startswith("gives")


def test_disagreements_are_listed() -> None:
    refused = "fails: temporary addon ID"
    said = {"2: storage.local.get": refused, "3: storage.sync.get": "gives", "3: storage.sync.set": refused}
    assert [*disagreements(said)] == [f"2: storage.local.get {refused}", "3: storage.sync.get gives"]
