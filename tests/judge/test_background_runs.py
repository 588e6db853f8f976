"""The remaining state of a restarted background in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.background_runs import LISTENERS, MENU, disagreements, observe

MESSAGES = {
    "chromium": "error: Cannot create item with duplicate id judge",
    "firefox": "error: The menu id judge already exists in menus.create.",
}


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_state_after_restart_matches_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    assert observed[MENU] == MESSAGES[browser]
    there = [name for name in LISTENERS if observed[name] == "there"]
    assert there[:4] == [*LISTENERS][:4]
    assert set(there).isdisjoint([*LISTENERS][-2:])


def test_disagreements_are_listed() -> None:
    first, *other_listeners = LISTENERS
    observed = {MENU: "error: ", first: "missing", **dict.fromkeys(other_listeners, "there")}
    assert [*disagreements("chromium", observed)] == [
        f"{MENU}: extlint says that creating it again fails",
        f"{first}: extlint says that it is there in time",
    ]
