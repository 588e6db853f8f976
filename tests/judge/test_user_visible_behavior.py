"""Checks behavior that users see in real browsers. Skipped if no browser is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands import clicks, error_texts, injected_functions, misplaced_manifests, package_names
from extlint_judge.loading import LOADED

BROWSERS = ("chromium", "firefox")


def find_command(browser: str) -> str:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    return command


def test_clicks_open_popup_and_side_panel(tmp_path: Path) -> None:
    observed = clicks.observe("chromium", find_command("chromium"), tmp_path)
    assert [*clicks.disagreements(observed)] == []
    assert observed["a popup"] == clicks.POPUP
    assert observed["a side panel that a click opens"] == clicks.PANEL


@pytest.mark.parametrize("browser", BROWSERS)
def test_manifest_in_subfolder_is_rejected(browser: str, tmp_path: Path) -> None:
    observed = misplaced_manifests.observe(browser, find_command(browser), tmp_path)
    assert observed["at the top"] == LOADED
    text = "missing or unreadable" if browser == "chromium" else "does not contain a valid manifest"
    assert text in observed["in a folder"]


@pytest.mark.parametrize("browser", BROWSERS)
def test_reserved_file_names(browser: str, tmp_path: Path) -> None:
    observed = package_names.observe(browser, find_command(browser), tmp_path)
    assert [*package_names.disagreements(browser, observed)] == []
    if browser == "chromium":
        assert 'Filenames starting with "_" are reserved for use by the system.' in observed["_next/a.js"]


@pytest.mark.parametrize("browser", BROWSERS)
def test_injected_functions_cannot_use_closure_variables(browser: str, tmp_path: Path) -> None:
    observed = injected_functions.observe(browser, find_command(browser), tmp_path)
    assert [*observed.values()] == [injected_functions.FAILURE, injected_functions.COLOR]


def test_rule_pages_quote_browser_errors() -> None:
    data = "\0".join(text for texts in error_texts.TEXTS.values() for text in texts).encode()
    assert [*error_texts.disagreements(data)] == []
    assert [*error_texts.disagreements(b"", {"short_alarm": ("alarm", "nonsense")})] == [
        "short_alarm: Chromium does not say 'alarm'",
        "short_alarm: the page does not quote 'nonsense'",
        "short_alarm: Chromium does not say 'nonsense'",
    ]
