"""Tab fields that are undefined without a permission: their reads, and permissions that reveal them."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "missing-permission"
READ = "chrome.tabs.query({active: true}, ([tab]) => f(tab.url))"


def files(source: str, **keys: object) -> dict[str, str]:
    return {
        "manifest.json": manifest(**{"background": {"scripts": ["b.js"]}, **keys}),
        "b.js": source,
        "c.js": "",
    }


REPORTED = {
    "a tab that is asked for": (READ, ["url"]),
    "by await": (
        "const g = async () => { const [t] = await chrome.tabs.query({}); f(t.title) }; g()",
        ["title"],
    ),
    "by an id": (
        "chrome.tabs.get(1).then(({ url, favIconUrl }) => f(url, favIconUrl))",
        ["url", "favIconUrl"],
    ),
    "each tab": ("chrome.tabs.query({}, tabs => tabs.filter(t => t.url.startsWith('https:')))", ["url"]),
    "tabs of windows": ("chrome.windows.getAll({populate: true}, ([w]) => f(w.tabs[0].title))", ["title"]),
    "a change": ("chrome.tabs.onUpdated.addListener((id, change) => f(change.url))", ["url"]),
    "a new tab": ("chrome.tabs.onCreated.addListener((tab) => f(tab.url))", ["url"]),
    "a fallback": ("chrome.tabs.get(1, (tab) => f(tab.title || 'none'))", ["title"]),
    "a test": ("chrome.tabs.get(1, (tab) => { if (tab.url) f(tab.url) })", ["url"]),
    "an optional chain": ("chrome.tabs.get(1, (tab) => f(tab.url?.includes('a')))", ["url"]),
    "the first of several reads": ("chrome.tabs.get(1, (tab) => { f(tab.url); g(tab.url) })", ["url"]),
    "assigned to the document": ("chrome.tabs.get(1, (tab) => { document.title = tab.title })", ["title"]),
    "assigned to a created element": (
        "const a = document.createElement('a'); chrome.tabs.get(1, (tab) => { a.title = tab.title })",
        ["title"],
    ),
    "assigned to a queried element": (
        "chrome.tabs.get(1, (tab) => { document.querySelector('a').title = tab.title })",
        ["title"],
    ),
    "a query by an address": ("chrome.tabs.query({url: 'https://example.com/*'}, f)", ["url"]),
    "a query by several": ("chrome.tabs.query({url: ['*://a.org/*', '*://b.org/*']}, f)", ["url"]),
}


@pytest.mark.parametrize(("source", "expected"), REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox", "edge"])
def test_hidden_field_is_reported(source: str, expected: list[str], target: str) -> None:
    assert reported(files(source), [RULE], target) == [(RULE, name) for name in expected]


SILENT = {
    "a possible tab with an assigned title": "chrome.tabs.get(1, (tab) => { x.title = ''; f(tab.title) })",
    "a document of the script's own gets it": (
        "let document = x; chrome.tabs.get(1, (tab) => { document.title = ''; f(tab.title) })"
    ),
    "an element may be something else": (
        "let a = document.body; a = x; chrome.tabs.get(1, (tab) => { a.title = ''; f(tab.title) })"
    ),
    "a field that is never hidden": "chrome.tabs.get(1, (tab) => f(tab.id, tab.status))",
    "a page of its own, found by its address": (
        "chrome.tabs.query({}, tabs => tabs.find(t => t.url === chrome.runtime.getURL('c.html')))"
    ),
    "a page of its own, found by its scheme": (
        "chrome.tabs.query({}, tabs => tabs.find(t => t.url.startsWith('chrome-extension:')))"
    ),
    "the page itself": "chrome.tabs.getCurrent((tab) => f(tab.url))",
    "a tab that it opens": "chrome.tabs.create({url: 'c.html'}, (tab) => f(tab.url))",
    "the sender of a message": "chrome.runtime.onMessage.addListener((_, sender) => f(sender.tab.url))",
    "a permission that was granted": (
        f"chrome.permissions.contains({{permissions: ['tabs']}}, (yes) => {{ if (yes) {READ} }})"
    ),
    "a query by its own address": "chrome.tabs.query({url: chrome.runtime.getURL('c.html')}, f)",
    "a query by addresses that are not all known": "chrome.tabs.query({url: ['*://a.org/*', other]}, f)",
    "a query by other things": "chrome.tabs.query({active: true, currentWindow: true}, f)",
    "a url of something else": "chrome.downloads.onCreated.addListener((it) => f(it.url))",
    "an object that may be something else": "chrome.tabs.query({}, ([tab]) => f((tab ?? other)[name]))",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_other_field_is_not_reported(source: str) -> None:
    assert reported(files(source, permissions=["downloads"]), [RULE], "chrome") == []


REVEALING: dict[str, dict[str, object]] = {
    "the permission": {"permissions": ["tabs"]},
    "the permission, when it is asked for": {"optional_permissions": ["tabs"]},
    "one site": {"host_permissions": ["https://example.com/*"]},
    "one site, when it is asked for": {"optional_host_permissions": ["https://example.com/*"]},
    "the tab in front": {"permissions": ["activeTab"]},
    "a build placeholder": {"permissions": ["__TABS__"]},
}


@pytest.mark.parametrize("keys", REVEALING.values(), ids=REVEALING.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_permission_reveals_fields(keys: dict[str, object], target: str) -> None:
    assert lint(files(READ, **keys), [RULE], target) == []


def test_content_script_hosts_reveal_fields_in_firefox_manifest_v3() -> None:
    scripts = [{"matches": ["https://example.com/*"], "js": ["c.js"]}]
    found = {
        (target, version): len(
            lint(files(READ, content_scripts=scripts, manifest_version=version), [RULE], target)
        )
        for target in ("chrome", "firefox")
        for version in (2, 3)
    }
    assert found == {("chrome", 2): 1, ("chrome", 3): 1, ("firefox", 2): 1, ("firefox", 3): 0}


def test_uncalled_code_is_not_reported() -> None:
    module = {"background": {"scripts": ["b.js"], "type": "module"}}
    found = [
        lint(files(f"export function g() {{ {READ} }} {call}", **module), [RULE], "chrome")
        for call in ("", "g()")
    ]
    assert [len(each) for each in found] == [0, 1]


def test_unfinished_package_is_not_reported() -> None:
    assert lint({**files(READ), "manifest.firefox.json": '{"permissions": []}'}, [RULE], "chrome") == []
    assert lint({**files(READ), "manifest.firefox.json": '{"action": {}}'}, [RULE], "chrome") != []
    assert lint(files(f"import './missing.js'; {READ}"), [RULE], "chrome") == []


def test_message_is_the_same_for_both_browsers() -> None:
    (finding,) = lint(files(READ), [RULE], "chrome,firefox")
    assert finding.message == (
        "`url` of tabs is undefined without the permission `tabs` or a host permission, "
        "and the manifest requests neither"
    )
    assert finding.help == 'add "tabs" to "permissions" in manifest.json'
