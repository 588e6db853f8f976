"""The contexts in which scripts may import in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.imports import disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_import_restrictions_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    if browser == "chromium":
        assert "Cannot use import statement outside a module" in observed["classic-import.js"]
        assert "Failed to resolve module specifier" in observed["module-name.js"]


def test_disagreements_are_listed() -> None:
    observed = {
        "classic-import.js": "runs",
        "module-import.js": "Failed",
        "worker import()": "import() is disallowed",
    }
    assert [*disagreements("chromium", observed)] == [
        "classic-import.js: extlint says that it fails",
        "module-import.js: extlint says that it runs",
    ]
