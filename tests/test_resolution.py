"""Expressions that are members of the API, and those that only look like it."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze


def members(source: str, path: str = "script.js") -> list[str]:
    """Returns the members that a script uses, as `text = member`, in source order."""
    text = source.encode()
    return [
        f"{text[start:end].decode()} = {'.'.join(reference.path)}"
        for reference in analyze(text, path).references
        if len(reference.path) == 2
        for start, end in [reference.span]
    ]


FOLLOWED = {
    "a free global": ("browser.management.getAll()", "browser.management.getAll"),
    "chrome": ("chrome.management.getAll()", "chrome.management.getAll"),
    "through window": ("window.browser.management.getAll()", "window.browser.management.getAll"),
    "through self": ("self.chrome.management.getAll()", "self.chrome.management.getAll"),
    "through globalThis twice": (
        "globalThis.window.browser.management.getAll()",
        "globalThis.window.browser.management.getAll",
    ),
    "through this at the top": ("this.browser.management.getAll()", "this.browser.management.getAll"),
    "window in brackets": ('window["chrome"].management.getAll()', 'window["chrome"].management.getAll'),
    "a bracket with a string": ('browser["management"].getAll()', 'browser["management"].getAll'),
    "a bracket with a template": ("browser.management[`getAll`]()", "browser.management[`getAll`]"),
    "a bracket with a constant": ('const k = "getAll"; browser.management[k]()', "browser.management[k]"),
    "a bracket with a sum": ('browser.management["get" + "All"]()', 'browser.management["get" + "All"]'),
    "optional chaining": ("browser?.management?.getAll?.()", "browser?.management?.getAll"),
    "parentheses": ("((browser).management).getAll()", "((browser).management).getAll"),
    "a comma expression": ("(0, browser.management.getAll)()", "browser.management.getAll"),
    "line breaks and comments": (
        "browser\n  // the installed ones\n  .management\n  .getAll()",
        "browser\n  // the installed ones\n  .management\n  .getAll",
    ),
    "an alias of the root": ("const api = browser; api.management.getAll()", "api.management.getAll"),
    "an alias of a namespace": ("const m = browser.management; m.getAll()", "m.getAll"),
    "an alias of a function is named once": (
        "const f = browser.management.getAll; f(); f();",
        "browser.management.getAll",
    ),
    "an alias of an alias": ("const a = browser, b = a, c = b.management; c.getAll()", "c.getAll"),
    "a fallback with ??": (
        "const a = globalThis.browser ?? chrome; a.management.getAll()",
        "a.management.getAll",
    ),
    "a fallback with ||": (
        "const a = window.browser || chrome; a.management.getAll()",
        "a.management.getAll",
    ),
    "a ternary": (
        'const a = typeof browser === "undefined" ? chrome : browser; a.management.getAll()',
        "a.management.getAll",
    ),
    "a var that completes the root": (
        "var browser = browser || chrome; browser.management.getAll()",
        "browser.management.getAll",
    ),
    "a var in a condition": (
        'if (typeof browser === "undefined") { var browser = chrome; }\nbrowser.management.getAll()',
        "browser.management.getAll",
    ),
    "a global that is filled in": (
        "globalThis.browser ??= chrome; browser.management.getAll()",
        "browser.management.getAll",
    ),
    "destructuring": ("const { management } = browser; management.getAll()", "management.getAll"),
    "nested destructuring": ("const { management: { getAll } } = browser; getAll()", "getAll"),
    "destructuring with a new name": ("const { management: m } = chrome; m.getAll()", "m.getAll"),
    "a quoted key in a pattern": ('const { "management": m } = browser; m.getAll()', "m.getAll"),
    "destructuring of the global object": (
        "const { browser } = window; browser.management.getAll()",
        "browser.management.getAll",
    ),
    "an element after a hole": ("const [, { getAll }] = [1, browser.management]; getAll()", "getAll"),
    "a destructuring assignment": ("let m; ({ management: m } = browser); m.getAll()", "m.getAll"),
    "a destructured parameter": ("(({ management }) => management.getAll())(browser)", "management.getAll"),
    "a rest pattern": (
        "const { tabs, ...rest } = browser; rest.management.getAll()",
        "rest.management.getAll",
    ),
    "an array pattern": ("const [m] = [browser.management]; m.getAll()", "m.getAll"),
    "a later assignment": ("let api; api = chrome; api.management.getAll()", "api.management.getAll"),
    "an assignment used as a value": (
        "let a; (a = browser).management.getAll()",
        "(a = browser).management.getAll",
    ),
    "the argument of an IIFE": ("(function (b) { b.management.getAll() })(browser)", "b.management.getAll"),
    "the argument of an arrow IIFE": ("(b => b.management.getAll())(browser)", "b.management.getAll"),
    "an IIFE by call": ("(function (b) { b.management.getAll() }).call(this, chrome)", "b.management.getAll"),
    "the global object as an argument": (
        "(function (root) { root.browser.management.getAll() })(this)",
        "root.browser.management.getAll",
    ),
    "a default parameter": ("function f(api = browser) { api.management.getAll() }", "api.management.getAll"),
    "the parameter of a local function": (
        "function f(api) { api.management.getAll() }\nf(chrome)",
        "api.management.getAll",
    ),
    "a function's return value": (
        "const api = () => chrome; api().management.getAll()",
        "api().management.getAll",
    ),
    "the value of a return statement": (
        "function api() { if (window.x) return browser; return chrome; }\napi().management.getAll()",
        "api().management.getAll",
    ),
    "a property of an object": (
        "const o = { api: browser }; o.api.management.getAll()",
        "o.api.management.getAll",
    ),
    "a deep property": (
        "const o = { a: { b: { c: chrome.management } } }; o.a.b.c.getAll()",
        "o.a.b.c.getAll",
    ),
    "a property set later": (
        "const o = {}; o.api = browser; o.api.management.getAll()",
        "o.api.management.getAll",
    ),
    "a shorthand property": (
        "const management = browser.management; const o = { management }; o.management.getAll()",
        "o.management.getAll",
    ),
    "a spread object": (
        "const o = { ...{ api: chrome } }; o.api.management.getAll()",
        "o.api.management.getAll",
    ),
    "this in an object's method": (
        "const o = { api: chrome, run() { this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "a class field": (
        "class A { api = browser; run() { this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "a private class field": (
        "class A { #m = chrome.management; run() { this.#m.getAll() } }",
        "this.#m.getAll",
    ),
    "a static class field": (
        "class A { static api = browser }\nA.api.management.getAll()",
        "A.api.management.getAll",
    ),
    "a field set in the constructor": (
        "class A { constructor() { this.api = chrome } run() { this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "a getter": (
        "class A { get api() { return browser } run() { this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "an arrow function in a method": (
        "class A { api = browser; run() { return () => this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "a field of a new object": (
        "class A { api = browser }\nnew A().api.management.getAll()",
        "new A().api.management.getAll",
    ),
    "a hoisted var": ("function f() { return m.getAll() }\nvar m = browser.management;", "m.getAll"),
    "a global by assignment": (
        "window.api = chrome; api.management.getAll()",
        "api.management.getAll",
    ),
    "an undeclared name": ("api = chrome; api.management.getAll()", "api.management.getAll"),
    "bind": ("const f = browser.management.getAll.bind(null); f()", "browser.management.getAll"),
    "call": ("browser.management.getAll.call(browser.management)", "browser.management.getAll"),
    "a renamed part of the global object": (
        "const {browser: b} = window; b.management.getAll()",
        "b.management.getAll",
    ),
    "the polyfill by default import": (
        'import api from "webextension-polyfill"; api.management.getAll()',
        "api.management.getAll",
    ),
    "the polyfill as a namespace": (
        'import * as api from "webextension-polyfill"; api.management.getAll()',
        "api.management.getAll",
    ),
    "the polyfill by require": (
        'const api = require("webextension-polyfill"); api.management.getAll()',
        "api.management.getAll",
    ),
    "a namespace of the polyfill by its name": (
        'import { management } from "webextension-polyfill"; management.getAll()',
        "management.getAll",
    ),
    "a named import of the root": (
        'import { browser } from "wxt/browser"; browser.management.getAll()',
        "browser.management.getAll",
    ),
    "a name in template code": ("`${browser.management.getAll()}`", "browser.management.getAll"),
    "JSX": ("<button onClick={() => browser.management.getAll()} />", "browser.management.getAll"),
    "await": ("async () => (await browser.management.getAll())", "browser.management.getAll"),
    "a name with the same letters elsewhere": (
        "const o = { browser: 1 }; browser.management.getAll()",
        "browser.management.getAll",
    ),
    "a shadow that has ended": (
        "{ let browser = 1 }\nbrowser.management.getAll()",
        "browser.management.getAll",
    ),
    "a broken statement before it": (
        "const = 3;\nbrowser.management.getAll()",
        "browser.management.getAll",
    ),
}


@pytest.mark.parametrize(("source", "text"), FOLLOWED.values(), ids=FOLLOWED.keys())
def test_api_member_is_found(source: str, text: str) -> None:
    assert members(source) == [f"{text} = management.getAll"]


NOT_API_MEMBERS = {
    "a parameter": "function f(browser) { browser.management.getAll() }",
    "an arrow function's parameter": "const f = browser => browser.management.getAll()",
    "a let in a block": "{ let chrome = {}; chrome.management.getAll() }",
    "a const of something else": "const browser = make(); browser.management.getAll()",
    "a var in a function": "function f() { chrome.management.getAll(); var chrome }",
    "a function's name": "function f() { function browser() {}; browser.management.getAll() }",
    "a class's name": "{ class browser {}; browser.management.getAll() }",
    "a catch parameter": "try {} catch (chrome) { chrome.management.getAll() }",
    "a loop variable": "for (const browser of list) browser.management.getAll()",
    "a classic loop's variable": "for (let browser = x(); ;) browser.management.getAll()",
    "an import of something else": 'import browser from "./fake.js"; browser.management.getAll()',
    "a named import": 'import { chrome } from "sinon-chrome"; chrome.management.getAll()',
    "a destructured name": "const { browser } = playwright; browser.management.getAll()",
    "the element that a hole passes over": "const [, { getAll }] = [browser.management, {}]; getAll()",
    "the rest of an array": "const [...{ getAll }] = [browser.management]; getAll()",
    "a destructured parameter": "test(({ browser }) => browser.management.getAll())",
    "a named function expression": "(function browser() { browser.management.getAll() })",
    "a named class expression": "(class chrome { m() { chrome.management.getAll() } })",
    "a comment": "// browser.management.getAll()\n/* chrome.management.getAll() */",
    "a string": "'browser.management.getAll()'; \"chrome.management.getAll()\"",
    "a template's text": "`browser.management.getAll()`",
    "a regular expression": "/browser.management.getAll/.test(x)",
    "an object's key": "({ browser: { management: { getAll() {} } } }).browser.management.getAll()",
    "a member of something else": "driver.browser.management.getAll()",
    "a label": "browser: for (;;) { break browser }",
    "a reassigned alias": "let m = browser.management; m = fake(); m.getAll()",
    "an alias that may be something else": "const m = pick() ? browser.management : fake(); m.getAll()",
    "an alias of an unknown or the API": "const m = options.api ?? browser; m.management.getAll()",
    "a name that the script replaces": "globalThis.browser = fake(); browser.management.getAll()",
    "a name that a test replaces": "global.chrome = { management: {} }; chrome.management.getAll()",
    "a name that Object.assign replaces": (
        "Object.assign(globalThis, { chrome: {} }); chrome.management.getAll()"
    ),
    "a short name that it replaces": "Object.assign(global, { chrome }); chrome.management.getAll()",
    "a name that is defined": 'Object.defineProperty(window, "chrome", {}); chrome.management.getAll()',
    "a name that a test runner stubs": 'vi.stubGlobal("chrome", fake); chrome.management.getAll()',
    "the inside of a with statement": "with (o) { browser.management.getAll() }",
    "a declared variable that is assigned": "var chrome = fake(); chrome.management.getAll()",
    "a variable that another function writes": (
        "let m = browser.management; function fake() { m = other() }\nfunction f() { m.getAll() }"
    ),
    "an unknown name in brackets": "browser.management[name]()",
    "an unknown namespace in brackets": "browser[name].getAll()",
    "a field that is written elsewhere": (
        "class A { m = browser.management; set(m) { this.m = m } run() { this.m.getAll() } }"
    ),
    "this of another function": (
        "class A { m = browser.management; run() { f(function () { this.m.getAll() }) } }"
    ),
    "a default that a call replaces": "function f(api = browser) { api.management.getAll() } f(other)",
    "an alias cycle": "let a = b, b = a; a = a.b; a.management.getAll()",
    "an alias that walks on": "let a = browser; while (x) a = a.management; a.getAll()",
    "an assignment to the member": "browser.management.getAll = fake",
    "a deleted member": "delete browser.management.getAll",
    "a word that holds the name": "mybrowser.management.getAll(); browser2.management; $chrome.management",
}


@pytest.mark.parametrize("source", NOT_API_MEMBERS.values(), ids=NOT_API_MEMBERS.keys())
def test_other_expression_is_not_an_api_member(source: str) -> None:
    assert members(source) == []


TYPESCRIPT = {
    "a cast": ("(browser as any).management.getAll()", "(browser as any).management.getAll"),
    "a non-null mark": ("browser!.management!.getAll!()", "browser!.management!.getAll"),
    "an old cast": ("(<any>browser).management.getAll()", "(<any>browser).management.getAll"),
    "satisfies": (
        "(browser satisfies Browser).management.getAll()",
        "(browser satisfies Browser).management.getAll",
    ),
    "a typed alias": ("const api: typeof chrome = chrome; api.management.getAll()", "api.management.getAll"),
    "an ambient declaration": (
        "declare const browser: any;\nbrowser.management.getAll()",
        "browser.management.getAll",
    ),
    "a parameter property": (
        "class A { constructor(private api = browser) {} run() { this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "a field with a type": (
        "class A { private api: any = chrome; run() { this.api.management.getAll() } }",
        "this.api.management.getAll",
    ),
    "a typed parameter": ("((b: any) => b.management.getAll())(browser)", "b.management.getAll"),
}


@pytest.mark.parametrize(("source", "text"), TYPESCRIPT.values(), ids=TYPESCRIPT.keys())
@pytest.mark.parametrize("path", ["script.ts", "script.tsx"])
def test_api_member_in_typescript_is_found(source: str, text: str, path: str) -> None:
    if path == "script.tsx" and "<any>" in source:
        pytest.skip("TSX has no casts in angle brackets")
    assert members(source, path) == [f"{text} = management.getAll"]


TYPES_ONLY = {
    "a type query": "let x: typeof browser.management.getAll;",
    "a type's name": "let x: browser.management.ExtensionInfo;",
    "an interface": "interface A { browser: { management: any } }",
    "a parameter of a function type": "type F = (browser: any) => void;",
    "a type-only import": 'import type { browser } from "x"; let b: typeof browser;',
}


@pytest.mark.parametrize("source", TYPES_ONLY.values(), ids=TYPES_ONLY.keys())
def test_types_are_not_uses(source: str) -> None:
    assert members(source, "script.ts") == []


def test_dynamic_access_is_recorded() -> None:
    text = b"chrome[name].get(); const { [key]: x } = browser; other[name];"
    assert [text[start:end] for start, end in analyze(text, "a.js").dynamic_accesses] == [
        b"chrome[name]",
        b"[key]: x",
    ]
