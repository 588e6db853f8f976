"""Conditions that test the browser, and conditions that only resemble them."""

from __future__ import annotations

import pytest
from harness import lint, manifest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.script_facts import Guards

USE = "browser.tabs.hide([1])"


def guards(source: str, path: str = "a.js") -> Guards:
    """Returns the guards of the reference to `tabs.hide`; `USE` in the source stands for this reference."""
    references = analyze(source.replace("USE", USE).encode(), path).references
    return next(each.guards for each in references if each.path == ("tabs", "hide"))


TEXTS = ", ".join(f"'text {number}'" for number in range(30))

BROWSER_TESTS = {
    "a name": "if (isFirefox) USE",
    "a constant's name": "if (IS_FIREFOX) USE",
    "a name in small letters": "if (isfirefox) USE",
    "two letters": "if (isFF) USE",
    "an engine": "if (env.gecko) USE",
    "Edge": "if (isEdge) USE",
    "a function": "if (isFirefox()) USE",
    "an awaited function": "async () => { if (await isFirefox()) USE }",
    "a method": "if (this.env.isFirefox()) USE",
    "a negation": "if (!isChrome) USE",
    "twice not": "if (!!isFirefox) USE",
    "with something else": "if (enabled && tab.id > 0 && isFirefox) USE",
    "an alternative": "if (enabled || isFirefox) USE",
    "De Morgan": "if (!(isChrome || !enabled)) USE",
    "an else branch": "if (isChrome) {} else { USE }",
    "after an early return": "function f() { if (isChrome) return; USE }",
    "after an early throw": "function f() { if (isChrome) throw new Error(); USE }",
    "after a continue": "for (const a of b) { if (isChrome) continue; USE }",
    "and": "isFirefox && USE",
    "a ternary": "isFirefox ? USE : 0",
    "nullish": "isChrome ?? USE",
    "a while loop": "while (isFirefox) USE",
    "a case of a name": "switch (browserName) { case 'firefox': USE }",
    "a case after others": "switch (detected) { case 'a': x(); break; case 'firefox': USE }",
    "a case of true": "switch (true) { case isFirefox: USE }",
    "the default of a name": "switch (getBrowser()) { case 'chrome': break; default: USE }",
    "a comparison": "if (browserName === 'firefox') USE",
    "a comparison, turned": "if ('firefox' === detected) USE",
    "an enum": "if (getBrowser() === Browser.Firefox) USE",
    "an enum of names": "if (current === BROWSERS.FIREFOX) USE",
    "a list": "if (['firefox', 'librewolf'].includes(detected)) USE",
    "a list with a name": "const supported = ['firefox', 'waterfox']; if (supported.includes(detected)) USE",
    "a long list with a name": f"const known = [{TEXTS}, 'firefox']; if (known.includes(detected)) USE",
    "a long table of conditions": f"const table = {{own: isFirefox, texts: [{TEXTS}]}}; if (table.own) USE",
    "a set": "const supported = new Set(['firefox']); if (supported.has(detected)) USE",
    "a table": "if (FEATURES[browserName].hiding) USE",
    "a method by a name of the language's": "own.keys = () => isFirefox; if (own.keys()) USE",
    "a variable by such a name": "const Object = { keys: () => isFirefox }; if (Object.keys(tabs)) USE",
    "the user agent": "if (navigator.userAgent.includes('Firefox')) USE",
    "the user agent by a pattern": "if (/firefox/i.test(navigator.userAgent)) USE",
    "the user agent with a name": "const ua = navigator.userAgent.toLowerCase(); if (ua.match(/x/)) USE",
    "brands": "if (navigator.userAgentData.brands.some((each) => each.brand === 'Chromium')) {} else USE",
    "the vendor": "if (navigator.vendor !== 'Google Inc.') USE",
    "the extension's own address": "if (browser.runtime.getURL('').startsWith('moz-extension')) USE",
    "the address of the page": "if (location.protocol === 'moz-extension:') USE",
    "an address with a name": (
        "const base = browser.runtime.getURL('/');"
        " const own = base.indexOf('moz-extension://') === 0; if (own) USE"
    ),
    "another browser's address": "if (location.origin.startsWith('chrome-extension://')) {} else USE",
    "a global of one browser": "if (typeof InstallTrigger !== 'undefined') USE",
    "a style of one engine": "if ('MozAppearance' in document.body.style) USE",
    "getBrowserInfo": "if (browser.runtime.getBrowserInfo) USE",
    "the id": "if (browser.runtime.id === 'me@example.org') USE",
    "the id's form": "if (browser.runtime.id.includes('@')) USE",
    "the other root": "if (typeof browser !== 'undefined') USE",
    "a property of the window": "if (window.browser) USE",
    "a platform": "async () => { if ((await browser.runtime.getPlatformInfo()).os !== 'android') USE }",
    "a platform's name": "if (!isAndroid) USE",
    "a name without the word": "const hides = navigator.userAgent.includes('Firefox'); if (hides) USE",
    "assigned later": "let hides = false; hides = /Gecko\\//.test(navigator.userAgent); if (hides) USE",
    "a function without the word": (
        "function hides() { return navigator.userAgent.includes('Firefox') } if (hides()) USE"
    ),
    "a function that returns constants": (
        "function hides() { if (navigator.userAgent.includes('Firefox')) return true; return false }"
        " if (hides()) USE"
    ),
    "a function that remembers": (
        "let known; async function hides() { if (known === undefined) {"
        " known = (await browser.runtime.getBrowserInfo()).name === 'Firefox' } return known }"
        " async () => { if (await hides()) USE }"
    ),
    "an object of flags": "const can = { hide: navigator.vendor === '' }; if (can.hide) USE",
    "a getter": "const can = { get hide() { return navigator.vendor === '' } }; if (can.hide) USE",
    "a static field": "class Can { static hide = /Firefox/.test(navigator.userAgent) } if (Can.hide) USE",
    "a global's property": "window.hides = /Firefox/.test(navigator.userAgent); if (hides) USE",
    "in a caller": "function go() { USE } if (isFirefox) go()",
    "comments in it": "if (enabled /* only in " + "x" * 500 + " */ && isFirefox) USE",
    "a long condition": "if ("
    + " && ".join(f"flags.n{at}.enabled" for at in range(60))
    + " && isFirefox) USE",
    "TypeScript": "if ((globals as any).isFirefox!) USE",
    "a name of the manifest version": "if (isMV2) USE",
}


