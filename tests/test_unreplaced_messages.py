"""Names of messages in pages, which browsers do not replace: `missing-message`."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported

from extlint.finding import Severity

RULES = ["missing-message"]
MESSAGES = '{"title": {"message": "List"}}'
PAGE = "<title>List</title>%s<script src='popup.js'></script>"


def package(page: str, script: str = "", **files: str) -> Files:
    """Returns an extension with a popup."""
    described = manifest(default_locale="en", action={"default_popup": "popup.html"})
    return {
        "manifest.json": described,
        "_locales/en/messages.json": MESSAGES,
        "popup.html": PAGE % page,
        "popup.js": script,
        **files,
    }


SHOWN = {
    "a text": "<h1>__MSG_title__</h1>",
    "an attribute": '<button title="__MSG_title__">x</button>',
    "a part of an attribute": "<input placeholder='Name of __MSG_title__'>",
    "a message of the browser": '<p lang="__MSG_@@ui_locale__">x</p>',
}
NOT_SHOWN = {
    "a comment": "<!-- __MSG_title__ -->",
    "an attribute for a script": '<h1 data-title="__MSG_title__"></h1>',
    "another attribute": '<h1 i18n="__MSG_title__"></h1>',
    "no message": "<h1>__MSG_other__</h1>",
    "no name": "<h1>__MSG__</h1>",
    "a script": '<script type="text/template">"__MSG_title__"</script>',
}
REPLACES = {
    "the script": ("document.body.innerHTML = text.replace(/__MSG_(\\w+)__/g, get);", {}),
    "another script": ("", {"lib/i18n.js": "const PREFIX = '__MSG_';"}),
    "a script that shows the message": ("document.title = chrome.i18n.getMessage('title');", {}),
    "a script that is missing": ("import './i18n.js';", {}),
}


@pytest.mark.parametrize("page", SHOWN.values(), ids=SHOWN)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_name_in_a_page_is_reported(page: str, target: str) -> None:
    """The page shows the name itself."""
    (finding,) = lint(package(page), RULES, target)
    assert finding.severity is Severity.ERROR
    assert finding.message.endswith(" in a page, and no script of the package does")
    assert finding.path == "popup.html"


@pytest.mark.parametrize("page", NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_name_that_no_page_shows(page: str) -> None:
    """Browsers show neither comments nor attributes for scripts."""
    assert reported(package(page), RULES, "chrome") == []


@pytest.mark.parametrize(("script", "files"), REPLACES.values(), ids=REPLACES)
def test_name_that_a_script_may_replace(script: str, files: dict[str, str]) -> None:
    """Code with `MSG_` may replace the names."""
    assert reported(package(SHOWN["a text"], script, **files), RULES, "chrome") == []


def test_one_finding_for_each_page() -> None:
    """Only the first name is reported, and pages that nothing names are not."""
    page = SHOWN["a text"] + SHOWN["an attribute"]
    found = reported(package(page, **{"other.html": SHOWN["a text"]}), RULES, "chrome")
    assert found == [("missing-message", "__MSG_title__")]
