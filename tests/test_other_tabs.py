"""Fields that browsers hide in tabs which an extension may not access, used without a test."""

from __future__ import annotations

from typing import Any

import pytest
from harness import lint, manifest, reported

RULE = "missing-value"
SITE = "https://example.com/*"
UPDATED = "chrome.tabs.onUpdated.addListener((id, change, tab) => { %s });"
ACTIVATED = "chrome.tabs.onActivated.addListener(async ({ tabId }) => { %s });"
READ = UPDATED % "if (tab.url.includes('example')) f(id);"


def files(source: str, target: str = "chrome", **keys: object) -> dict[str, str]:
    """Returns a package with a background script that has access to one site."""
    background = {"service_worker": "b.js"} if target == "chrome" else {"scripts": ["b.js"]}
    own = {"background": background, "host_permissions": [SITE]}
    return {"manifest.json": manifest(**{**own, **keys}), "b.js": source, "c.js": ""}


FAILING = {
    "a condition": (READ, "includes"),
    "after a test of the event": (
        UPDATED % "if (change.status === 'complete' && tab.url.match(/example/)) f(id);",
        "match",
    ),
    "after an exit": (UPDATED % "if (change.status !== 'complete') return; f(tab.title.length);", "length"),
    "a variable": (UPDATED % "const url = tab.url; f(url.split('/'));", "split"),
    "a pattern": ("chrome.tabs.onUpdated.addListener((id, change, { url }) => f(url.length));", "length"),
    "an address that is parsed": (UPDATED % "f(new URL(tab.url).host);", "url"),
    "a function": (
        UPDATED % "g(tab.url);" + " function g(url) { f(url.startsWith('https:')); }",
        "startsWith",
    ),
    "a change": (UPDATED % "f(change.url.length);", "length"),
    "a new tab": ("chrome.tabs.onCreated.addListener((tab) => f(tab.url.length));", "length"),
    "the first of two reads": (UPDATED % "f(tab.url.length); f(tab.url.split('/'));", "length"),
    "a tab that is asked for": (
        ACTIVATED % "const tab = await chrome.tabs.get(tabId); f(tab.url.length);",
        "length",
    ),
    "in a callback": (ACTIVATED % "chrome.tabs.get(tabId, (tab) => f(tab.url.length));", "length"),
    "the active tab": (
        ACTIVATED % "chrome.tabs.query({ active: true }, ([tab]) => f(new URL(tab.url)));",
        "url",
    ),
    "the active tab of another window": (
        "chrome.windows.onFocusChanged.addListener(() => {"
        " chrome.tabs.query({ active: true }, (tabs) => f(tabs[0].url.length)); });",
        "length",
    ),
}


@pytest.mark.parametrize(("source", "expected"), FAILING.values(), ids=FAILING)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_use_without_a_test_is_reported(source: str, expected: str, target: str) -> None:
    assert reported(files(source, target), [RULE], target) == [(RULE, expected)]


TESTED = {
    "a test": UPDATED % "if (tab.url && tab.url.includes('example')) f(id);",
    "an optional chain": UPDATED % "if (tab.url?.includes('example')) f(id);",
    "an exit": UPDATED % "if (!tab.url) return; f(tab.url.length);",
    "a test of the change": UPDATED % "if (change.url && tab.url.includes('example')) f(id);",
    "a comparison": UPDATED % "if (tab.url === 'https://example.com/') f(tab.url.split('/'));",
    "a comparison of another field": UPDATED % "if (tab.title === 'Example') f(tab.url.split('/'));",
    "a default": UPDATED % "const url = tab.url ?? ''; f(url.length);",
    "a default in a pattern": UPDATED % "const { url = '' } = tab; f(url.length);",
    "try": UPDATED % "try { f(tab.url.length); } catch (error) { console.error(error); }",
    "a test before it is parsed": UPDATED % "if (tab.url) f(new URL(tab.url).host);",
    "a stored condition": UPDATED % "if (known.has(id) && tab.url.includes('example')) f(id);",
    "a function that may test": UPDATED % "if (isExample(tab)) f(tab.url.length);",
    "a caller that tests": UPDATED % "if (tab.url) g(tab);" + " function g(tab) { f(tab.url.length); }",
    "a test in a callback": ACTIVATED
    % "chrome.tabs.get(tabId, (tab) => { if (tab.url) f(tab.url.length); });",
    "a handler of the promise": ACTIVATED
    % "chrome.tabs.get(tabId).then((tab) => f(tab.url.length)).catch(() => {});",
    "a granted permission": UPDATED
    % "chrome.permissions.contains({ permissions: ['tabs'] }, (yes) => { if (yes) f(tab.url.length); });",
    "only passed on": UPDATED % "f(tab.url);",
    "in a text": UPDATED % "f(`${tab.url}`);",
    "another field": UPDATED % "f(tab.status.length);",
}


