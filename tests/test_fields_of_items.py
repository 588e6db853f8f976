"""Fields that are read from an array but belong to its items: `unknown-result-field`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

MANIFEST = manifest(
    permissions=["cookies", "scripting", "tabs"],
    host_permissions=["<all_urls>"],
    background={"scripts": ["a.js"], "service_worker": "a.js"},
)


def found(script: str, target: str = "firefox,chrome") -> list[str]:
    """Returns the source text of each finding in a background script."""
    files = {"manifest.json": MANIFEST, "a.js": script}
    return [text for _, text in reported(files, ["unknown-result-field"], target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("chrome.tabs.query({}, (tab) => f(tab.id))", ["id"], id="a callback"),
        pytest.param("chrome.tabs.query({}, ({url}) => f(url))", ["url"], id="a pattern"),
        pytest.param("chrome.tabs.query({}).then(tab => tab.url)", ["url"], id="a promise"),
        pytest.param(
            "(async () => { const t = await browser.tabs.query({}); f(t.url) })()", ["url"], id="await"
        ),
        pytest.param("browser.cookies.getAll({}).then(c => f(c.value))", ["value"], id="another API"),
        pytest.param(
            "browser.scripting.executeScript({target: {tabId: 1}, files: ['b.js']}).then(r => f(r.result))",
            ["result"],
            id="the results of scripts",
        ),
        pytest.param("chrome.windows.get(1, {populate: true}, (w) => f(w.tabs.url))", ["url"], id="a field"),
        pytest.param("chrome.tabs.query({}, (tabs) => f(tabs[0].id, tabs.length))", [], id="an item"),
        pytest.param("chrome.tabs.query({}, (tabs) => tabs.map(tab => tab.id))", [], id="each item"),
        pytest.param("chrome.tabs.query({}, ([{id}]) => f(id))", [], id="a pattern of an item"),
        pytest.param("chrome.tabs.query({}, (tabs) => { tabs = tabs[0]; f(tabs.id) })", [], id="replaced"),
        pytest.param(
            "chrome.tabs.query({}, (t) => f((Array.isArray(t) ? t[0] : t).id))", [], id="one or the other"
        ),
        pytest.param(
            "chrome.tabs.query({}, (t) => Array.isArray(t) || f(t.id))", [], id="tested for an array"
        ),
        pytest.param("chrome.tabs.query({}, (tabs) => { if (tabs.id) f(tabs.id) })", [], id="tested"),
        pytest.param(
            "function f(t) { t.id }; chrome.tabs.query({}, f); chrome.tabs.get(1, f)", [], id="both"
        ),
        pytest.param(
            "chrome.tabs.query({}, (t) => { t.id = t[0].id; f(t.id) })", [], id="a field of its own"
        ),
        pytest.param(
            "chrome.tabs.query({}, (t) => { document.title = t.title; })",
            ["title"],
            id="assigned to the page",
        ),
        pytest.param(
            "chrome.tabs.query({}, (t) => { own.document.url = 1; f(t.url); })", [], id="assigned elsewhere"
        ),
        pytest.param("chrome.tabs.query({}, (t) => { f(t.first) })", ["first"], id="no field of items"),
        pytest.param("chrome.cookies.getAll({}, (c) => { f(c.values, c.at) })", [], id="array methods"),
    ],
)
def test_item_fields_read_from_array(script: str, expected: list[str]) -> None:
    assert found(script) == expected


def test_message_names_the_item_type() -> None:
    files = {"manifest.json": MANIFEST, "a.js": "chrome.tabs.query({}, (tab) => f(tab.id))"}
    (finding,) = lint(files, ["unknown-result-field"], "chrome")
    assert finding.message == (
        "`tabs.query` returns an array of `Tab` objects, which has no field `id`; its items have it"
    )
