"""Calls that fit their schemas but that real browsers reject; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.refused_calls import BACKGROUNDS, CALLS, disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_rejected_calls_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    successful = {
        name: answer for name, answer in observed[next(iter(observed))].items() if answer.startswith("gives")
    }
    assert [*successful.values()] == ['gives {"a":1}', 'gives {"b":2,"c":2}']


def test_disagreements_are_listed() -> None:
    background = next(iter(BACKGROUNDS["chromium"]))
    works = {background: dict.fromkeys(CALLS, "works")}
    fails = {background: dict.fromkeys(CALLS, "fails: it must not")}
    assert f"{background}: a menu without an id: extlint says that it fails" in disagreements(
        "chromium", works
    )
    assert f"{background}: a menu with an id: extlint says that it works" in disagreements("chromium", fails)
