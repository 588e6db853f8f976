"""Branches that no known call can reach, so that nothing in them is reported as missing."""

from __future__ import annotations

import pytest
from harness import lint, manifest


def is_reported(source: str, module: str = "") -> bool:
    """Whether a use without its permission is reported in a module."""
    text = f"import './b.js'; {source.replace('USE', 'browser.management.getAll()')}"
    background = {"service_worker": "a.js", "type": "module"}
    files = {"manifest.json": manifest(background=background), "a.js": text, "b.js": module}
    return bool(lint(files, ["missing-permission"]))


DEAD = {
    "two numbers": "if (5 < 1) USE",
    "two numbers, early return": "on(() => { if (1 !== 2) return; USE })",
    "a variable that is only null": "let x = null; on(() => { x = null }); on(() => { if (x) USE })",
    "a variable that is set to null behind a test of itself": (
        "let x = null; on(() => { if (x) x = null }); on(() => { if (x) USE })"
    ),
    "a variable that is only false": "let x = false; on(() => { if (x) x = false }); on(() => { x && USE })",
    "a parameter that no call gives": "function f(x, opts) { if (opts) USE } f(1)",
    "an optional part of it": "function f(x, opts) { if (opts?.all) USE } f(1); f(2)",
    "undefined": "function f(opts) { if (opts !== undefined) USE } f()",
    "void 0": "function f(opts) { if (void 0 !== opts) USE } f()",
    "typeof": "function f(opts) { if (typeof opts !== 'undefined') USE } f()",
    "early return": "function f(opts) { if (!opts) return; USE } f()",
    "early return without parentheses": "function f(opts) { if (opts === undefined) { return } USE } f()",
    "and": "function f(opts) { opts && USE } f()",
    "a ternary": "function f(opts) { return opts ? USE : 0 } f()",
    "a default": "function f(all = false) { if (all) USE } f()",
    "a part of a pattern": "function f({ all } = {}) { if (all) USE } f()",
    "a part with a default": "function f({ all = false } = {}) { if (all) USE } f({ id: 1 })",
    "always false": "function f(all) { if (all) USE } f(false); f(0)",
    "always true": "function f(one) { if (one) return; USE } f(true)",
    "always another": "function f(mode) { if (mode === 'all') USE } f('one'); f('two')",
    "an arrow function": "const f = (opts) => { if (opts) USE }; f()",
    "an inner function": "function g() { function f(opts) { if (opts) USE } f() } g()",
    "a function inside the branch": "function f(opts) { if (opts) { on(() => USE) } } f()",
    "a function that is called in the branch only": (
        "function f(opts) { if (opts) g() } function g() { USE } f()"
    ),
    "a method that is called in the branch only": (
        "class A { f() { USE } } const a = new A(); function g(opts) { if (opts) a.f() } g()"
    ),
    "the rest of the arguments": "function f(x, ...more) { if (more.length) USE } f(1)",
    "the number of arguments": "function f(x) { if (!arguments.length) USE } f(1)",
    "a part of an object with unknown parts": "function f({ all, g }) { if (all) USE } f({ g: console.log })",
    "a constant": "const DEBUG = false; if (DEBUG) USE",
    "no constant": "const RELEASE = true; if (!RELEASE) USE",
    "a variable that keeps its value": "var DEBUG = false; if (DEBUG) USE",
    "one in a function": "(() => { let DEBUG = false; if (DEBUG) USE })()",
    "a text that it keeps": "var MODE = 'production'; if (MODE === 'development') USE",
    "a literal": "if (false) USE",
    "a constant function that compares it": "const M = 'one', all = () => M === 'all'; if (all()) USE",
    "a function that returns early": (
        "const M = 'one'; function all() { if (!M) return false; return M === 'all' } if (all()) USE"
    ),
    "a function that returns a text": "const mode = () => 'one'; if (mode() === 'all') USE",
    "a property that compares it": "const M = 'one', is = { all: M === 'all' }; if (is.all) USE",
    "a method that compares it": "const M = 'one', a = { all() { return M === 'all' } }; if (a.all()) USE",
    "a property that each call gives": "function f(o) { if (o.all) USE } f({ all: false }); f({ all: 0 })",
    "a text that each call gives": "function f(o) { if (o.mode === 'all') USE } f({ mode: 'one' })",
    "a parameter of a method": "class A { f(opts) { if (opts) USE } } new A().f()",
    "one that is always another": (
        "class A { f(x, mode) { mode === 'all' ? USE : g(x) } } const a = new A(); a.f(1, 'b'); a.f(2, 'c')"
    ),
    "one that the class passes on": (
        "class A { f(mode) { if (mode === 'all') USE } g() { this.f('one') } } new A().g()"
    ),
    "one of a method of an object": "const a = { f(opts) { if (opts) USE } }; a.f(false)",
    "one of a function in an object": "const a = { f: (opts) => { if (opts) USE } }; a.f(0)",
}


