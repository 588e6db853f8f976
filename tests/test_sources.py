"""Sources as people, compilers and minifiers write them: TypeScript, JSX, components, short code."""

from __future__ import annotations

import pytest
from harness import manifest, told
from test_arguments import short

from extlint.script.analyse import analyse


def logged(source: str, path: str) -> list[str]:
    """The arguments of each call of `test.log` in a script."""
    found = analyse(source.encode(), path).calls
    return [", ".join(map(short, each.arguments)) for each in found if each.path == ("test", "log")]


TYPESCRIPT = {
    "an enum": ("enum E { A, B = 'x' } browser.test.log(E.A, E.B)", ["0, 'x'"]),
    "a const enum": ("const enum E { A = 'x' } browser.test.log(E.A)", ["'x'"]),
    "an enum in two parts": ("enum E { A = 'x' } enum E { B = 1 } browser.test.log(E.A)", ["?"]),
    "a namespace": ("namespace N { export const a = 1 } browser.test.log(N.a)", ["?"]),
    "what a namespace exports may be written": (
        "namespace N { export let a = 1; export function f() { browser.test.log(a) } } N.a = 2; N.f()",
        ["?"],
    ),
    "as const": ("const o = { a: 'x' } as const; browser.test.log(o)", ["{a: 'x'}"]),
    "satisfies and casts": ("browser.test.log({ a: 1 } satisfies T, <any>1, 'a' as T)", ["{a: 1}, 1, 'a'"]),
    "type arguments": ("(browser as any).test.log<string>('x')", ["'x'"]),
    "non-null marks": ("browser!.test!.log!(1)", ["1"]),
    "a type-only import of the name": ("import type browser from 'x'; browser.test.log(1)", []),
    "a type beside a value": ("import { type T, browser } from 'wxt/browser'; browser.test.log(1)", ["1"]),
    "import require": ("import browser = require('webextension-polyfill'); browser.test.log(1)", ["1"]),
    "declare": ("declare const browser: any; browser.test.log(1)", ["1"]),
    "declare global": ("declare global { const browser: any } browser.test.log(1); export {}", ["1"]),
    "types of the same name": ("type browser = string; interface chrome {} browser.test.log(1)", ["1"]),
    "assigned for certain": ("let api!: typeof browser; api = browser; api.test.log(1)", ["1"]),
    "an optional parameter": ("function f(a?: string) { browser.test.log(a) } f('x')", ["'x' | ?"]),
    "a parameter property": (
        "class A { constructor(private api = chrome) {} m() { this.api.test.log(1) } }",
        ["1"],
    ),
    "decorators": ("@d({ a: 1 }) class A { @p x = 'a'; @m() m() { browser.test.log(this.x) } }", ["?"]),
    "an abstract class": ("abstract class A { api = browser; f() { this.api.test.log(1) } }", ["1"]),
    "overloads": (
        "function f(a: string): void; function f(a: any) { browser.test.log(a) } f('x')",
        ["?"],
    ),
    "this as a parameter": (
        "(() => { function g(this: any, a: any) { browser.test.log(a) } g(1) })()",
        ["1"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), TYPESCRIPT.values(), ids=TYPESCRIPT.keys())
def test_typescript(source: str, expected: list[str]) -> None:
    assert logged(source, "a.ts") == expected


JSX = {
    "a handler and a child": (
        "x = <b onClick={() => browser.test.log(1)}>{browser.test.log(2)}</b>",
        ["1", "2"],
    ),
    "a render prop": ("x = <R render={(v) => browser.test.log(v)} />", ["?"]),
    "an object that an element is given": (
        "const o = {a: 1}; <B {...o} o={o}/>; browser.test.log(o)",
        ["{…}"],
    ),
    "a handler that writes": (
        "let n = 1; x = <B on={() => { n = 'x' }}/>; f = () => browser.test.log(n)",
        ["1 | 'x'"],
    ),
}


@pytest.mark.parametrize("path", ["a.jsx", "a.tsx"])
@pytest.mark.parametrize(("source", "expected"), JSX.values(), ids=JSX.keys())
def test_jsx(source: str, expected: list[str], path: str) -> None:
    assert logged(source, path) == expected


MINIFIED = {
    "a comma before a call": ("(0,browser.test.log)(1),void 0", ["1"]),
    "short constants": ("browser.test.log(void 0,!0,!1)", ["undefined, true, false"]),
    "the root as an argument": ("!function(e,t){e.test.log(t)}(chrome,1)", ["1"]),
    "call with this": ("(function(c){c.test.log(1)}).call(this,chrome)", ["1"]),
    "either root": ("var b=globalThis.browser||chrome;b.test.log(1)", ["1"]),
    "a short typeof": ('var b=typeof browser>"u"?chrome:browser;b.test.log(1)', ["1"]),
    "a letter used again": ("var e=browser;e.test.log(1);e=5;e.test.log(2)", ["1"]),
    "a hoisted name": ("function f(){return e.test.log(1)}var e=chrome;f()", ["1"]),
    "a sequence in a branch": ("x?(a=1,browser.test.log(a)):a=2", ["?"]),
    "a pattern": ("const{test:{log:e}}=chrome;e(1)", ["1"]),
}


@pytest.mark.parametrize(("source", "expected"), MINIFIED.values(), ids=MINIFIED.keys())
def test_minified(source: str, expected: list[str]) -> None:
    assert logged(source, "a.js") == expected


USE = "const f = () => browser.management.uninstallSelf(v);"
COMPONENTS = {
    "a constant": ("a.svelte", f"<script>const v = 1; {USE}</script>", ["v"]),
    "a variable that markup is bound to": (
        "a.svelte",
        f"<script>let v = 1; {USE}</script><i bind:value={{v}}>",
        [],
    ),
    "a handler in markup": (
        "a.svelte",
        f"<script>let v = 1; {USE}</script><a on:click={{() => v = {{}}}}>",
        [],
    ),
    "a property that others give": ("a.svelte", f"<script>export let v = 1; {USE}</script>", []),
    "an object that markup is bound to": (
        "a.svelte",
        f"<script>const v = {{a: 1}}; {USE}</script><i bind:value={{v.a}}>",
        [],
    ),
    "a handler in a template": (
        "a.vue",
        f"<script setup>let v = 1; {USE}</script><template><a @click='v = {{}}'/></template>",
        [],
    ),
    "a member with a wrong name": (
        "a.vue",
        "<script setup lang='ts'>browser.management.nope(1 as any)</script>",
        ["browser.management.nope"],
    ),
}


@pytest.mark.parametrize(("path", "text", "expected"), COMPONENTS.values(), ids=COMPONENTS.keys())
def test_components(path: str, text: str, expected: list[str]) -> None:
    files = {"manifest.json": manifest(permissions=["management"]), path: text}
    found = told(files, ["invalid-argument", "unknown-api"])
    assert [under for _, under in found] == expected


DYNAMIC = {
    "an unknown name": ("chrome[name]", True),
    "a key of a loop": ("for (const k in chrome) f(chrome[k])", True),
    "a computed key of a pattern": ("const {[k]: v} = chrome", True),
    "the root for unknown code": ("helper(chrome)", True),
    "an object with the root for unknown code": ("lib.init({ api: chrome })", True),
    "a proxy of the root": ("new Proxy(chrome, {})", True),
    "a copy of the root": ("const api = {...chrome}", True),
    "a function that is seen": ("const f = (c) => c.tabs; f(chrome)", False),
    "a test": ("Reflect.has(chrome, 'tabs'); console.log(chrome)", False),
    "a known name": ("chrome['tabs']", False),
}


@pytest.mark.parametrize(("source", "expected"), DYNAMIC.values(), ids=DYNAMIC.keys())
def test_any_member_may_be_used(source: str, expected: bool) -> None:
    assert bool(analyse(source.encode(), "a.js").dynamic) is expected