@pytest.mark.parametrize("source", TESTED.values(), ids=TESTED)
def test_use_after_a_test_is_not_reported(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


CERTAIN_TABS = {
    "a filter": READ.replace("});", "}, { urls: ['https://example.com/*'] });"),
    "a listener for a while": f"chrome.runtime.onMessage.addListener(() => {{ {READ} }});",
    "a listener under a condition": f"if (wanted) {READ}",
    "a tab that it knows": ACTIVATED % "const tab = await chrome.tabs.get(known); f(tab.url.length);",
    "a query by an address": ACTIVATED
    % "chrome.tabs.query({ url: 'https://example.com/*' }, ([tab]) => f(tab.url.length));",
    "a query that is not known": ACTIVATED % "chrome.tabs.query(wanted, ([tab]) => f(tab.url.length));",
    "a click on a button for some pages": (
        "chrome.action.disable(); chrome.action.onClicked.addListener((tab) => f(tab.url.length));"
    ),
    "a menu, which may be for some pages": (
        "chrome.contextMenus.onClicked.addListener((info, tab) => f(tab.url.length));"
    ),
    "the sender": "chrome.runtime.onMessage.addListener((message, { tab }) => f(tab.url.length));",
    "the tab that it opens": "chrome.tabs.create({ url: 'c.html' }, (tab) => f(tab.url.length));",
    "a field that its event does not give": (
        "chrome.tabs.onActivated.addListener((info) => f(info.url.length));"
    ),
    "a listener that nothing adds": READ.replace("chrome.tabs.onUpdated.addListener(", "const listener = ("),
}


@pytest.mark.parametrize("source", CERTAIN_TABS.values(), ids=CERTAIN_TABS)
def test_use_in_certain_tabs_is_not_reported(source: str) -> None:
    assert reported(files(source, action={}), [RULE], "chrome") == []


CLICKED = "chrome.action.onClicked.addListener((tab) => f(tab.url.length));"
CLICKS = {
    "a click": CLICKED,
    "a shortcut": "chrome.commands.onCommand.addListener((name, tab) => f(tab.url.length));",
    "the active tab": (
        "chrome.commands.onCommand.addListener(() => {"
        " chrome.tabs.query({ active: true }, ([tab]) => f(tab.url.length)); });"
    ),
}


@pytest.mark.parametrize("source", CLICKS.values(), ids=CLICKS)
def test_active_tab_shows_fields_after_a_click(source: str) -> None:
    keys: dict[str, Any] = {"action": {}, "commands": {"a": {"description": "a"}}}
    assert reported(files(source, **keys), [RULE], "chrome") == [(RULE, "length")]
    assert lint(files(source, permissions=["activeTab"], **keys), [RULE], "chrome") == []


def test_page_of_the_extension_is_not_reported() -> None:
    page = {"p.html": "<!doctype html><script src='p.js'></script>", "p.js": READ}
    action = {"default_popup": "p.html"}
    assert lint({**files("", action=action), **page}, [RULE], "chrome") == []


SITES = [f"https://{name}.example/*" for name in "abcde"]
PAGES: dict[str, tuple[dict[str, Any], str]] = {
    "one site": ({}, "for pages other than `https://example.com/*`"),
    "several sites": (
        {"host_permissions": SITES},
        "for pages other than `https://a.example/*`, `https://b.example/*`, `https://c.example/*` and 2 more",
    ),
    "every site": ({"host_permissions": ["<all_urls>"]}, "for pages of the browser"),
    "every site, by its schemes": (
        {"host_permissions": ["https://*/*", "http://*/*"]},
        "for pages of the browser",
    ),
    "one scheme": ({"host_permissions": ["https://*/*"]}, "for pages other than `https://*/*`"),
    "the active tab": (
        {"host_permissions": [], "permissions": ["activeTab"]},
        "where no user starts the extension",
    ),
    "sites that are asked for later": (
        {"host_permissions": [], "optional_host_permissions": [SITE]},
        "for pages other than `https://example.com/*`",
    ),
}


@pytest.mark.parametrize(("keys", "pages"), PAGES.values(), ids=PAGES)
def test_message_names_the_pages(keys: dict[str, Any], pages: str) -> None:
    (finding,) = lint(files(READ, **keys), [RULE], "chrome")
    assert finding.message == f"`url` of tabs is undefined without the permission `tabs` {pages}"
    assert finding.help == 'test `url` before, or add "tabs" to the permissions in manifest.json'


SHOWN: dict[str, dict[str, Any]] = {
    "the permission": {"permissions": ["tabs"]},
    "the permission, when it is asked for": {"optional_permissions": ["tabs"]},
    "a placeholder": {"permissions": ["__TABS__"]},
    "neither, which another rule reports": {"host_permissions": []},
}


@pytest.mark.parametrize("keys", SHOWN.values(), ids=SHOWN)
def test_other_requests_are_not_reported(keys: dict[str, Any]) -> None:
    assert lint(files(READ, **keys), [RULE], "chrome") == []


def test_content_script_hosts_count_in_firefox_manifest_v3() -> None:
    scripts = [{"matches": ["<all_urls>"], "js": ["c.js"]}]
    (finding,) = lint(files(READ, "firefox", content_scripts=scripts), [RULE], "firefox")
    assert "for pages of the browser" in finding.message
    (finding,) = lint(files(READ, content_scripts=scripts), [RULE], "chrome")
    assert "for pages other than" in finding.message


def test_other_manifest_is_not_contradicted() -> None:
    assert lint({**files(READ), "manifest.firefox.json": '{"permissions": ["tabs"]}'}, [RULE], "chrome") == []


def test_missing_file_leaves_the_sites_open() -> None:
    (finding,) = lint(files(f"importScripts('missing.js'); {READ}"), [RULE], "chrome")
    assert finding.message.endswith("for pages of the browser")