@pytest.mark.parametrize("source", DEAD.values(), ids=DEAD.keys())
def test_dead_branch_is_not_reported(source: str) -> None:
    assert not is_reported(source)


ALIVE = {
    "a function that compares a variable": (
        "let m = 'one'; const all = () => m === 'all'; on((x) => { m = x }); if (all()) USE"
    ),
    "a function of what is passed": "const all = (m) => m === 'all'; if (all('all')) USE; all('b')",
    "a function that compares what the host says": "const all = () => g() === 'all'; if (all()) USE",
    "an asynchronous function": "const all = async () => 1 === 2; if (all()) USE",
    "a generator": "function* all() { return 1 === 2 } if (all()) USE",
    "a property that compares it and changes": (
        "const M = 'one', is = { all: M === 'all' }; on(() => { is.all = true }); if (is.all) USE"
    ),
    "a property that another call gives": "function f(o) { if (o.all) USE } f({ all: false }); f({ all: 1 })",
    "a property that an unknown call may give": "function f(o) { if (o.all) USE } f({ all: false }); f(x)",
    "a property that the function sets": "function f(o) { o.all = g(); if (o.all) USE } f({ all: false })",
    "a property that another function sets": "function f(o) { g(o); if (o.all) USE } f({ all: false })",
    "a property of an object that is given twice": (
        "const o = { all: false }; function f(o) { if (o.all) USE; o.all = true } f(o); f(o)"
    ),
    "a property of a copy": "function f(o) { o = { ...o, ...g() }; if (o.all) USE } f({ all: false })",
    "a variable that is set in another place": (
        "let x = null; on(() => { if (x) x = null; else x = {} }); on(() => { if (x) USE })"
    ),
    "a variable that is reversed": "let x = false; on(() => { x = !x }); on(() => { if (x) USE })",
    "a variable that is only null, if it is": "let x = null; on(() => { if (x) x = null; if (!x) USE })",
    "one call gives it": "function f(x, opts) { if (opts) USE } f(1); f(1, {})",
    "the other branch": "function f(opts) { if (opts) {} else USE } f()",
    "not": "function f(opts) { if (!opts) USE } f()",
    "before the early return": "function f(opts) { USE; if (!opts) return } f()",
    "another default": "function f(all = true) { if (all) USE } f()",
    "a part that a call gives": "function f({ all }) { if (all) USE } f({ all: true })",
    "a call with a spread": "function f(opts) { if (opts) USE } f(...x)",
    "exported": "export function f(opts) { if (opts) USE } f()",
    "exported by name": "function f(opts) { if (opts) USE } f(); export { f }",
    "passed to another function": "function f(opts) { if (opts) USE } f(); on(f)",
    "applied": "function f(opts) { if (opts) USE } f(); f.apply(null, x)",
    "assigned": "function f(opts) { opts = opts || x; if (opts) USE } f()",
    "arguments": "function f(opts) { arguments[0] = 1; if (opts || arguments[1]) USE } f()",
    "a variable that changes": "let all = false; if (all) USE; function g() { all = true }",
    "a variable that is counted up": "let n = 0; if (n) USE; on(() => n++)",
    "a variable that a pattern fills": "let all = false; if (all) USE; on((o) => { ({ all } = o) })",
    "a variable that a string may change": "var all = false; if (all) USE; eval(code)",
    "a variable that gets its value": "let cache; function f() { if (!cache) { cache = 1; USE } } f(); f()",
    "a parameter that is such a variable": (
        "let ready; function f(x) { if (!x) USE } function g() { ready = true } f(ready)"
    ),
    "a property that gets its value": "window.done || USE; window.done = true",
    "a property that gets a value once": "if (!window.lib) { window.lib = { a: 1 }; USE }",
    "a field of an object that changes": (
        "const s = { on: false }; if (s.on) USE; export function g() { s.on = true }"
    ),
    "a field that is added": "const s = {}; if (s.on) USE; export function g() { s.on = true }",
    "a field of every object": "const s = {}; if (s.toString) USE",
    "always the same": "function f(mode) { if (mode === 'all') USE } f('all')",
    "a method": "class A { f(opts) { if (opts) USE } } new A().f(1)",
    "a method passed on": "class A { f(opts) { if (opts) USE } } const a = new A(); a.f(); on(a.f)",
    "an object passed on": "class A { f(opts) { if (opts) USE } } const a = new A(); a.f(); on(a)",
    "a method of any name": "class A { f(opts) { if (opts) USE } } const a = new A(); a.f(); a[x](1)",
    "a method that is passed unknown values": "class A { f(opts) { if (opts) USE } } new A().f(x)",
    "a method of a class that another extends": (
        "class A { f(opts) { if (opts) USE } } class B extends A {} new B().f(1)"
    ),
    "a method of a class that is exported": "export class A { f(opts) { if (opts) USE } } new A().f()",
    "a method with a default": "class A { f(opts = true) { if (opts) USE } } new A().f()",
    "a method that calls itself": "const a = { f: function g(opts) { if (opts) USE; g(1) } }; a.f()",
    "a setter": "class A { set f(opts) { if (opts) USE } } new A().f = 1",
    "without a visible call": "function f(opts) { if (opts) USE } register(f)",
    "a branch that may run too": "function f(opts) { if (opts) g() } function g() { USE } f(); g()",
    "the rest of the arguments": "function f(x, ...more) { if (more.length) USE } f(1); f(1, 2)",
    "a field that is set to a literal": (
        "class A { constructor() { this.a = 'one' } f() { if (this.a === 'all') USE } } new A().f()"
    ),
    "the truth of a text in a field": (
        "class A { constructor(x) { this.a = x } f() { if (this.a) USE } } new A('').f()"
    ),
    "a constant that a build may replace": "if (DEBUG) USE",
}


