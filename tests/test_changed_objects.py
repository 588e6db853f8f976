"""Objects that are changed after they are created: what is not certain any more is unknown."""

from __future__ import annotations

import pytest
from test_arguments import rendered_arguments

CHANGED = """
const o = {a: {}}; o.a.b = 1; test.log(o);
const o = {}; o.a = {}; o.a.b = 1; test.log(o);
const o = {}; o['a'] = {}; o['a']['b'] = 1; test.log(o);
const o = {}; o.a = {}; o.a[key] = 1; test.log(o);
const o = {}; o.a = {}; o[key].b = 1; test.log(o);
const o = {a: {}}; o[key].b = 1; test.log(o);
const o = {}; const t = o.a = {}; t.b = 1; test.log(o);
const o = {}; let t; t = o.a = {}; t.b = 1; test.log(o);
const o = {}, p = {}; p.t = o.a = {}; p.t.b = 1; test.log(o);
const o = {}, p = {}; o.a = p.t = {}; p.t.b = 1; test.log(o);
let p, o; p = o = {a: {}}; p.a.b = 1; test.log(o);
let p; const o = p = {a: {}}; p.a.b = 1; test.log(o);
const o = {}; (o.a = {}).b = 1; test.log(o);
const o = {}; o.a = {}; fill(o.a); test.log(o); function fill(t) { t.b = 1 }
const o = {}; fill(o.a = {}); test.log(o); function fill(t) { t.b = 1 }
const o = {a: {}}; fill(o); test.log(o); function fill(p) { const t = p.a; t.b = 1 }
const o = {a: {}}; const t = o.a; t.b = 1; test.log(o);
let t; const o = {a: {}}; t = o.a; t.b = 1; test.log(o);
const o = {a: {}}; const t = o.a || {}; t.b = 1; test.log(o);
const o = {a: {}}; const t = c ? o.a : {}; t.b = 1; test.log(o);
const o = {a: {}}; const {a} = o; a.b = 1; test.log(o);
const o = {a: {}}; (o || {}).a.b = 1; test.log(o);
const o = {a: {}}, p = {}; (c ? o : p).a.b = 1; test.log(o);
const o = {a: {}}; (0, o.a).b = 1; test.log(o);
const o = {a: {}}; this.t = o.a; this.t.b = 1; test.log(o);
const o = {a: {}}; for (const t of [o.a]) t.b = 1; test.log(o);
const o = {a: {}}; Object.assign(o.a, {b: 1}); test.log(o);
const o = {a: {}}; Object.defineProperty(o.a, 'b', {value: 1}); test.log(o);
const o = {a: {}}; Object.values(o).forEach(t => { t.b = 1 }); test.log(o);
const o = {a: {}}; for (const [k, t] of Object.entries(o)) t.b = 1; test.log(o);
const o = {a: {}}; const p = {...o}; p.a.b = 1; test.log(o);
const o = {a: {}}; Object.freeze(o).a.b = 1; test.log(o);
const o = {a: {}}; const f = () => o; f().a.b = 1; test.log(o);
const o = {a: {}}; function f() { return o.a } f().b = 1; test.log(o);
const o = {}; if (c) { o.a = {}; o.a.b = 1 } test.log(o);
const o = {a: {b: 1}}; delete o.a.b; test.log(o);
const o = {}; o.a = {}; run(async () => { o.a.b = await c; test.log(o) });
var o = {a: {}}; window.o.a.b = 1; test.log(o);
function f(o) { arguments[0].a.b = 1; test.log(o) } f({a: {}});
function f(o = {a: {}}) { o.a.b = 1; test.log(o) } f();
function f({a = {}} = {}) { a.b = 1; test.log({a}) } f();
const args = [{a: {}}]; args[0].a.b = 1; test.log(...args);
const args = [{a: {}}], all = [...args]; all[0].a.b = 1; test.log(args[0]);
class A { #o = {a: {}}; set() { this.#o.a.b = 1 } run() { test.log(this.#o) } }
class A { #o = {a: {}}; set() { const o = this.#o; o.a.b = 1 } run() { test.log(this.#o) } }
class A { o = {a: {}}; set() { this.o.a.b = 1 } run() { test.log(this.o) } }
export const o = {a: {}}; export function run() { test.log(o) }
""".strip().splitlines()

UNCHANGED = """
const o = {a: {}}; test.log(o);
const o = {}; o.a = {}; test.log(o);
const o = {a: {}}; if (o.a.b === 1) c(); test.log(o);
const o = {a: {}}; console.log(o.a); test.log(o);
const o = {a: {}}; const t = o.a; if (t.b) c(); test.log(o);
const o = {a: {}}; show(o.a); test.log(o); function show(t) { if (t.b) c() }
const o = {a: {}}; chrome.tabs.query({t: o.a}); test.log(o);
const o = {a: {}, p: {}}; o.p.b = 1; test.log(o);
const o = {a: {}}; test.log(o); o.a.b = 1;
function f() { const o = {a: {}}; if (c) return o; test.log(o) }
class A { #o = {a: {}}; run() { test.log(this.#o) } }
""".strip().splitlines()


@pytest.mark.parametrize("source", CHANGED)
def test_changed_part_is_unknown(source: str) -> None:
    assert "a: {}" not in rendered_arguments(_with_alias(source))


@pytest.mark.parametrize("source", UNCHANGED)
def test_unchanged_part_is_known(source: str) -> None:
    assert "a: {}" in rendered_arguments(_with_alias(source))


def test_changed_list_is_unknown() -> None:
    assert rendered_arguments("const o = {}; o.a = []; o.a.push('b'); chrome.test.log(o);") == "{a: […]}"


def _with_alias(source: str) -> str:
    return source.replace(" test.log", " chrome.test.log")
