"""Sources as written by people, compilers and minifiers: TypeScript, JSX, components, short code."""

from __future__ import annotations

import pytest
from harness import manifest, reported
from test_arguments import render

from extlint.analysis.analyze import analyze


def logged_arguments(source: str, path: str) -> list[str]:
    """Returns the arguments of each call of `test.log` in a script."""
    found = analyze(source.encode(), path).calls
    return [", ".join(map(render, each.arguments)) for each in found if each.path == ("test", "log")]


TYPESCRIPT = {
    "an enum": ("enum E { A, B = 'x' } browser.test.log(E.A, E.B)", ["0, 'x'"]),
    "a const enum": ("const enum E { A = 'x' } browser.test.log(E.A)", ["'x'"]),
    "an enum in two parts": ("enum E { A = 'x' } enum E { B = 1 } browser.test.log(E.A)", ["?"]),
    "a namespace": ("namespace N { export const a = 1 } browser.test.log(N.a)", ["?"]),
    "an exported namespace variable may be reassigned": (
        "namespace N { export let a = 1; export function f() { browser.test.log(a) } } N.a = 2; N.f()",
        ["?"],
    ),
    "as const": ("const o = { a: 'x' } as const; browser.test.log(o)", ["{a: 'x'}"]),
    "satisfies and casts": ("browser.test.log({ a: 1 } satisfies T, <any>1, 'a' as T)", ["{a: 1}, 1, 'a'"]),
    "type arguments": ("(browser as any).test.log<string>('x')", ["'x'"]),
    "non-null marks": ("browser!.test!.log!(1)", ["1"]),
    "a type-only import of the name": ("import type browser from 'x'; browser.test.log(1)", []),
    "a type next to a value": ("import { type T, browser } from 'wxt/browser'; browser.test.log(1)", ["1"]),
    "import require": ("import browser = require('webextension-polyfill'); browser.test.log(1)", ["1"]),
    "declare": ("declare const browser: any; browser.test.log(1)", ["1"]),
    "declare global": ("declare global { const browser: any } browser.test.log(1); export {}", ["1"]),
    "types of the same name": ("type browser = string; interface chrome {} browser.test.log(1)", ["1"]),
    "assigned for certain": ("let api!: typeof browser; api = browser; api.test.log(1)", ["1"]),
    "an optional parameter": ("function f(a?: string) { browser.test.log(a) } f('x')", ["'x'"]),
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
def test_typescript_values_are_known(source: str, expected: list[str]) -> None:
    assert logged_arguments(source, "a.ts") == expected


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
def test_calls_in_jsx_are_found(source: str, expected: list[str], path: str) -> None:
    assert logged_arguments(source, path) == expected


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
def test_calls_in_minified_code_are_found(source: str, expected: list[str]) -> None:
    assert logged_arguments(source, "a.js") == expected


USE = "const f = () => browser.management.uninstallSelf(v);"
WRONG = "browser.management.nope()"
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
    "a name declared in one script hides the API in the other": (
        "a.vue",
        "<script>const browser = {}</script>\n<script setup>browser.management.nope()</script>",
        [],
    ),
    "a name imported in one script is known in the other": (
        "a.vue",
        "<script>import b from 'wxt/browser' // é</script><script setup>b.management.nope()</script>",
        ["b.management.nope"],
    ),
    "a module's script": (
        "a.svelte",
        "<script context='module'>const m = browser.management</script>{m}<script>m.nope()</script>",
        ["m.nope"],
    ),
    "a reactive statement": (
        "a.svelte",
        "<script>$: browser.management.nope()</script>",
        ["browser.management.nope"],
    ),
    "a rune": (
        "a.svelte",
        "<script lang='ts'>let m = $state(browser.management); m.nope(); $effect(() => { "
        + WRONG
        + " })</script>",
        ["browser.management.nope"],
    ),
    "a reactive copy": (
        "a.svelte",
        "<script>let x = 1; $: y = x; $: browser.management.uninstallSelf(y)</script>",
        [],
    ),
    "a property with the name of a root": ("a.svelte", f"<script>export let browser; {WRONG}</script>", []),
    "a method": (
        "a.vue",
        f"<script>export default {{ methods: {{ f() {{ {WRONG} }} }} }}</script>",
        ["browser.management.nope"],
    ),
    "a reference": ("a.vue", "<script setup>const r = ref(browser.management); r.value.nope()</script>", []),
    "calls in markup are ignored": (
        "a.vue",
        f"<template><a @click='{WRONG}'/></template><script setup></script>",
        [],
    ),
    "empty scripts": ("a.vue", "<script></script><script setup></script><template></template>", []),
}


@pytest.mark.parametrize(("path", "text", "expected"), COMPONENTS.values(), ids=COMPONENTS.keys())
def test_findings_in_components_are_reported(path: str, text: str, expected: list[str]) -> None:
    files = {"manifest.json": manifest(optional_permissions=["management"]), path: text}
    found = reported(files, ["invalid-argument", "unknown-api"])
    assert [under for _, under in found] == expected


