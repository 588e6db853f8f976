"""The pages about messages of browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_site.error_messages import TARGETS, ErrorMessage, error_messages
from extlint_site.error_pages import error_pages, output_for
from extlint_site.rule_pages import rule_pages

OUTPUTS = Path(__file__).parent.parent / "docs" / "outputs"
WITH_RULES = [each for each in error_messages() if each.rules]


def test_page_shows_the_message_example_findings_and_line() -> None:
    pages = dict(error_pages())
    page = pages["errors/could-not-establish-connection-receiving-end-does-not-exist"]
    assert page.startswith("# `Could not establish connection. Receiving end does not exist.`\n")
    assert page.index(":caption: background.js") < page.index("info[lost-message]")
    assert "Firefox prints:" in page
    assert "](could-not-establish-connection-receiving-end-does-not-exist.md)" in pages["errors/index"]


@pytest.mark.parametrize("message", WITH_RULES, ids=lambda each: each.address)
def test_findings_are_shown_for_each_example(message: ErrorMessage) -> None:
    for browser in message.browsers:
        assert all(output_for(each, TARGETS[browser], message.rules) for each in message.examples)


def test_rule_page_lists_its_messages() -> None:
    pages = dict(rule_pages({each.stem: each.read_text("utf-8") for each in OUTPUTS.iterdir()}))
    listed = pages["rules/lost-message"].partition("## Error messages")[2]
    assert (
        "](../errors/could-not-establish-connection-receiving-end-does-not-exist.md) (Chrome, Firefox)"
        in listed
    )
    assert "## Error messages" not in pages["rules/unused-permission"]
