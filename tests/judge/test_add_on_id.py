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
    observed = observe("firefox", command, tmp_path)
    assert [*disagreements(observed)] == []
    assert "addon ID" in observed["3: storage.sync.get"]
    assert observed["2: storage.local.set"].startswith("gives")


def test_disagreements_are_listed() -> None:
    refused = "fails: temporary addon ID"
    observed = {
        "2: storage.local.get": refused,
        "3: storage.sync.get": "gives",
        "3: storage.sync.set": refused,
    }
    assert [*disagreements(observed)] == [f"2: storage.local.get {refused}", "3: storage.sync.get gives"]
