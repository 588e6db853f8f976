"""The responses of message listeners that reach the sender in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.messages import disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_discarded_responses_match_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    assert observed["answers later, returns true"] == "gets 1"
    assert observed["answers later"] == "gets undefined"


def test_disagreements_are_listed() -> None:
    observed = {"answers later": "gets 1", "is async, answers at once": "gets undefined"}
    assert [*disagreements("firefox", observed)] == ["answers later: extlint says that the answer is lost"]
    observed = {"answers later, returns true": "gets undefined"}
    assert [*disagreements("firefox", observed)] == [
        "answers later, returns true: extlint does not say that the answer is lost"
    ]
