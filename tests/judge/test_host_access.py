"""The access to tabs and sites that real browsers give extensions; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.host_access import disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_host_access_matches_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path, ["nothing", "a content script on the site"])
    assert [*disagreements(browser, observed)] == []
    nothing = observed["3, nothing"]
    assert nothing["executeScript"].startswith("fails: ")
    assert nothing["fetch of a page for everybody"] == "works"


def test_disagreements_are_listed() -> None:
    observed = {
        "3, nothing": {"fields of its tab": "url", "executeScript": "works", "query by its url": "0 tabs"}
    }
    assert [*disagreements("chromium", observed)] == [
        "3, nothing: extlint says that there are no fields of its tab",
        "3, nothing: extlint says that executeScript fails",
    ]
