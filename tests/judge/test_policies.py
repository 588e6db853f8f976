"""The code of pages that real browsers run; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.policies import disagreements
from extlint_judge.policies.observation import CASES, PROBES, observe

TESTED_CASES = (
    "default",
    "unsafe-inline for elements",
    "a hash of the inline script",
    "sandbox",
    "version 2, a hash of the inline script",
    "version 2, a remote host",
)


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_code_that_runs_matches_extlint(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path, {name: CASES[name] for name in TESTED_CASES})
    assert [*disagreements(browser, observed)] == []
    assert not any(observed["default"]["found"].values())
    if browser == "chromium":
        assert observed["sandbox"]["found"]["inlineScript"]
        assert "Insecure CSP value" in observed["a hash of the inline script"]["refused"]
    else:
        assert observed["version 2, a hash of the inline script"]["found"]["inlineScript"]


def test_disagreements_are_listed() -> None:
    runs = {"found": dict.fromkeys(PROBES, True), "blocked": []}
    assert "default: extlint says that handler does not run" in disagreements("chromium", {"default": runs})
    assert [*disagreements("chromium", {"default": {"refused": "no"}})] == []
