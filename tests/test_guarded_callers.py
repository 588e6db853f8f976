"""Guards around callers of functions, methods and classes that use the API, in one or more scripts."""

from __future__ import annotations

import pytest
from harness import lint, manifest

USE = "browser.management.getAll()"
TEST = "browser.management.getAll"


def is_reported(source: str, **others: str) -> bool:
    """Whether a use without its permission is reported in a package with these scripts."""
    files = {"a.js": source, **{name.replace("_", ".") + ".js": text for name, text in others.items()}}
    texts = {name: text.replace("USE", USE).replace("TEST", TEST) for name, text in files.items()}
    background = {"service_worker": "a.js", "type": "module"}
    return bool(lint({"manifest.json": manifest(background=background), **texts}, ["missing-permission"]))


GUARDED = {
    "this.method()": "class A { m() { USE } start() { if (TEST) this.m() } } new A().start()",
    "this.method() after an early return": (
        "class A { m() { USE } start() { if (!TEST) return; this.m() } } new A().start()"
    ),
    "obj.method()": "const o = { m() { USE } }; if (TEST) o.m()",
    "obj.method() of an arrow function": "const o = { m: () => USE }; if (TEST) o.m()",
    "this.method() of an object": "const o = { m() { USE }, n() { if (TEST) this.m() } }; o.n()",
    "instance.method()": "class A { m() { USE } } const a = new A(); if (TEST) a.m()",
    "static method": "class A { static m() { USE } } if (TEST) A.m()",
    "static method by this": "class A { static m() { USE } static n() { TEST && this.m() } } A.n()",
    "private method": "class A { #m() { USE } n() { TEST && this.#m() } } new A().n()",
    "class field with an arrow function": "class A { m = () => USE; n() { if (TEST) this.m() } } new A().n()",
    "callback": "class A { m() { USE } n() { if (TEST) setTimeout(() => this.m()) } } new A().n()",
    "bound": "class A { m() { USE } n() { if (TEST) on(this.m.bind(this)) } } new A().n()",
    "a listener": "class A { m() { USE } n() { if (TEST) addEventListener('x', this.m) } } new A().n()",
    "getter": "class A { get m() { return USE } n() { if (TEST) f(this.m) } } new A().n()",
    "getter of an object": "const o = { get m() { return USE } }; if (TEST) f(o.m)",
    "setter": "class A { set m(x) { USE } } const a = new A(); a.m; if (TEST) a.m = 1",
    "several calls": "class A { m() { USE } n() { if (TEST) this.m(); TEST && this.m() } } new A().n()",
    "chain of functions and methods": (
        "class A { m() { USE } } const a = new A(); function f() { a.m() } const g = () => f(); if (TEST) g()"
    ),
    "recursive function": "function f() { USE; setTimeout(f) } if (TEST) f()",
    "two methods that call each other": (
        "class A { m() { USE; this.l() } l() { this.m() } n() { TEST && this.m() } } new A().n()"
    ),
    "constructor": "class A { constructor() { USE } } if (TEST) new A()",
    "method of a class that is made under a guard": "class A { m() { USE } } if (TEST) { new A().m() }",
    "uncalled method of such a class": "class A { m() { USE } } if (TEST) register(new A())",
    "field of such a class": "class A { x = USE } if (TEST) new A()",
    "such a class that others extend": (
        "class A { m() { USE } } class B extends A {} if (TEST) register(new B())"
    ),
    "super": "class A { m() { USE } } class B extends A { m() { super.m() } } if (TEST) new B().m()",
    "class passed to a function": "class A { m() { USE } } if (TEST) customElements.define('a-b', A)",
    "object passed to a function": "const o = { m() { USE } }; if (TEST) register(o)",
    "object in an object": "const o = { p: { m() { USE } } }; if (TEST) o.p.m()",
    "destructured method": "const o = { m() { USE } }; const { m } = o; if (TEST) m()",
    "function in an object": "function f() { USE } const o = { f }; if (TEST) o.f()",
    "function in an object by another name": "function f() { USE } const o = { g: f }; if (TEST) o.g()",
    "prototype": "function A() {} A.prototype.m = function () { USE }; if (TEST) new A().m()",
    "debounced function": "const f = debounce(() => USE, 100); if (TEST) f()",
    "throttled function of a library": (
        "class A { m = _.throttle(() => { USE }); n() { if (TEST) this.m() } } new A().n()"
    ),
    "registration": "function f() { USE } if (TEST) addEventListener('x', f)",
    "try": "class A { m() { USE } n() { try { this.m() } catch { other() } } } new A().n()",
    "a handled rejection": "async function f() { USE } f().catch(() => other())",
    "a rejection that is handled later": "async function f() { USE } f().then(g).catch(() => { other() })",
    "one caller tests, the other catches": (
        "class A { m() { USE } n() { try { this.m() } catch { other() } TEST && this.m() } } new A().n()"
    ),
    "same name in another class": (
        "class A { m() { USE } } class B { m() {} } const b = new B(); b.m(); if (TEST) new A().m()"
    ),
    "same name in another class, by this": (
        "class A { m() { USE } n() { if (TEST) this.m() } } class B { m() {} n() { this.m() } }"
    ),
    "inner function of a method": "class A { m() { const f = () => USE; f() } } if (TEST) new A().m()",
    "returned function": "const f = (function () { let n; return function () { USE } })(); if (TEST) f()",
    "returned arrow function": "const f = (() => () => USE)(); if (TEST) f()",
    "returned function in an object": "const o = { f: (() => () => USE)() }; if (TEST) o.f()",
    "returned function of a class": (
        "class A { m = (() => () => USE)(); n() { if (TEST) this.m() } } new A().n()"
    ),
    "returned and wrapped function": "const f = debounce((() => { return () => USE })()); if (TEST) f()",
}