@pytest.mark.parametrize("source", BROWSER_TESTS.values(), ids=BROWSER_TESTS.keys())
def test_browser_test_is_recognized(source: str) -> None:
    found = guards(source, "a.ts" if " as " in source else "a.js")
    assert found.browser_tested or found.user_agent


OTHER_TESTS = {
    "how long a list is": "this.length = isFirefox ? 1 : 2; if (tabs.length) USE",
    "a function of the language": "this.keys = () => isFirefox; if (Object.keys(tabs)) USE",
    "another name": "if (enabled) USE",
    "a word in a word": "if (_operating_toolbar) USE",
    "more words in words": "if (cooperative || edged || chromeless) USE",
    "a root": "if (chrome.tabs.hide2) USE",
    "a name for a namespace": "const chromeTabs = chrome.tabs; if (chromeTabs.length) USE",
    "browserAction": "if (browser.browserAction) USE",
    "an address": "if (!tab.url.startsWith('chrome://')) USE",
    "the address of any extension": "if (tab.url.startsWith('chrome-extension:')) USE",
    "another extension's address": "if (sender.url.startsWith('moz-extension://')) USE",
    "a page about a browser": "if (url === 'https://www.mozilla.org/firefox') USE",
    "a pattern of addresses": "if (/^chrome:\\/\\//.test(url)) USE",
    "a message about a browser": "if (message.type === 'open-in-firefox-dialog') USE",
    "whether the extension lives": "if (browser.runtime?.id) USE",
    "whether it is the sender": "if (sender.id === browser.runtime.id) USE",
    "a long list of other texts": f"const supported = [{TEXTS}]; if (supported.includes(detected)) USE",
    "an edge of a graph": "if (edge.visited) USE",
    "a type's name": "if (value as FirefoxValue) USE",
    "in an argument that is a function": "if (later(function () { return isFirefox })) USE",
    "the mode of the build": "if (process.env.NODE_ENV === 'production') USE",
    "a build for development": "if (import.meta.env.DEV) USE",
    "before it": "USE; if (isFirefox) {}",
    "after the branch": "if (isFirefox) { x() } USE",
    "after a branch that goes on": "if (isChrome) { x() } USE",
    "a test of the API": "const hides = !!browser.tabs.hide; if (hides) USE",
    "a catch": "try { x() } catch (e) { USE }",
}