@pytest.mark.parametrize("source", ALIVE.values(), ids=ALIVE.keys())
def test_live_branch_is_reported(source: str) -> None:
    assert is_reported(source)


def test_variable_may_be_assigned_by_another_script() -> None:
    files = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["a.js", "b.js"]}),
        "a.js": "var all = false; function f() { if (all) browser.management.getAll() } f();",
        "b.js": "all = true; f();",
    }
    assert lint(files, ["missing-permission"])
    assert not lint({**files, "b.js": "f();"}, ["missing-permission"])


def test_method_may_be_called_by_another_script() -> None:
    source = "class A { f(opts) { if (opts) browser.management.getAll() } } const a = new A(); a.f();"
    files = {
        "manifest.json": manifest(manifest_version=2, background={"scripts": ["a.js", "b.js"]}),
        "a.js": source,
        "b.js": "a.f(1);",
    }
    assert lint(files, ["missing-permission"])
    assert not lint({**files, "b.js": "f();"}, ["missing-permission"])


FAILING = {
    "a member of a namespace": "if (chrome.offscreen?.createDocument) USE",
    "its type": "if (typeof chrome.offscreen?.createDocument === 'function') USE",
    "a constant": "const has = Boolean(chrome.offscreen?.createDocument); if (has) USE",
    "two negations": "const has = !!chrome.sidePanel?.open; if (!has) throw 1; USE",
    "a nested namespace": "if (chrome.system?.cpu?.getInfo) USE",
    "two that are missing": "if (chrome.offscreen || chrome.sidePanel) USE",
    "three": "if (chrome.offscreen?.hasDocument || chrome.sidePanel || chrome.system) USE",
    "neither of two": "if (!chrome.offscreen && !chrome.sidePanel) throw 1; USE",
    "either, by a constant": "const has = chrome.offscreen || chrome.sidePanel; if (has) USE",
}
PASSING = {
    "a namespace that is there": "if (chrome.tabs?.query) USE",
    "one that is missing, negated": "if (!chrome.offscreen?.createDocument) USE",
    "a nested one that is there": "if (chrome.privacy?.network) USE",
    "one of two that is there": "if (chrome.offscreen || chrome.sidebarAction) USE",
    "one of two that are missing, negated": "if (!chrome.offscreen || !chrome.sidePanel) USE",
    "another test next to a missing one": "if (chrome.offscreen || navigator.gpu) USE",
    "one of three that is there": "if (chrome.offscreen || chrome.tabs || chrome.sidePanel) USE",
}