@pytest.mark.parametrize("source", GUARDED.values(), ids=GUARDED.keys())
def test_guard_in_caller_covers_the_call(source: str) -> None:
    assert not is_reported(source)


UNGUARDED = {
    "unguarded call elsewhere": (
        "class A { m() { USE } n() { if (TEST) this.m() } l() { this.m() } } new A().n(); new A().l()"
    ),
    "unguarded call of an object's method": "const o = { m() { USE } }; if (TEST) o.m(); o.m()",
    "guard of another member": "class A { m() { USE } n() { if (browser.runtime) this.m() } } new A().n()",
    "else branch": "class A { m() { USE } n() { if (TEST) {} else this.m() } } new A().n()",
    "guard after the call": "class A { m() { USE } n() { this.m(); if (!TEST) return } } new A().n()",
    "a method of another class with the same name": (
        "class A { m() { USE } } class B { m() {} } if (TEST) new B().m(); new A().m()"
    ),
    "uncalled method": "class A { m() { USE } } register(new A())",
    "an unguarded instance": "class A { m() { USE } } if (TEST) register(new A()); register(new A())",
    "an unguarded instance of a class that extends it": (
        "class A { m() { USE } } class B extends A {} if (TEST) register(new A()); register(new B())"
    ),
    "an error of the API itself": "browser.management.getAll().then(g).catch(() => other())",
    "a rejection that is only reported": "async function f() { USE } f().catch((e) => console.error(e))",
    "a rejection that is ignored": "async function f() { USE } f().catch(() => {})",
    "a rejection that is handled elsewhere": "async function f() { USE } f(); g().catch(() => other())",
    "an error of a function that is not asynchronous": "function f() { USE } f().catch(() => other())",
    "try without a fallback": "class A { m() { USE } n() { try { this.m() } catch {} } } new A().n()",
    "catches what runs later": (
        "class A { m() { USE } n() { try { on(() => this.m()) } catch {} } } new A().n()"
    ),
    "a constructor": "class A { constructor() { USE } } if (TEST) new A(); new A()",
    "an unguarded link of the chain": (
        "class A { m() { USE } l() { this.m() } n() { if (TEST) this.l() } } const a = new A(); a.n(); a.l()"
    ),
    "an unguarded use of an unknown object": (
        "class A { m() { USE } } const a = new A(); if (TEST) a.m(); f(a); x.m()"
    ),
    "a key that is not known": "const o = { m() { USE } }; if (TEST) o.m(); o[x]()",
    "a destructured method": "const o = { m() { USE } }; const { m } = o; if (TEST) m(); m()",
    "a getter": "class A { get m() { return USE } } const a = new A(); if (TEST) f(a.m); f(a.m)",
    "a setter": "class A { set m(x) { USE } } const a = new A(); if (TEST) a.m = 1; a.m = 2",
    "a static method": "class A { static m() { USE } } if (TEST) A.m(); A.m()",
    "a static member of a class that is made under a guard": (
        "class A { static m() { USE } } if (TEST) new A(); A.m()"
    ),
    "two methods that call each other": (
        "class A { m() { USE; this.l() } l() { this.m() } n() { TEST && this.m() } } new A().l()"
    ),
    "debounced function with an unguarded call": "const f = debounce(() => USE, 100); if (TEST) f(); f()",
    "unguarded timer": "const timer = setTimeout(() => USE); if (TEST) clearTimeout(timer)",
    "recursive function": "function f() { USE; setTimeout(f) } if (TEST) f(); f()",
    "returned function": "const f = (function () { return function () { USE } })(); if (TEST) f(); f()",
    "function that is one of two results": (
        "const f = (() => { if (x) return () => {}; return () => USE })(); if (TEST) f()"
    ),
    "function that is returned later": "const f = await (async () => () => USE)(); if (TEST) f()",
    "function that another function returns": "const f = () => () => USE; if (TEST) f(); f()()",
    "super": (
        "class A { m() { USE } } class B extends A { m() { super.m() } } if (TEST) new A().m(); new B().m()"
    ),
}


