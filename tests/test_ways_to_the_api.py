"""Ways in which code gets an object of the API, so that a permission is used."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

USES = {
    "alarms": 'alarms.create("x", { when: 1 })',
    "cookies": "cookies.getAll({}, console.log)",
    "tabs": "tabs.query({}, ([tab]) => { console.log(tab.url) })",
}
"""A use of each permission. That of `tabs` is only the field that is read."""

ONE_SCRIPT = (
    'const {alarms: a} = chrome; a.create("x", { when: 1 })',
    "let f = (c) => c.USE; f(chrome)",
    "(function(c){ c.USE })(chrome)",
    '((c) => { c["alarms"]["create"]("x", { when: 1 }) })(self.chrome)',
    'const k = "alarms"; chrome[k].create("x", { when: 1 })',
    'const k = self.name; chrome[k].create("x", { when: 1 })',
    'for (const n of ["alarms","runtime"]) chrome[n]?.create?.("x", { when: 1 })',
    "const api = Object.assign({}, chrome); api.USE",
    "const api = {...chrome}; api.USE",
    "const api = Object.create(chrome); api.USE",
    "const p = new Proxy(chrome, {}); p.USE",
    'Reflect.get(chrome, "alarms").create("x", { when: 1 })',
    'const g = globalThis["chrome"]; g.USE',
    'const g = globalThis["chr" + "ome"]; g.USE',
    "const g = globalThis[self.name]; g.USE",
    "class A { get api() { return chrome } go() { this.api.USE } } new A().go()",
    "class A { static api = chrome; static go() { A.api.USE } } A.go()",
    "class A { constructor() { this.api = chrome } go() { this.api.USE } } new A().go()",
    "class A { #api = chrome; go() { this.#api.USE } } new A().go()",
    "const o = { api: chrome, go() { this.api.USE } }; o.go()",
    "function F() { this.api = chrome } F.prototype.go = function () { this.api.USE }; new F().go()",
    "function get() { return chrome } get().USE",
    "const get = async () => chrome; get().then((c) => c.USE)",
    "(async () => { const c = await Promise.resolve(chrome); c.USE })()",
    "function* g() { yield chrome } for (const c of g()) c.USE",
    'const m = new Map([["a", chrome]]); m.get("a").USE',
    "const s = new Set([chrome]); for (const c of s) c.USE",
    "[chrome].forEach((c) => c.USE)",
    '[chrome].map((c) => c.alarms).forEach((a) => a.create("x", { when: 1 }))',
    "Object.values({a: chrome})[0].USE",
    "const [c] = [chrome]; c.USE",
    "const {a: {b: c}} = {a: {b: chrome}}; c.USE",
    "const {c = chrome} = {}; c.USE",
    "function f(c = chrome) { c.USE } f()",
    "function f({c}) { c.USE } f({c: chrome})",
    "function f(...a) { a[0].USE } f(chrome)",
    "function f() { arguments[0].USE } f(chrome)",
    "f.call(chrome); function f() { this.USE }",
    'const f = function () { this.create("x", { when: 1 }) }.bind(chrome.alarms); f()',
    "Reflect.apply(function () { this.USE }, chrome, [])",
    'const c = chrome?.alarms ?? {}; c.create("x", { when: 1 })',
    "const c = self.browser || self.chrome || self; c.USE",
    "let c; c ||= chrome; c.USE",
    "let c = null; c ??= chrome; c.USE",
    "var c; try { c = browser } catch (e) { c = null } if (c) c.USE",
    'var c; switch (self.name) { case "a": c = chrome; break; default: c = self } c.USE',
    'let c = {}; if (self.name) c = chrome; const {alarms} = c; alarms.create("x", { when: 1 })',
    "let c = {}; if (self.name) c = chrome; const f = (d) => d.USE; f(c)",
    "let c = {}; if (self.name) c = chrome; const o = {c}; o.c.USE",
    "let c = {}; if (self.name) c = chrome; function g() { return c } g().USE",
    'let c = self; if (self.name) c = chrome; c["alarms"].create("x", { when: 1 })',
    'let c = self; if (self.name) c = chrome; const k = self.k; c[k].create("x", { when: 1 })',
    'let c = self; if (self.name) c = chrome; for (const n in c) c[n].create("x", { when: 1 })',
    "let c = self; if (self.name) c = chrome; Object.assign(self, c); self.USE",
    "let c = self; if (self.name) c = chrome; self.api = c; self.api.USE",
    "const fns = {a: (c) => c.USE}; fns[self.name](chrome)",
    "const cb = self.cb; cb(chrome); self.cb = (c) => c.USE",
    "setTimeout((c) => c.USE, 0, chrome)",
    'setTimeout("chrome.USE")',
    'new Function("chrome.USE")()',
    'eval("chrome.USE")',
    'Function("return this")().chrome.USE',
    'const root = (0, eval)("this"); root.chrome.USE',
    'const c = self.a ? chrome : browser; const al = c.alarms; al && al.create("x", { when: 1 })',
    'const NS = ["alarms"]; NS.forEach((n) => { const a = chrome[n]; a.create("x", { when: 1 }) })',
    "const wrap = (api) => new Proxy(api, {get: (t, k) => t[k]}); wrap(chrome).USE",
    "const call = (o, m) => (...a) => o[m](...a); call(chrome.alarms, 'create')(\"x\", { when: 1 })",
    'const path = "alarms.create"; path.split(".").reduce((o, k) => o[k], chrome)("x", { when: 1 })',
    'let c = chrome; c = c.alarms; c.create("x", { when: 1 })',
    "let c; const init = () => { c = chrome }; init(); c.USE",
    "let c; (() => { if (self.a) c = chrome; else c = self })(); c.USE",
    "const mod = {}; mod.api = self.a ? chrome : null; mod.api?.USE",
    "const arr = []; arr.push(chrome); arr[0].USE",
    "const st = { api: null }; function set(a) { st.api = a } set(chrome); st.api.USE",
    "label: for (;;) { const c = chrome; c.USE; break label }",
    "self.c = chrome; c.USE",
    "var window = self; window.chrome.USE",
    "const {chrome: c} = globalThis; c.USE",
    'const {["chrome"]: c} = globalThis; c.USE',
    'const c = Object.entries(globalThis).find(([k]) => k === "chrome")[1]; c.USE',
    "let x = 1; let c = x && chrome; c && c.USE",
    "const c = (console.log(1), chrome); c.USE",
    "const c = [chrome, self].find(Boolean); c.USE",
    "const c = [self.browser, self.chrome].filter(Boolean)[0]; c.USE",
    'import("./m.js").then((m) => m.api.USE)',
)

TWO_SCRIPTS = (
    ("var api = null; if (self.a) api = chrome; else api = self;", "api.USE"),
    ("var api = chrome;", "api.USE"),
    ("self.api = self.a ? chrome : {};", "api.USE"),
    ("function getApi() { return self.a ? chrome : self }", "getApi().USE"),
    ("const api = (() => { try { return browser } catch { return chrome } })();", "api.USE"),
    ("class Api { constructor() { this.c = chrome } }", "new Api().c.USE"),
    ("var ns = {}; ns.api = chrome;", "ns.api.USE"),
    ("var ns = {}; (function (n) { n.api = self.a ? chrome : self })(ns);", "ns.api.USE"),
    ("let api; if (self.a) api = chrome; else api = other();", "api.USE"),
    (
        "var api = window; if (self.a) { api = window.chrome }",
        'const {alarms} = api; alarms.create("x", { when: 1 })',
    ),
)


def unused(files: Files, version: int, permission: str = "alarms") -> list[str]:
    """Returns the messages about unused permissions of an extension that requests only one."""
    background = (
        {"scripts": ["a.js", "b.js"]} if version == 2 else {"service_worker": "a.js", "type": "module"}
    )
    listed = manifest(manifest_version=version, background=background, permissions=[permission])
    named: Files = {"manifest.json": listed, "b.js": "", **files}
    return [each.message for each in lint(named, ["unused-permission"], "chrome")]


def with_use(source: str, permission: str) -> str:
    """Returns a script in which `USE`, or parts of the use of `alarms`, are a use of a permission."""
    use = USES[permission]
    _, member, arguments = use.replace("(", ".(", 1).split(".", 2)
    parts = {"USE": use, '"alarms.create"': f'"{permission}.{member}"', "alarms": permission}
    for old, new in (parts | {'("x", { when: 1 })': arguments, "create": member}).items():
        source = source.replace(old, new)
    return source


@pytest.mark.parametrize("permission", USES)
@pytest.mark.parametrize("source", ONE_SCRIPT)
def test_way_in_one_script(source: str, permission: str) -> None:
    files: Files = {
        "a.js": with_use(source, permission),
        "m.js": "export const api = self.a ? chrome : self;",
    }
    assert not unused(files, 3, permission)


@pytest.mark.parametrize("permission", USES)
@pytest.mark.parametrize(("first", "second"), TWO_SCRIPTS)
def test_way_through_another_script(first: str, second: str, permission: str) -> None:
    assert not unused({"a.js": first, "b.js": with_use(second, permission)}, 2, permission)


@pytest.mark.parametrize("permission", USES)
@pytest.mark.parametrize("declaration", ["", "import './other.js';"])
def test_object_that_no_script_declares(declaration: str, permission: str) -> None:
    """Bundlers replace such a name: `ProvidePlugin({ ext: "webextension-polyfill" })`."""
    files: Files = {"a.js": with_use(f"{declaration} ext.USE", permission), "other.js": "export {}"}
    assert not unused(files, 3, permission)


@pytest.mark.parametrize(
    "other", ["const ext = { alarms: new Map() };", "window.ext = { alarms: {} };", "class ext {}"]
)
def test_object_that_another_script_declares(other: str) -> None:
    assert unused({"a.js": other, "b.js": "console.log(ext.alarms)"}, 2)


OTHER_NAMES = (
    "const alarms = new Map(); alarms.set('create', 1); console.log(alarms)",
    "const o = { alarms: { create: console.log } }; o.alarms.create(1)",
    "class A { alarms() { return this.create } create() {} } new A().alarms()",
    "let e = self; if (self.a) e = { runtime: chrome.runtime }; console.log(e)",
)


@pytest.mark.parametrize("source", OTHER_NAMES)
def test_own_object_with_the_name_of_a_namespace(source: str) -> None:
    assert unused({"a.js": source}, 3)
