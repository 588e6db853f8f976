"""The folders in which real browsers look for files named by calls; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.called_files import disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_folders_of_called_files_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    found = observed["a page of version 3"]["scripting.executeScript"]
    assert found["near" if browser == "firefox" else "root"] == "succeeds"


def test_disagreements_are_listed() -> None:
    observed = {"a page": {"tabs.create": {"root": "/folder/root.html", "near": "/folder/near.html"}}}
    assert [*disagreements("firefox", observed)] == []
    assert [*disagreements("chromium", observed)] == [
        "a page: extlint says that names in tabs.create are relative to the root of the package"
    ]
