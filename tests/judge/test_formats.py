"""The formats of arguments in real browsers; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint.text.formats.arguments import ARGUMENTS
from extlint_judge.browsers.processes import find
from extlint_judge.commands.formats import CALLS, TEXTS, FormatVerdict, disagreements, observe


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_formats_match_the_browser(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert observed
    assert [*disagreements(browser, observed)] == []


VERDICTS = {
    "right, and taken": (FormatVerdict("hostname", "a.example", True), []),
    "right, and refused": (
        FormatVerdict("hostname", "a.example", False),
        ["hostname: 'a.example' is refused"],
    ),
    "wrong, and taken": (FormatVerdict("hostname", "a b", True), ["hostname: 'a b' is taken"]),
    "not known": (FormatVerdict("url", "https://a.example/", False), []),
}


@pytest.mark.parametrize(("message", "expected"), VERDICTS.values(), ids=VERDICTS.keys())
def test_disagreements_are_listed(message: FormatVerdict, expected: list[str]) -> None:
    assert [*disagreements("firefox", [message])] == expected


def test_chromium_ignores_formats() -> None:
    assert [*disagreements("chromium", [FormatVerdict("url", "page.html", True)])] == []
    assert [*disagreements("chromium", [FormatVerdict("url", "page.html", False)])] == [
        "url: 'page.html' is refused"
    ]


def test_every_tested_call_has_texts_and_arguments() -> None:
    assert CALLS.keys() == TEXTS.keys()
    assert CALLS.keys() <= ARGUMENTS.keys()
