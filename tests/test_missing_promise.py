"""Promises that are expected of `chrome` in Manifest V2: `missing-promise`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported, text_under

RULE = "missing-promise"
GET = "chrome.storage.local.get('k')"
OTHER = "browser.tabs.get(1)"
CALL = "api.tabs.get(1).then(f)"
IS_NEW = "typeof browser !== 'undefined'"
IS_OLD = "typeof browser === 'undefined'"


def found(script: str, target: str = "firefox", **keys: object) -> list[str]:
    """Returns the source text of each finding in an MV2 background script."""
    own = {"manifest_version": 2, "permissions": ["storage"], "background": {"scripts": ["a.js"]}, **keys}
    files = {"manifest.json": manifest(**own), "a.js": script}
    return [text for _, text in reported(files, [RULE], target)]


INVALID = {
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
    "next to Mozilla's polyfill, imported for its effect": (
        f"import 'webextension-polyfill'; {GET}.then(f)",
        "chrome.storage.local.get",
    ),
    "next to another package": (f"import 'core-js'; {GET}.then(f)", "chrome.storage.local.get"),
    "next to a package whose result is used": (
        f"const run = require('chrome-extension-async'); {GET}.then(f)",
        "chrome.storage.local.get",
    ),
    "next to Mozilla's polyfill": (
        f"import browser from 'webextension-polyfill'; browser.tabs.get(1).then(f); {GET}.then(f)",
        "chrome.storage.local.get",
    ),
}

VALID = {
    "a package that is required for its effect": f"require('chrome-extension-async'); {GET}.then(f)",
    "a package that is imported for its effect": f'import "chrome-extension-async"; {GET}.then(f)',
    "the root with promises": "browser.storage.local.get('k').then(f)",
    "a callback": f"{GET[:-1]}, (items) => use(items))",
    "a callback and a promise, covered by another rule": f"{GET[:-1]}, (items) => use(items)).then(f)",
    "an await that is only a statement": f"async function f() {{ await {GET}; }} f();",
    "an awaited value that is returned": f"async function f() {{ return await {GET}; }} f();",
    "an awaited call without a result": (
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
    "a synchronous function": "chrome.runtime.getURL('a').then(f)",
    "no API": "const chrome = make(); chrome.tabs.get(1).then(f)",
}


LATER_USE = {
    "then on a variable": ("const p = chrome.tabs.query({}); p.then(f)", "then"),
    "a variable that is awaited": (
        "async function f() { const p = chrome.tabs.query({}); const t = await p; use(t.length); } f();",
        "length",
    ),
    "a function that returns it": ("function q() { return chrome.tabs.query({}) } q().then(f)", "then"),
    "an arrow function": ("const q = (i) => chrome.tabs.query(i); q({}).catch(f)", "catch"),
    "an async function": (
        "async function q() { return chrome.tabs.query({}) } async function f() { use((await q())[0]) } f();",
        "0",
    ),
    "a result awaited in an async function": (
        "async function q() { return await chrome.tabs.query({}) } q().then((t) => use(t.length));",
        "length",
    ),
    "a method": (
        f"class A {{ get() {{ return {GET} }} async run() {{ use((await this.get()).k) }} }} new A().run();",
        "k",
    ),
    "a part of Promise.all": (
        f"Promise.all([fetch('x'), {GET}]).then(([x, items]) => use(items.k));",
        "k",
    ),
    "an awaited part of Promise.all": (
        f"async function f() {{ const [{{ k }}, x] = await Promise.all([{GET}, g()]); }} f();",
        "k",
    ),
    "the same several times": (
        "async function q() { return await chrome.tabs.query({}) } q().then((t) => use(t.length, t[0]));",
        "length",
    ),
}

GUARDED_LATER_USE = {
    "a variable that is tested": "const p = chrome.tabs.query({}); if (p) p.then(f)",
    "a variable with a test in the expression": "const p = chrome.tabs.query({}); p && p.then && p.then(f)",
    "an optional chain after a variable": "const p = chrome.tabs.query({}); p?.then(f)",
    "a variable that is only passed on": "const p = chrome.tabs.query({}); use(p)",
    "a variable that is only awaited": "async function f() { const p = chrome.tabs.query({}); await p } f();",
    "an awaited variable that is tested": (
        "async function f() { const t = await q(); if (t) use(t.length) } "
        "function q() { return chrome.tabs.query({}) } f();"
    ),
    "an awaited variable with a default": (
        "async function f() { const { k } = (await q()) || {} } "
        "function q() { return chrome.tabs.query({}) } f();"
    ),
    "a function that returns one of both": (
        f"function q() {{ return {IS_NEW} ? browser.tabs.query({{}}) : chrome.tabs.query({{}}) }} q().then(f)"
    ),
    "a function that returns another promise first": (
        "function q() { if (old()) return new Promise((r) => chrome.tabs.query({}, r)); "
        "return chrome.tabs.query({}) } q().then(f)"
    ),
    "a function that asks for the browser": (
        f"function q() {{ if ({IS_OLD}) return chrome.tabs.query({{}}) }} q().then(f)"
    ),
    "a caller that asks for the browser": (
        f"function q() {{ return chrome.tabs.query({{}}) }} if ({IS_OLD}) q().then(f)"
    ),
    "a caller with a fallback": (
        "async function f() { try { use((await q()).length) } catch { use(await browser.tabs.query({})) } } "
        "function q() { return chrome.tabs.query({}) } f();"
    ),
    "a promise that is made": (
        "const q = () => new Promise((r) => chrome.tabs.query({}, r)); q().then((t) => use(t.length))"
    ),
    "a function that nothing calls, with a variable": (
        "(() => { function f() { const p = chrome.tabs.query({}); p.then(g) } })()"
    ),
    "ignored parts of Promise.all": f"Promise.all([{GET}, fetch('x')]).then(f)",
    "other parts of Promise.all": f"Promise.all([{GET}, fetch('x')]).then(([a, b]) => use(b.c))",
    "the root with promises, in Promise.all": (
        "Promise.all([browser.tabs.query({})]).then(([tabs]) => use(tabs.length))"
    ),
    "another Promise": f"class Promise {{}} Promise.all([{GET}]).then(([a]) => use(a.b))",
}


@pytest.mark.parametrize(("script", "expected"), LATER_USE.values(), ids=LATER_USE)
def test_later_use_as_a_promise_is_reported(script: str, expected: str) -> None:
    assert found(script) == [expected]


@pytest.mark.parametrize("script", GUARDED_LATER_USE.values(), ids=GUARDED_LATER_USE)
def test_guarded_or_other_later_use_is_not_reported(script: str) -> None:
    assert found(script) == []


@pytest.mark.parametrize(
    ("script", "target", "expected"),
    [
        ("import { q } from './b.js'; q().then(f)", "firefox", [("a.js", "then")]),
        ("import { q } from './b.js'; use((await q()).length)", "firefox", [("a.js", "length")]),
        ("import { q } from './b.js'; use((await q()).length)", "chrome", [("a.js", "length")]),
        ("import { q } from './b.js'; q()", "firefox", []),
        ("import { q } from './b.js'; globalThis.chrome = browser; q().then(f)", "firefox", []),
    ],
)
def test_result_of_an_imported_function(script: str, target: str, expected: list[tuple[str, str]]) -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, background={"page": "a.html"}),
        "a.html": "<script type=module src=a.js></script>",
        "a.js": script,
        "b.js": "export const q = () => chrome.tabs.query({})",
    }
    assert [(each.path, text_under(files, each)) for each in lint(files, [RULE], target)] == expected


@pytest.mark.parametrize(("script", "expected"), INVALID.values(), ids=INVALID)
def test_direct_use_as_a_promise_is_reported(script: str, expected: str) -> None:
    assert found(script) == [expected]


@pytest.mark.parametrize("script", VALID.values(), ids=VALID)
def test_valid_use_is_not_reported(script: str) -> None:
    assert found(script) == []


def test_root_replaced_by_another_script() -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["root.js", "a.js"]}),
        "root.js": "if (typeof browser !== 'undefined') globalThis.chrome = browser;",
        "a.js": "chrome.tabs.get(1).then(f)",
    }
    assert lint(files, [RULE], "firefox") == []


def test_message_wording() -> None:
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
    ("target", "version", "count"),
    [("firefox", 3, 0), ("chrome", 3, 0), ("reference", 3, 0), ("safari", 2, 0), ("reference", 2, 1)],
)
def test_promise_depends_on_target_and_version(target: str, version: int, count: int) -> None:
    assert len(found(f"{GET}.then(f)", target, manifest_version=version)) == count
