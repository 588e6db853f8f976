"""The access of content scripts to `storage.session` in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.session_access import CALLS, disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_session_access_matches_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    assert "works" not in observed["closed"].values()


def test_disagreements_are_listed() -> None:
    works, fails = dict.fromkeys(CALLS, "works"), dict.fromkeys(CALLS, "no")
    assert [*disagreements("chromium", {"closed": fails, "open": works})] == []
    assert [*disagreements("chromium", {"closed": works, "open": fails})][::5] == [
        "closed: extlint says that clear() fails",
        "open: extlint says that clear() works",
    ]
