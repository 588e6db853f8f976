"""TypeScript: a name in any type position is not a use of the API, but a name next to a type is."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ("unknown-api", "unknown-result-field", "wrong-context", "missing-permission", "invalid-syntax")

TYPES = {
    "a cast": "f(x as chrome.tabz.Tab)",
    "a cast to an array": "f(x as chrome.tabz.Tab[])",
    "a cast to a union": "f(x as chrome.tabz.Tab | undefined)",
    "a cast to what a value is": "f(x as typeof chrome.tabz)",
    "a cast over two lines": "f(x as chrome.tabz.\n  Tab)",
    "a cast before an operator": "f(x as chrome.tabz.Tab ?? y, x as chrome.tabz.Tab ? 1 : 2)",
    "a cast in parentheses": "(x as chrome.tabz.Tab).id",
    "an old cast": "f(<chrome.tabz.Tab>x)",
    "satisfies": "f(x satisfies chrome.tabz.Tab)",
    "a cast that satisfies": "f(x as A satisfies chrome.tabz.Tab)",
    "a variable": "let v: chrome.tabz.Tab, w: chrome.tabz.Tab[] = []",
    "a parameter and a result": "const g = async (a: chrome.tabz.Tab): Promise<chrome.tabz.Tab> => a",
    "TypeScript's own this": "function g(this: chrome.tabz.Tab) {}",
    "a predicate": "function g(a: unknown): a is chrome.tabz.Tab { return true }",
    "an assertion": "function g(a: unknown): asserts a is chrome.tabz.Tab {}",
    "a field": "class A { a?: chrome.tabz.Tab; constructor(private b: chrome.tabz.Tab) {} }",
    "an accessor": "class A { get a(): chrome.tabz.Tab { return f() } }",
    "an implemented interface": "class A extends B<chrome.tabz.Tab> implements chrome.tabz.Tab {}",
    "an interface": "interface A extends chrome.tabz.Tab { [k: string]: chrome.tabz.Tab }",
    "an alias": "type A<T extends chrome.tabz.Tab = chrome.tabz.Tab> = T",
    "a condition": "type A<T> = T extends chrome.tabz.Tab ? chrome.tabz.B : chrome.tabz.C",
    "a mapping": "type A = { [k in keyof chrome.tabz.Tab]: chrome.tabz.Tab[k] }",
    "a template": "type A = `${chrome.tabz.Tab}`",
    "the type of a value": "let v: typeof chrome.tabz.query, w: Parameters<typeof chrome.tabz.query>[0]",
    "an argument of a call": "f<chrome.tabz.Tab>(x); new Map<string, chrome.tabz.Tab>()",
    "an argument without a call": "const g = f<chrome.tabz.Tab>",
    "a declared namespace": "declare namespace chrome { namespace tabz { const a: string } }",
    "a declared global": "declare global { interface Window { a: typeof chrome.tabz } } export {}",
    "an import of a type": "import type { Tabz } from 'webextension-polyfill'; let v: Tabz.Tab",
    "an import of a type next to a value": "import b, { type A } from 'wxt/browser'; let v: b.Tabz.Tab",
    "an import in a type": "let v: import('webextension-polyfill').Tabz.Tab = x as import('a').Tabz.Tab",
    "another name for a type": "import T = chrome.tabz; let v: T.Tab",
    "an exported name for a type": "export import T = chrome.tabz.Tab; namespace A { import U = T.b.U }",
    "a result": "chrome.tabs.get(1).then((tab) => tab as chrome.tabz.Tab)",
    "a result in a variable": (
        "async function g() { const tab = (await chrome.tabs.get(1)) as chrome.tabz.Tab; f(tab.id) }"
    ),
    "a result that satisfies": (
        "async function g() { const tab = (await chrome.tabs.get(1)) satisfies chrome.tabz.Tab; f(tab.id) }"
    ),
    "a part of a result": "chrome.tabs.get(1, (tab) => { let v: typeof tab.urll; f(1 as typeof tab.urll) })",
}


@pytest.mark.parametrize("source", TYPES.values(), ids=TYPES.keys())
@pytest.mark.parametrize("name", ["b.ts", "b.mts", "b.tsx"])
def test_names_in_types_are_not_uses(name: str, source: str) -> None:
    if name.endswith("x") and "<chrome.tabz.Tab>x" in source:
        return
    assert findings(source, name) == []


VALUES = {
    "after another name for a type": ("import T = chrome.tabz.Tab; f(chrome.tabz.a.b)", "chrome.tabz"),
    "a cast value": ("f(chrome.tabz.a as any)", "chrome.tabz"),
    "a member of what is cast": ("(chrome.tabs as any).qery({})", "(chrome.tabs as any).qery"),
    "after a cast": ("f(x as chrome.tabz.Tab, chrome.tabz.a)", "chrome.tabz"),
    "next to a cast": ("f((x as chrome.tabs.Tab) ?? chrome.tabz.a)", "chrome.tabz"),
    "a value for a variable with a type": ("let v: typeof chrome.tabz = chrome.tabz.a", "chrome.tabz"),
    "the value of a field": ("class A { a: chrome.tabz.Tab = chrome.tabz.a }", "chrome.tabz"),
    "a default": ("function g(a: chrome.tabz.Tab = chrome.tabz.a) {}", "chrome.tabz"),
    "a call with a type": ("chrome.tabs.qery<chrome.tabz.Tab>({})", "chrome.tabs.qery"),
    "a call with a type behind await": (
        "async function g() { await chrome.tabs.qery<\n chrome.tabz.Tab[]>({}) }",
        "chrome.tabs.qery",
    ),
    "a call with a type behind an operator": (
        "if (!chrome.tabs.qery<chrome.tabz.Tab>({})) f()",
        "chrome.tabs.qery",
    ),
    "a field of a result of a call with a type": (
        "async function g() { f((await chrome.tabs.get<chrome.tabz.Tab>(1)).urll) }",
        "urll",
    ),
    "not null": ("chrome.tabz!.query({})", "chrome.tabz"),
    "a class that is extended": ("class A extends chrome.tabs.Tabb {}", "chrome.tabs.Tabb"),
    "the value of an enum": ("enum A { B = chrome.tabs.TAB_ID_NON }", "chrome.tabs.TAB_ID_NON"),
    "a field of a result that is cast": (
        "async function g() { const tab = (await chrome.tabs.get(1)) as chrome.tabs.Tab; f(tab.urll) }",
        "urll",
    ),
    "a field of a cast in parentheses": (
        "chrome.tabs.get(1, (tab) => f((tab as chrome.tabs.Tab).urll))",
        "urll",
    ),
}


@pytest.mark.parametrize(("source", "place"), VALUES.values(), ids=VALUES.keys())
def test_names_in_values_next_to_types_are_uses(source: str, place: str) -> None:
    assert [text for _, text in findings(source, "b.ts")] == [place]


def findings(source: str, name: str) -> list[tuple[str, str]]:
    keys = {"permissions": ["tabs"], "background": {"service_worker": name, "type": "module"}}
    return reported({"manifest.json": manifest(**keys), name: source}, RULES, "chrome")
