"""The contexts that receive each other's messages in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.receivers import disagreements, observe

LOST = "fails: Could not establish connection. Receiving end does not exist."


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_undelivered_messages_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path, ("content", "background"))
    assert [*disagreements(browser, observed)] == []
    assert observed["content"]["background"]["runtime.sendMessage"] == LOST
    assert observed["background"]["background"]["runtime.sendMessage"] == LOST
    assert observed["background"]["page"]["runtime.sendMessage"] == "gets heard"


def test_disagreements_are_listed() -> None:
    observed = {"content": {"background": {"runtime.sendMessage": "gets heard"}}}
    assert [*disagreements("chromium", observed)] == [
        "runtime.sendMessage in background gets to content: extlint says that it is lost"
    ]
    observed = {"page": {"background": {"runtime.sendMessage": LOST}}}
    assert [*disagreements("chromium", observed)] == [
        "runtime.sendMessage in background does not get to page: extlint does not say so"
    ]
