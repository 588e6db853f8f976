"""The resources that content scripts can load in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.resources import disagreements
from extlint_judge.resources.observation import IN_STYLES, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_blocked_resources_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(observed)] == []
    if browser == "chromium":
        assert observed["version 3"][IN_STYLES] == {"listed": True, "elsewhere": False, "unlisted": False}


def test_disagreements_are_listed() -> None:
    loaded: dict[str, bool | None] = dict.fromkeys(("listed", "elsewhere", "unlisted"), True)
    assert [*disagreements({"version 3": {"image": loaded}})] == [
        "version 3: extlint says that nothing loads what is listed for other pages, but image does",
        "version 3: extlint says that nothing loads what is listed nowhere, but image does",
    ]