@pytest.mark.parametrize("source", UNGUARDED.values(), ids=UNGUARDED.keys())
def test_unguarded_caller_is_reported(source: str) -> None:
    assert is_reported(source)


IMPORTED = {
    "a function": ("export function f() { USE }", "import { f } from './a.js'; if (TEST) f()"),
    "a function under another name": (
        "export function f() { USE }",
        "import { f as g } from './a.js'; if (TEST) g()",
    ),
    "a function that is exported under another name": (
        "function g() { USE } export { g as f }",
        "import { f } from './a.js'; if (TEST) f()",
    ),
    "a default export": ("export default function f() { USE }", "import g from './a.js'; if (TEST) g()"),
    "a default export by name": (
        "const f = () => USE; export default f",
        "import g from './a.js'; TEST && g()",
    ),
    "a whole module": ("export const f = () => USE", "import * as a from './a.js'; if (TEST) a.f()"),
    "a dynamic import": ("export const f = () => USE", "const { f } = await import('./a.js'); if (TEST) f()"),
    "a dynamic import with then": (
        "export const f = () => USE",
        "import('./a.js').then((module) => { if (TEST) module.f() })",
    ),
    "required": ("exports.f = () => USE", "const a = require('./a.js'); if (TEST) a.f()"),
    "required, in an object": (
        "function f() { USE } module.exports = { f }",
        "const { f } = require('./a.js'); if (TEST) f()",
    ),
    "a class": ("export class A { m() { USE } }", "import { A } from './a.js'; if (TEST) new A().m()"),
    "an instance": (
        "class A { m() { USE } } export const a = new A()",
        "import { a } from './a.js'; if (TEST) a.m()",
    ),
    "an object": ("export const o = { m() { USE } }", "import { o } from './a.js'; if (TEST) o.m()"),
    "a class that is made": (
        "export class A { m() { USE } }",
        "import { A } from './a.js'; if (TEST) register(new A())",
    ),
    "a call from a method": (
        "export function f() { USE }",
        "import { f } from './a.js'; class B { m() { f() } n() { if (TEST) this.m() } } new B().n()",
    ),
    "both ask": ("export function f() { USE } if (TEST) f()", "import { f } from './a.js'; TEST && f()"),
    "recursive": (
        "import { g } from './b.js'; export function f() { USE; g() }",
        "import { f } from './a.js'; export function g() { f() } if (TEST) g()",
    ),
}