ASK = "browser.management.uninstallSelf"
FINDINGS = {
    "an enum's number": ("a.ts", f"enum E {{ A }} {ASK}({{dialogMessage: E.A}})", ["E.A"]),
    "an enum's text": ("a.ts", f"enum E {{ A = 'x' }} {ASK}({{dialogMessage: E.A}})", []),
    "an enum's computed member": ("a.ts", f"enum E {{ A = f() }} {ASK}(E.A)", []),
    "an enum declared elsewhere": ("a.ts", f"declare enum E {{ A = 1 }} {ASK}(E.A)", []),
    "inside decorators and below them": (
        "a.ts",
        f"@d({{f: browser.management.getAll}}) class A {{ @p() x = 1; @m() go() {{ {ASK}(1) }} }}",
        ["browser.management.getAll", "1"],
    ),
    "casts": (
        "a.ts",
        f"{ASK}(<any>1); {ASK}(1 as any); {ASK}(1!); {ASK}(x as number)",
        ["<any>1", "1 as any", "1!"],
    ),
    "a root behind casts": (
        "a.ts",
        "(browser as any).management.nope(); (<any>browser).management.no2(); browser!.management!.no3!()",
        ["(browser as any).management.nope", "(<any>browser).management.no2", "browser!.management!.no3"],
    ),
    "an optional call": ("a.ts", "browser.management.getAll?.(); browser.management.getAll!?.()", []),
    "only types": (
        "a.ts",
        "import type browser from 'webextension-polyfill'; let a: browser.nope.A; "
        "type T = typeof chrome.nope; interface B extends chrome.nope.B {} import M = chrome.nope.M; "
        "class C<T extends chrome.nope.D> implements chrome.nope.E {}",
        [],
    ),
    "declarations": (
        "a.d.ts",
        "declare const x: typeof browser.management.nope; declare namespace browser.nope {}",
        [],
    ),
    "a generic function": (
        "a.ts",
        "function f<T>(a: T) { return a } f<typeof browser>(browser).management.nope()",
        ["f<typeof browser>(browser).management.nope"],
    ),
    "a typed result": (
        "a.ts",
        "browser.management.getSelf().then((i: Info) => i.nope); "
        "const i = (await browser.management.getSelf())!; (i as any).no2; if ((i.type as string) === 'x') {}",
        ["nope", "no2", "'x'"],
    ),
    "a typed callback": ("a.ts", "browser.management.getSelf((i: any, b: any) => b)", ["b: any"]),
    "an inherited class": (
        "a.ts",
        "export default class extends B<typeof browser> { static { browser.management.nope() } }",
        ["browser.management.nope"],
    ),
    "an element": (
        "a.tsx",
        f"x = <B a={{browser.management.nope}} on={{() => {ASK}(1)}}>{{browser.management.getAll()}}</B>",
        ["browser.management.nope", "1", "browser.management.getAll"],
    ),
    "an element that is guarded": (
        "a.tsx",
        "x = browser.management.getAll && <B f={browser.management.getAll}/>",
        [],
    ),
    "a root that a component is given": (
        "a.jsx",
        "const A = ({browser}) => <B f={browser.management.nope}/>",
        [],
    ),
    "a hook": (
        "a.tsx",
        "useEffect(() => { browser.management.getSelf().then(({nope}) => set(nope)) }, [])",
        ["nope"],
    ),
    "inline scripts": (
        "a.html",
        "<script>browser.management.nope()</script>"
        "<script type=module>const {no2} = browser.management</script>",
        ["browser.management.nope", "no2"],
    ),
    "an inline script in a comment of old": (
        "a.html",
        "<script><!--\nchrome.management.nope()\n--></script>",
        ["chrome.management.nope"],
    ),
    "inline data": ("a.html", "<script type='text/x'>chrome.management.nope()</script>", []),
    "a short wrapper": ("a.js", "!function(e,t){e.management.uninstallSelf(t)}(chrome,1)", ["t"]),
    "a short alternative": (
        "a.js",
        "var e,t=null!=(e=globalThis.browser)?e:chrome;t.management.nope(),(0,t.management.getAll)()",
        ["t.management.nope", "t.management.getAll"],
    ),
    "a short bundle": (
        "a.js",
        "(()=>{var e={12:(e,t,n)=>{n(34).management.nope()},34:e=>{e.exports=chrome}},t={};function n(r)"
        "{var o=t[r];if(void 0!==o)return o.exports;var i=t[r]={exports:{}};"
        "return e[r](i,i.exports,n),i.exports}n(12)})();",
        ["n(34).management.nope"],
    ),
    "a short result": (
        "a.js",
        'const{management:{getSelf:a}}=chrome;a().then(({nope:e})=>e);a(e=>{e.type==="x"&&1})',
        ["nope", '"x"'],
    ),
    "a short callback": ("a.js", "chrome.management.getSelf((function(e,t){t()}))", ["t"]),
    "a letter that becomes something else": (
        "a.js",
        "var b=chrome;b=b.management,b.nope(),b=x,b.nope()",
        ["b.nope"],
    ),
    "a short test": ("a.js", "var e=chrome.management&&chrome.management.getAll;e&&e(),e?.()", []),
}


@pytest.mark.parametrize(("path", "text", "expected"), FINDINGS.values(), ids=FINDINGS.keys())
def test_findings_in_other_languages_are_reported(path: str, text: str, expected: list[str]) -> None:
    found = reported({"manifest.json": manifest(optional_permissions=["management"]), path: text})
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
def test_dynamic_access_is_detected(source: str, expected: bool) -> None:
    assert bool(analyze(source.encode(), "a.js").dynamic_accesses) is expected
