"""The user agents of real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.seen_manifest import evaluate_in_extension
from extlint_judge.commands.user_agent import EXPRESSION, disagreements


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_user_agent_matches_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    agent = evaluate_in_extension(browser, command, tmp_path, EXPRESSION)
    assert [*disagreements(browser, agent)] == []


def test_disagreements_are_listed() -> None:
    agent = "Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0 Chrome"
    assert [*disagreements("firefox", agent)] == ["there is 'Chrome' in it"]
    assert "there is no 'Safari' in it" in disagreements("chromium", agent)
