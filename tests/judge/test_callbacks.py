"""The return values of calls with a callback in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.callbacks import observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_calls_with_a_callback_return_undefined(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert observed == dict.fromkeys(observed, "undefined")
