"""Promises that are expected of `chrome` in Manifest V2: `missing-promise`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, told

RULE = "missing-promise"
GET = "chrome.storage.local.get('k')"
OTHER = "browser.tabs.get(1)"
CALL = "api.tabs.get(1).then(f)"
IS_NEW = "typeof browser !== 'undefined'"
IS_OLD = "typeof browser === 'undefined'"


def found(script: str, target: str = "firefox", **keys: object) -> list[str]:
    """The source text under each finding in a background script of version 2."""
    own = {"manifest_version": 2, "permissions": ["storage"], "background": {"scripts": ["a.js"]}, **keys}
    files = {"manifest.json": manifest(**own), "a.js": script}
    return [text for _, text in told(files, [RULE], target)]


WRONG = {
    "then": (f"{GET}.then(f)", "chrome.storage.local.get"),
    "catch, where nothing is given back": (
        "chrome.runtime.sendMessage('x').catch(() => {})",
        "chrome.runtime.sendMessage",
    ),
    "a pattern": (f"async function f() {{ const {{ k }} = await {GET}; }} f();", "chrome.storage.local.get"),
    "a property": (
        "async function f() { use((await chrome.tabs.query({})).length); } f();",
        "chrome.tabs.query",
    ),
    "another name": (
        "const { storage } = chrome; async function f() { use(await storage.sync.get('k')); } f();",
        "storage.sync.get",
    ),
    "a root that always exists": (
        "const api = window.chrome || window.browser; api.tabs.get(1).then(f)",
        "api.tabs.get",
    ),
    "a failure that is only shown": (
        f"async function f() {{ try {{ use(await {GET}); }} catch (e) {{ console.error(e); }} }} f();",
        "chrome.storage.local.get",
    ),
    "a test of something else": (f"if (location.hash) {GET}.then(f)", "chrome.storage.local.get"),
    "Mozilla's polyfill beside it": (
        f"import browser from 'webextension-polyfill'; browser.tabs.get(1).then(f); {GET}.then(f)",
        "chrome.storage.local.get",
    ),
}

RIGHT = {
    "the root with promises": "browser.storage.local.get('k').then(f)",
    "a callback": f"{GET[:-1]}, (items) => use(items))",
    "a callback beside a promise, which has its own rule": f"{GET[:-1]}, (items) => use(items)).then(f)",
    "an await that is only a statement": f"async function f() {{ await {GET}; }} f();",
    "an awaited value that is returned": f"async function f() {{ return await {GET}; }} f();",
    "an awaited value that is none anyway": (
        "async function f() { const done = await chrome.storage.local.set({ a: 1 }); } f();"
    ),
    "an optional chain": f"{GET}?.then(f)",
    "a choice of the root": f"const api = {IS_OLD} ? chrome : browser; {CALL}",
    "the other order": f"const api = {IS_NEW} ? browser : chrome; {CALL}",
    "a chosen namespace": ("const tabs = isNew ? browser.tabs : chrome.tabs; tabs.get(1).then(f)"),
    "a root by ||": "const api = window.browser || chrome; api.tabs.get(1).then(f)",
    "a test of the root": f"if (typeof browser === 'undefined') {{ {GET}.then(f) }}",
    "else of a test of the root": f"if (window.browser) {{ g() }} else {{ {GET}.then(f) }}",
    "an early end": f"function f() {{ if (typeof browser === 'object') return; {GET}.then(f) }} f();",
    "a test of the root that is kept": f"const isOld = !globalThis.browser; if (isOld) {GET}.then(f)",
    "a test of the user agent": f"if (navigator.userAgent.includes('Chrome')) {GET}.then(f)",
    "a test that is not followed, of the user agent": (
        f"const name = parse(navigator.userAgent); if (name.short === 'cr') {GET}.then(f)"
    ),
    "a test in the caller": f"function f() {{ {GET}.then(g) }} if (typeof browser === 'undefined') f();",
    "another chrome": f"chrome = browser; {GET}.then(f)",
    "a chrome of its own": f"const chrome = window.browser || window.chrome; {GET}.then(f)",
    "a property of the window": f"window.chrome = browser; {GET}.then(f)",
    "another function": f"chrome.storage.local.get = promised(chrome.storage.local.get); {GET}.then(f)",
    "other functions": (
        f"for (const name of names) chrome.storage.local[name] = promised(name); {GET}.then(f)"
    ),
    "a root that is passed on": f"addPromises(chrome); {GET}.then(f)",
    "a failure with a fallback": (
        f"async function f() {{ try {{ use(await {GET}); }} catch {{ g(await {OTHER}); }} }} f();"
    ),
    "a root that is replaced": f"let api = chrome; if ({IS_NEW}) api = browser; {CALL}",
    "a function that nothing calls": f"(() => {{ function f() {{ {GET}.then(g) }} }})()",
    "code that never runs": f"if (false) {{ {GET}.then(f) }}",
    "an event": "async function f() { use(await chrome.tabs.onCreated.hasListener(f)); } f();",
    "what returns a value": "chrome.runtime.getURL('a').then(f)",
    "no API": "const chrome = make(); chrome.tabs.get(1).then(f)",
}


@pytest.mark.parametrize(("script", "expected"), WRONG.values(), ids=WRONG)
def test_wrong(script: str, expected: str) -> None:
    assert found(script) == [expected]


@pytest.mark.parametrize("script", RIGHT.values(), ids=RIGHT)
def test_right(script: str) -> None:
    assert found(script) == []


def test_another_script_replaces_the_root() -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["root.js", "a.js"]}),
        "root.js": "if (typeof browser !== 'undefined') globalThis.chrome = browser;",
        "a.js": "chrome.tabs.get(1).then(f)",
    }
    assert lint(files, [RULE], "firefox") == []


def test_messages() -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["a.js"]}),
        "a.js": "chrome.tabs.get(1).then(f); async function g() { use(await chrome.tabs.get(1)); } g();",
    }
    chained, awaited = lint(files, [RULE], "firefox")
    assert chained.message == "`chrome.tabs.get` returns undefined in Manifest V2, and no promise"
    assert awaited.message == (
        "`await` of `chrome.tabs.get` gives undefined, as it returns no promise in Manifest V2"
    )
    assert chained.help == "use `browser.tabs.get`, or a callback"
    assert lint(files, [RULE], "chrome")[0].help == "use a callback, or Manifest V3"
    assert len(lint(files, [RULE], "firefox,chrome")) == 2


@pytest.mark.parametrize(
    ("target", "version"), [("firefox", 3), ("chrome", 3), ("safari", 2), ("reference", 2)]
)
def test_elsewhere(target: str, version: int) -> None:
    assert found(f"{GET}.then(f)", target, manifest_version=version) == []
