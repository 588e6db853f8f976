"""The lines that browsers print for the examples of error messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from thorough import some

from extlint_judge.browsers.processes import find
from extlint_judge.commands.printed_errors import absent, answers, messages_of
from extlint_site.error_messages import recorded


@pytest.mark.parametrize(
    ("browser", "words"),
    some(
        [
            ("firefox", ("Receiving end", "Add background.scripts", "an inline script", "Cannot request")),
            ("chromium", ("Receiving end", "Variable $", "Executing inline script", "Only permissions")),
        ],
        2,
    ),
)
def test_browser_prints_the_recorded_lines(browser: str, words: tuple[str, ...], tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"{browser} is not installed")
    messages = messages_of(browser, words)
    found = {message.text: each.line for message, each in answers(browser, command, tmp_path, messages)}
    assert len(found) >= len(words)
    assert found == {each.text: recorded()[browser][each.text] for each in messages}


def test_messages_without_example_are_looked_for_in_the_executable() -> None:
    (message,) = messages_of("chromium", ["invalidated"])
    assert [*absent([message], b"Extension context invalidated.")] == []
    assert [*absent([message], b"")] == ["it does not contain: Extension context invalidated."]
