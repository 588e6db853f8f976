"""Members that a function returns only after a test, and otherwise throws."""

from __future__ import annotations

import pytest
from harness import lint, manifest

CONTENT = {"content_scripts": [{"matches": ["https://example.com/*"], "js": ["a.js"]}]}


def is_found(source: str) -> bool:
    """Whether a use of `tabs` is reported in a content script, where it is unavailable."""
    return bool(lint({"manifest.json": manifest(**CONTENT), "a.js": source}, ["wrong-context"], "chrome"))


TABS = "function tabs() { if (!chrome.tabs) throw new Error('no tabs'); return chrome.tabs } "
THROWS_AT_THE_END = "function tabs() { if (chrome.tabs) { return chrome.tabs } throw new Error('no tabs') } "
STORED = (
    "const found = globalThis.browser?.tabs || globalThis.chrome?.tabs; "
    "const tabs = () => { if (!found) throw Error('no tabs'); return found }; "
)
WITHOUT_THROW = "function tabs() { if (!chrome.tabs) console.log('no tabs'); return chrome.tabs } "
EITHER = "function tabs(x) { if (x) return chrome.tabs; if (!chrome.tabs) throw 1; return chrome.tabs } "


@pytest.mark.parametrize("function", [TABS, THROWS_AT_THE_END, STORED])
@pytest.mark.parametrize(
    "use",
    [
        "tabs().query({})",
        "const t = tabs(); t.query({})",
        "async function f() { let t = tabs(), [tab] = await t.query({}); return tab } f()",
    ],
)
def test_guard_in_the_function_covers_its_result(function: str, use: str) -> None:
    assert not is_found(function + use)


@pytest.mark.parametrize(
    "source",
    [
        WITHOUT_THROW + "tabs().query({})",
        EITHER + "tabs(true).query({})",
        TABS + "tabs(); chrome.tabs.query({})",
        TABS + "let t = tabs(); t = chrome.tabs; t.query({})",
        "function tabs() { return chrome.tabs } tabs().query({})",
    ],
)
def test_unguarded_result_is_reported(source: str) -> None:
    assert is_found(source)