@pytest.mark.parametrize(("source", "importer"), IMPORTED.values(), ids=IMPORTED.keys())
def test_guard_in_another_script_covers_the_call(source: str, importer: str) -> None:
    assert not is_reported(source, b=importer)
    assert is_reported(source, b=importer.replace("TEST", "1"))
    assert is_reported(source, b=importer, c=importer.replace("TEST", "1"))
    assert is_reported(source, b=importer.replace("TEST", "browser.runtime"))


def test_guard_through_chain_of_scripts() -> None:
    first, second = "export function f() { USE }", "import { f } from './a.js'; export function g() { f() }"
    third = "import { g } from './b.js'; if (TEST) g()"
    assert not is_reported(first, b=second, c=third)
    assert is_reported(first, b=second, c=third + "; g()")
    assert is_reported(first, b=second, c=third, d="import { g } from './b.js'; g()")


@pytest.mark.parametrize("entered", ["f", "g", "h"])
def test_guard_around_module_cycle(entered: str) -> None:
    """Each of three modules calls the next one; one of them is called behind a test."""

    def module(own: str, called: str, path: str, body: str, end: str) -> str:
        return (
            f"import {{ {called} }} from './{path}.js'; export function {own}() {{ {body} {called}() }} {end}"
        )

    def is_reported_in(ways: dict[str, str]) -> bool:
        return is_reported(
            module("f", "g", "b", "USE;", ways.get("f", "")),
            b=module("g", "h", "c", "", ways.get("g", "")),
            c=module("h", "f", "a", "", ways.get("h", "")),
        )

    assert not is_reported_in({entered: f"if (TEST) {entered}()"})
    for other in "fgh":
        assert is_reported_in({"f": "if (TEST) f()", other: f"if (TEST) {other}(); {other}()"})


def test_guard_around_reexported_default() -> None:
    first, second = "export default function f() { USE }", "export { default as g } from './a.js'"
    third = "import { g } from './b.js'; if (TEST) g()"
    assert not is_reported(first, b=second, c=third)
    assert is_reported(first, b=second, c=third + "; g()")


def test_calls_in_test_files_are_ignored() -> None:
    source, importer = "export function f() { USE }", "import { f } from './a.js'; if (TEST) f()"
    assert not is_reported(source, b=importer, a_test="import { f } from './a.js'; f()")


def test_same_name_without_import_is_not_a_guarded_call() -> None:
    assert is_reported("export function f() { USE }", b="if (TEST) f")


@pytest.mark.parametrize("call", ["this.m()", "on(() => this.m())"])
def test_callers_guard_newer_apis_and_host_permissions(call: str) -> None:
    def rules(use: str, test: str, **keys: object) -> list[str]:
        text = f"class A {{ m() {{ {use} }} async n() {{ {test} {call} }} }} new A().n()"
        background = {"service_worker": "a.js"}
        files = {"manifest.json": manifest(background=background, **keys), "a.js": text}
        found = lint(files, ["missing-host-permission", "too-new-api"], "chrome")
        return [each.rule for each in found]

    panel = "chrome.sidePanel.setOptions({})"
    manifest_keys = {"permissions": ["sidePanel", "scripting"], "minimum_chrome_version": "100"}
    assert rules(panel, "", **manifest_keys) == ["too-new-api"]
    assert rules(panel, "if (chrome.sidePanel)", **manifest_keys) == []
    assert rules(panel, "if (x)", **manifest_keys) == ["too-new-api"]
    style = "chrome.scripting.insertCSS({ target: { tabId: 1 }, css: 'a' })"
    request = "if (await chrome.permissions.request({ origins: ['*://a.example/*'] }))"
    assert rules(style, "", **manifest_keys) == ["missing-host-permission"]
    assert rules(style, request, **manifest_keys) == []
