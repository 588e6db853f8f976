"""The formats of arguments in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint.formats.arguments import ARGUMENTS
from extlint_judge.browsers.processes import find
from extlint_judge.commands.formats import CALLS, TEXTS, Said, asked, mistakes


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_what_is_known_of_the_formats(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    said = asked(browser, command, tmp_path)
    assert said
    assert [*mistakes(browser, said)] == []


SAID = {
    "right, and taken": (Said("hostname", "a.example", True), []),
    "right, and refused": (Said("hostname", "a.example", False), ["hostname: 'a.example' is refused"]),
    "wrong, and taken": (Said("hostname", "a b", True), ["hostname: 'a b' is taken"]),
    "not known": (Said("url", "https://a.example/", False), []),
}


@pytest.mark.parametrize(("said", "expected"), SAID.values(), ids=SAID.keys())
def test_mistakes(said: Said, expected: list[str]) -> None:
    assert [*mistakes("firefox", [said])] == expected


def test_chromium_looks_at_no_format() -> None:
    assert [*mistakes("chromium", [Said("url", "page.html", True)])] == []
    assert [*mistakes("chromium", [Said("url", "page.html", False)])] == ["url: 'page.html' is refused"]


def test_what_is_asked_is_known() -> None:
    assert CALLS.keys() == TEXTS.keys()
    assert CALLS.keys() <= ARGUMENTS.keys()
