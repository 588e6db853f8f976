"""Properties that are read from a promise: `missing-await`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ("missing-await", "unknown-result-field")
QUERY = "browser.tabs.query({})"


def found(script: str, target: str = "firefox,chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"scripts": ["a.js"], "service_worker": "a.js"}
    text = manifest(**{"permissions": ["storage", "alarms"], "background": background, **keys})
    return [text for _, text in reported({"manifest.json": text, "a.js": script}, RULES, target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(f"{QUERY}.length", ["length"], id="a property"),
        pytest.param(f"{QUERY}.forEach(f)", ["forEach"], id="a method"),
        pytest.param(f"{QUERY}[0].id", ["0"], id="an item"),
        pytest.param(f"const tabs = {QUERY}; tabs[0]", ["0"], id="an item of a variable"),
        pytest.param(f"const [tab] = {QUERY};", ["tab"], id="a pattern of an array"),
        pytest.param("const {k} = chrome.storage.local.get('k');", ["k"], id="a pattern of an object"),
        pytest.param("chrome.storage.sync.get('k').k", ["k"], id="storage"),
        pytest.param(
            "async function f() { const t = browser.tabs.get(1); return t.url }", ["url"], id="inside"
        ),
        pytest.param(f"for (const tab of {QUERY}) f(tab)", [QUERY], id="a loop"),
        pytest.param(f"const p = {QUERY}; for (const tab of p) f(tab)", ["p"], id="a loop over a variable"),
        pytest.param(
            "const p = chrome.storage.local.get('k'); if (p.k) f()",
            ["k"],
            id="a key of storage that is tested",
        ),
        pytest.param("if (browser.storage.local.get('k') === 'on') f()", ["'on'"], id="a comparison"),
        pytest.param("if (5 == chrome.tabs.get(1)) f()", ["5"], id="a comparison of a number"),
        pytest.param("chrome.storage.local.get('k') === null", [], id="a comparison with null"),
        pytest.param("chrome.storage.local.get('k') === other", [], id="a comparison with anything"),
        pytest.param("(await chrome.storage.local.get('k')) === 'on'", [], id="a comparison of its value"),
        pytest.param("browser.runtime.getURL('a') === 'b'", [], id="a comparison of no promise"),
        pytest.param(
            f"async () => {{ for (const tab of await {QUERY}) f(tab) }}", [], id="a loop over its value"
        ),
        pytest.param("chrome.tabs.query({}, f).length", [], id="a call with a callback"),
        pytest.param("const t = chrome.tabs.query({}, () => 1); t.length", [], id="its variable"),
        pytest.param(
            f"chrome.tabs.query({{}}, () => 1); {QUERY}.length", ["length"], id="after a call with a callback"
        ),
        pytest.param(f"(await {QUERY}).length", [], id="awaited"),
        pytest.param(f"const p = {QUERY}; const tabs = await p; tabs.length", [], id="awaited later"),
        pytest.param(f"const [tab] = await {QUERY};", [], id="an awaited pattern"),
        pytest.param(f"{QUERY}.then(tabs => tabs.length).catch(f).finally(g)", [], id="promise methods"),
        pytest.param(f"{QUERY}.toString()", [], id="inherited object methods"),
        pytest.param(f"const p = {QUERY}; p.mine = 1; p.mine", [], id="a property of the script"),
        pytest.param(f"const p = {QUERY}; if (p.length) f(p.length)", [], id="tested"),
        pytest.param(
            f"const p = {QUERY}; p && p.then ? p.then(f) : f(p.length)", [], id="tested for a promise"
        ),
        pytest.param("browser.runtime.connect().name", [], id="no promise"),
        pytest.param("browser.runtime.getURL('a').length", [], id="a string"),
        pytest.param("browser.extension.getViews().length", [], id="an array"),
        pytest.param("browser.tabs.nowhere().length", [], id="an unknown function"),
        pytest.param("browser.tabs.query = fake; browser.tabs.query().length", [], id="a replaced function"),
    ],
)
def test_property_read_from_a_promise(script: str, expected: list[str]) -> None:
    assert found(script) == expected


def test_chrome_namespace_returns_no_promise_in_firefox_mv2() -> None:
    scripts = {"manifest_version": 2, "background": {"scripts": ["a.js"]}}
    assert found("chrome.tabs.query({}).length", "firefox", **scripts) == []
    assert found(f"{QUERY}.length", "firefox", **scripts) == ["length"]


@pytest.mark.parametrize(("target", "count"), [("safari", 0), ("reference", 1)])
def test_promise_depends_on_the_target(target: str, count: int) -> None:
    assert len(found(f"{QUERY}.length", target)) == count


def test_call_without_permission_is_not_reported() -> None:
    assert found("browser.bookmarks.getTree().length") == []


@pytest.mark.parametrize(
    "script",
    [
        "const {k} = await chrome.storage.local.get<{k: string}>('k');",
        "const {k = 1} = (await browser.storage.local.get<Stored>({k: 1})) as Stored;",
        "f((await chrome.tabs.query<Query>({})).length);",
        "await chrome.storage.local.get<Stored>('k').then((stored) => stored.k);",
    ],
)
def test_awaited_call_with_type_arguments_is_not_reported(script: str) -> None:
    keys = {"permissions": ["storage"], "background": {"service_worker": "a.ts", "type": "module"}}
    assert reported({"manifest.json": manifest(**keys), "a.ts": script}, RULES, "chrome") == []


def test_promise_that_always_fails_is_another_mistake() -> None:
    source = "chrome.runtime.getBackgroundPage().alert()"
    keys: dict[str, object] = {"options_page": "o.html"}
    assert found(source, "firefox", **keys) == ["alert"]
    assert found(source, "chrome", **keys) == []
