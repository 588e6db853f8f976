"""The formats of arguments in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint.formats.arguments import ARGUMENTS
from extlint_judge.browsers.processes import find
from extlint_judge.commands.formats import CALLS, TEXTS, Said, asked, mistakes


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_formats_match_the_browser(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    said = asked(browser, command, tmp_path)
    assert said
    assert [*mistakes(browser, said)] == []


VERDICTS = {
    "right, and taken": (Said("hostname", "a.example", True), []),
    "right, and refused": (Said("hostname", "a.example", False), ["hostname: 'a.example' is refused"]),
    "wrong, and taken": (Said("hostname", "a b", True), ["hostname: 'a b' is taken"]),
    "not known": (Said("url", "https://a.example/", False), []),
}


@pytest.mark.parametrize(("said", "expected"), VERDICTS.values(), ids=VERDICTS.keys())
def test_disagreements_are_listed(said: Said, expected: list[str]) -> None:
    assert [*mistakes("firefox", [said])] == expected


def test_chromium_ignores_formats() -> None:
    assert [*mistakes("chromium", [Said("url", "page.html", True)])] == []
    assert [*mistakes("chromium", [Said("url", "page.html", False)])] == ["url: 'page.html' is refused"]


def test_every_tested_call_has_texts_and_arguments() -> None:
    assert CALLS.keys() == TEXTS.keys()
    assert CALLS.keys() <= ARGUMENTS.keys()
