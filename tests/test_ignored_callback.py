"""Callbacks combined with a used promise, and callbacks called too early: `ignored-callback`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULE = "ignored-callback"
GET = "chrome.storage.local.get('k', (items) => show(items))"


def found(script: str, target: str = "firefox,chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"scripts": ["a.js"], "service_worker": "a.js"}
    text = manifest(**{"permissions": ["storage"], "background": background, **keys})
    return [text for _, text in reported({"manifest.json": text, "a.js": script}, [RULE], target)]


REPORTED = {
    "an awaited value": (f"async () => {{ const items = await {GET}; }}", "(items) => show(items)"),
    "an awaited argument": (f"async () => {{ use(await {GET}); }}", "(items) => show(items)"),
    "an awaited result": (f"async () => await {GET}", "(items) => show(items)"),
    "a promise": (f"{GET}.then(f)", "(items) => show(items)"),
    "a failure": (f"{GET}.catch(f)", "(items) => show(items)"),
    "a function with a name": (
        "function show() { use(1); } async () => (await chrome.tabs.query({}, show)).length",
        "show",
    ),
    "a call": ("function show() { use(1); } chrome.tabs.query({}, show());", "show()"),
    "a call of an arrow function": ("const show = () => {}; browser.tabs.query({}, show());", "show()"),
    "a property of what is returned": (
        "const tabs = chrome.tabs.query({}, use); function use() {} f(tabs.length);",
        "length",
    ),
    "a property of a call": ("chrome.windows.getCurrent((found) => found).id;", "id"),
    "a property of what a function returns": (
        "function get(key) { return chrome.storage.local.get(key, (items) => items[key]); } f(get('a').b);",
        "b",
    ),
    "several properties": (
        "const tabs = chrome.tabs.query({}, (found) => found); f(tabs.length, tabs[0]);",
        "length",
    ),
}

NOT_REPORTED = {
    "an await that is only a statement": f"async () => {{ await {GET}; }}",
    "only a callback": f"{GET};",
    "only a promise": "async () => { const items = await chrome.storage.local.get('k'); }",
    "a promise with then": "chrome.storage.local.get('k').then(show)",
    "maybe not a callback": "async () => { const items = await chrome.storage.local.get('k', other); }",
    "a call that returns a function": "const make = () => () => {}; chrome.tabs.query({}, make());",
    "a call of what is not known": "chrome.tabs.query({}, show());",
    "a call that may return a function": "function f() { if (a) return other; } chrome.tabs.query({}, f());",
    "a call that gives another argument": "function f() {} chrome.storage.local.get(f());",
    "listeners": "async () => { const x = await chrome.tabs.onCreated.addListener(() => {}); }",
    "a function without a callback parameter": "async () => { use(await chrome.runtime.getURL(() => {})); }",
    "a property where another call has no callback": (
        "async () => { chrome.tabs.query({}, f); const tabs = await chrome.tabs.query({}); g(tabs.length); }"
    ),
    "a property of something that may be another value": (
        "let tabs = chrome.tabs.query({}, (found) => { tabs = found; }); f(tabs.length);"
    ),
    "a property of a result that is tested": (
        "const tabs = chrome.tabs.query({}, (found) => found); if (tabs) f(tabs.length);"
    ),
    "a property in the callback": "chrome.tabs.query({}, (tabs) => f(tabs.length));",
    "a property of a value that is returned": (
        "chrome.contextMenus.create({ id: 'a', title: 'a' }, () => {}).length;"
    ),
    "code that never runs": f"if (false) {{ {GET}.then(f) }}",
}


@pytest.mark.parametrize(("script", "expected"), REPORTED.values(), ids=REPORTED)
def test_ignored_callback_is_reported(script: str, expected: str) -> None:
    assert found(script) == [expected]


@pytest.mark.parametrize("script", NOT_REPORTED.values(), ids=NOT_REPORTED)
def test_other_callback_is_not_reported(script: str) -> None:
    assert found(script) == []


def test_callback_depends_on_the_target() -> None:
    assert found(f"{GET}.then(f)", "safari") == []
    assert found(f"{GET}.then(f)", "reference") == found(f"{GET}.then(f)")
