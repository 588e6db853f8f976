"""The pages about messages of browsers."""

from __future__ import annotations

from pathlib import Path

from extlint_site.error_pages import error_pages
from extlint_site.markdown import code
from extlint_site.rule_pages import rule_pages

OUTPUTS = Path(__file__).parent.parent / "docs" / "outputs"


def test_page_shows_the_message_example_findings_and_line() -> None:
    pages = dict(error_pages())
    page = pages["errors/could-not-establish-connection-receiving-end-does-not-exist"]
    assert page.startswith("# `Could not establish connection. Receiving end does not exist.`\n")
    assert page.index(":caption: background.js") < page.index("info[lost-message]")
    assert "Firefox prints:" in page
    assert "](could-not-establish-connection-receiving-end-does-not-exist.md)" in pages["errors/index"]
    without_findings = [name for name, text in pages.items() if code("", "text") in text]
    assert without_findings == []


def test_rule_page_lists_its_messages() -> None:
    pages = dict(rule_pages({each.stem: each.read_text("utf-8") for each in OUTPUTS.iterdir()}))
    listed = pages["rules/lost-message"].partition("## Error messages")[2]
    assert (
        "](../errors/could-not-establish-connection-receiving-end-does-not-exist.md) (Chrome, Firefox)"
        in listed
    )
    assert "## Error messages" not in pages["rules/unused-permission"]