@pytest.mark.parametrize("source", OTHER_TESTS.values(), ids=OTHER_TESTS.keys())
def test_other_condition_is_not_a_browser_test(source: str) -> None:
    assert not guards(source, "a.ts" if " as " in source else "a.js").browser_tested


BUILD_CONSTANTS = {
    "a constant": "if (__FIREFOX__) USE",
    "capitals": "if (TARGET === 'x') USE",
    "any constant": "if (WITH_HIDING) USE",
    "typeof": "if (typeof WITH_HIDING !== 'undefined' && WITH_HIDING) USE",
    "declared for the compiler": "declare const WITH_HIDING: boolean; if (WITH_HIDING) USE",
    "process.env": "if (process.env.TARGET === 'x') USE",
    "process.env in brackets": "if (process.env['TARGET'] === 'x') USE",
    "import.meta.env": "if (import.meta.env.HIDING) USE",
    "taken out": "const { TARGET } = process.env; if (TARGET === 'x') USE",
    "kept": "const target = process.env.TARGET; if (target === 'x') USE",
    "from a module that is not there": "import { WITH_HIDING } from 'virtual:config'; if (WITH_HIDING) USE",
    "a placeholder": "if ('__BROWSER__' === 'x') USE",
    "another placeholder": "const target = '%TARGET%'; if (target === 'x') USE",
    "long, with comments": "if (/* a */ WITH_HIDING && (" + " || ".join(["enabled // why\n"] * 50) + ")) USE",
    "an else branch": "if (!WITH_HIDING) {} else USE",
}


@pytest.mark.parametrize("source", BUILD_CONSTANTS.values(), ids=BUILD_CONSTANTS.keys())
def test_build_constant_counts_as_browser_test(source: str) -> None:
    found = guards(source, "a.ts" if "declare" in source else "a.js")
    assert found.browser_tested or found.user_agent or found.constants


RUNTIME_GLOBALS = {
    "a hook of a developer tool": "if (typeof __HOOK__ < 'u') { __HOOK__.inject(a); USE }",
    "another name for it": "if (typeof __HOOK__ !== 'undefined') { const h = __HOOK__; if (h.fits) USE }",
}


@pytest.mark.parametrize("source", RUNTIME_GLOBALS.values(), ids=RUNTIME_GLOBALS.keys())
def test_global_that_is_an_object_at_runtime_is_not_a_build_constant(source: str) -> None:
    assert not guards(source).constants


BUILD_DIRECTIVES = {
    "if": "// #if FIREFOX\nUSE\n// #endif",
    "capitals": "// #IF FIREFOX\nUSE\n// #ENDIF",
    "without a space": "//#ifdef FIREFOX\nUSE\n//#endif",
    "at": "// @if TARGET='x'\nUSE\n// @endif",
    "in a block comment": "/* @if TARGET */ USE; /* @endif */",
    "three slashes": "/// #if TARGET\nUSE\n/// #endif",
    "an else part": "// #if CHROME\nx()\n// #else\nUSE\n// #endif",
    "one in another": "// #if A\n// #if B\nx()\n// #endif\nUSE\n// #endif",
    "around a function": "// #ifndef CHROME\nfunction f() { if (enabled) USE }\n// #endif",
}
OTHER_COMMENTS = {
    "before it": "USE\n// #if FIREFOX\nx()\n// #endif",
    "after it": "// #if FIREFOX\nx()\n// #endif\nUSE",
    "without an end": "// #if FIREFOX\nUSE",
    "an end without a start": "USE\n// #endif",
    "prose": "// if this is Firefox\nUSE\n// end if",
    "in a text": "const a = '// #if FIREFOX'; USE; const b = '// #endif'",
}


@pytest.mark.parametrize("source", BUILD_DIRECTIVES.values(), ids=BUILD_DIRECTIVES.keys())
def test_build_directive_counts_as_browser_test(source: str) -> None:
    assert guards(source).browser_tested


