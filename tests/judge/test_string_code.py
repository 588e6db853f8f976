"""The contexts in which strings run as code in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.string_code import CASES, disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_string_evaluation_matches_extlint(
    browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    monkeypatch.setattr("extlint_judge.commands.string_code.CASES", {"version 3": CASES["version 3"]})
    observed = observe(browser, command, tmp_path)
    assert [*disagreements(browser, observed)] == []
    assert observed["version 3, main.js"]["eval"] == "runs"
    assert observed["version 3, content.js"]["eval"].startswith("EvalError")


def test_disagreements_are_listed() -> None:
    observed = {"version 3, page.js": {"eval": "runs"}, "version 3, main.js": {"Function": "EvalError"}}
    assert [*disagreements("firefox", observed)] == [
        "version 3, page.js: extlint says that eval fails",
        "version 3, main.js: extlint says that Function runs",
    ]