@pytest.mark.parametrize(
    ("condition", "count"),
    [*((each, 0) for each in FAILING.values()), *((each, 1) for each in PASSING.values())],
    ids=[*FAILING, *PASSING],
)
def test_condition_on_missing_namespace_is_false(condition: str, count: int) -> None:
    source = f"function f() {{ {condition.replace('USE', 'chrome.tabs.create({ foo: 1 })')} }} f()"
    background = {"scripts": ["a.js"]}
    files = {"manifest.json": manifest(background=background, permissions=["privacy"]), "a.js": source}
    assert len(lint(files, ["invalid-argument"], "firefox")) == count


NULL_LISTENER = "let x = null; on(() => { if (x) x = null });"


@pytest.mark.parametrize(
    ("use", "is_expected"),
    [
        ("if (x) browser.runtime.onMessage.removeListener(x)", False),
        ("if (!x) return; browser.runtime.onMessage.removeListener(x)", False),
        ("browser.runtime.onMessage.removeListener(x)", True),
        ("if (!x) browser.runtime.onMessage.removeListener(x)", True),
        ("if (x) browser.runtime.onMessage.removeListener(null)", False),
    ],
)
def test_null_is_not_the_value_behind_a_test_of_the_variable(use: str, *, is_expected: bool) -> None:
    source = f"{NULL_LISTENER} on(() => {{ {use} }})"
    files = {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": source}
    assert bool(lint(files, ["invalid-argument"])) is is_expected


@pytest.mark.parametrize(
    ("exported", "test", "is_used"),
    [
        pytest.param("export const on = false;", "if (on) USE", False, id="false"),
        pytest.param("export const on = false;", "if (!on) USE", True, id="not false"),
        pytest.param("const on = 0; export { on };", "on && USE", False, id="a number"),
        pytest.param("export const on = 'a';", "if (on === 'b') USE", False, id="another text"),
        pytest.param("export let on = false; export function f() { on = x; }", "if (on) USE", True, id="let"),
        pytest.param("export const on = x;", "if (on) USE", True, id="unknown"),
    ],
)
def test_constant_of_an_imported_module(exported: str, test: str, is_used: bool) -> None:
    assert is_reported(f"import {{ on }} from './b.js'; {test}", exported) is is_used