@pytest.mark.parametrize("source", OTHER_COMMENTS.values(), ids=OTHER_COMMENTS.keys())
def test_other_comment_is_not_a_build_directive(source: str) -> None:
    assert not guards(source).browser_tested


@pytest.mark.parametrize(
    ("other", "expected"),
    [("", []), ("var WITH_HIDING = true", ["tabs.hide"]), ("window.WITH_HIDING = 1", ["tabs.hide"])],
    ids=["not set", "in another script", "as a property"],
)
def test_constant_assigned_by_package_is_not_a_build_constant(other: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(background={"scripts": ["b.js", "a.js"]}, permissions=["tabHide"]),
        "b.js": other,
        "a.js": f"if (WITH_HIDING) {USE}",
    }
    assert [each.api for each in lint(files, ["unknown-api"], "chrome")] == expected


STILL_REPORTED = {
    "a misspelled member": ("if (isFirefox) browser.tabs.hidee([1])", ["unknown-api"]),
    "a misspelled member, for the build": ("if (__FIREFOX__) browser.tabs.hidee([1])", ["unknown-api"]),
    "a misspelled member in a try block": ("try { browser.tabs.qurey({}) } catch {}", ["unknown-api"]),
    "a misspelled member after its own test": (
        "if (browser.tabs.qurey) browser.tabs.qurey({})",
        ["unknown-api", "unknown-api"],
    ),
    "a misspelled namespace": ("if (isFirefox) browser.tbas.query({})", ["unknown-api"]),
    "a member of one browser": ("if (isFirefox) browser.tabs.hide([1])", []),
    "a misspelled member that the package makes": (
        "if (isFirefox) { browser.tabs.qurey = f; } if (isFirefox) browser.tabs.qurey({})",
        [],
    ),
    "an argument that no browser takes": (
        "if (isFirefox) browser.tabs.create({url: 1})",
        ["invalid-argument"],
    ),
    "such an argument, for the build": (
        "if (process.env.TARGET) browser.tabs.create({url: 1})",
        ["invalid-argument"],
    ),
    "such an argument in a try block": (
        "try { browser.tabs.create({url: 1}) } catch {}",
        ["invalid-argument"],
    ),
    "an argument that one takes": ("if (isFirefox) browser.tabs.create({cookieStoreId: 'a'})", []),
    "an argument that one takes, for the build": (
        "if (process.env.TARGET) browser.tabs.create({cookieStoreId: 'a'})",
        [],
    ),
    "under another condition": ("if (enabled) browser.tabs.hide([1])", ["unknown-api"]),
}
RULES = ["unknown-api", "invalid-argument", "missing-permission", "wrong-argument-count"]


@pytest.mark.parametrize(("source", "expected"), STILL_REPORTED.values(), ids=STILL_REPORTED.keys())
def test_mistake_in_every_browser_is_reported_despite_browser_test(source: str, expected: list[str]) -> None:
    keys = {"permissions": ["cookies"], "background": {"scripts": ["a.js"]}}
    files = {"manifest.json": manifest(**keys), "a.js": source}
    assert [each.rule for each in lint(files, RULES, "chrome")] == expected


LINKS = 8
CHAIN = "".join(f"let v{at}; f{at} = () => {{ v{at} = v{at - 1} }};" for at in range(1, LINKS + 1))
"""Variables in a row. Each one gets the value of the variable before it."""


@pytest.mark.parametrize("read_before", range(1, LINKS + 1))
def test_condition_means_the_same_whichever_is_read_before(read_before: int) -> None:
    source = f"let v0; f0 = () => {{ v0 = isFirefox }};{CHAIN}if (v{read_before}) browser.tabs.query({{}});"
    assert guards(f"{source} if (v1) USE").browser_tested
    assert guards(f"{source} if (v4) USE").browser_tested
    assert not guards(source.replace("isFirefox", "enabled") + " if (v1) USE").browser_tested


@pytest.mark.parametrize("read_before", ["a", "b", "c"])
def test_variables_that_get_each_others_values(read_before: str) -> None:
    source = (
        "let a, b, c; f = () => { a = b }; g = () => { b = c }; h = () => { c = a; a = isFirefox };"
        f"if ({read_before}) browser.tabs.query({{}});"
    )
    assert all(guards(f"{source} if ({each}) USE").browser_tested for each in "abc")
