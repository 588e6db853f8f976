"""The background page that pages receive in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.background_pages import disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_background_page_availability_matches_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    if browser == "chromium":
        refusal = "fails: You do not have a background page."
        assert observed["3, a service worker"]["runtime.getBackgroundPage"] == refusal


def test_disagreements_are_listed() -> None:
    observed = {"3, a service worker": dict.fromkeys(("runtime.getBackgroundPage",), "gives a page")}
    assert [*disagreements("chromium", observed)] == [
        "3, a service worker: extlint says that there is no background page",
        "3, a service worker: extlint says that runtime.getBackgroundPage fails",
    ]
