"""Uses of the permission `tabs`: code that may read hidden fields of tabs."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULE = "unused-permission"
BACKGROUND = {"background": {"service_worker": "b.js"}}


def is_unused(files: dict[str, str], **keys: object) -> bool:
    return bool(lint({"manifest.json": manifest(permissions=["tabs"], **keys), **files}, [RULE], "chrome"))


READ = {
    "a variable": (
        "let cur; chrome.tabs.query({}, (t) => { cur = t[0] }); setInterval(() => { log(cur.url) }, 9)"
    ),
    "an item by its index": (
        "chrome.tabs.query({}, function(tabs){ for (var i=0;i<tabs.length;i++) { if "
        "(tabs[i].url.match(/a/)) f(tabs[i].id) } })"
    ),
    "a function of a library": (
        "chrome.tabs.query({}, function(tabs){ $.each(tabs, function(i, tab){ f(tab.url) }) })"
    ),
    "a named callback": (
        "function one(tab){ f(tab.url) } chrome.tabs.query({}, function(tabs){ tabs.forEach(one) })"
    ),
    "a tab of a listener that is removed": (
        "function h(tab) { f(tab.url); chrome.tabs.onCreated.removeListener(h) } "
        "chrome.tabs.onCreated.addListener(h)"
    ),
    "a result of a function": (
        "async function active() { const [tab] = await chrome.tabs.query({active:true}); "
        "return tab } async function main() { const tab = await active(); f(tab.url) } main()"
    ),
    "a second promise": "chrome.tabs.query({}).then((tabs) => tabs[0]).then((tab) => f(tab.url))",
    "a promise of its own": (
        "function active() { return new Promise((resolve) => { chrome.tabs.query({active: "
        "true}, (tabs) => resolve(tabs[0])) }) } active().then((t) => f(t.url))"
    ),
    "a callback of the script": (
        "function active(cb) { chrome.tabs.query({active: true}, (tabs) => { cb(tabs[0]) }) } "
        "active(function(tab) { f(tab.url) })"
    ),
    "a callback that is passed on": (
        "function active(cb) { chrome.tabs.query({active: true}, cb) } active(function(tabs) { "
        "f(tabs[0].url) })"
    ),
    "a field passed on": (
        "function active(cb) { chrome.tabs.query({active: true}, (tabs) => { cb(tabs[0].url) "
        "}) } active(function(url) { f(url) })"
    ),
    "a field of an instance": (
        "class A { constructor() { this.t = null } async init() { [this.t] = await "
        "chrome.tabs.query({}); } run() { f(this.t.url) } } const a = new A(); "
        "a.init().then(() => a.run())"
    ),
    "a static method": (
        "class A { static async tab() { return (await chrome.tabs.query({}))[0] } } "
        "A.tab().then(({title}) => f(title))"
    ),
    "a property": (
        "const s = {}; chrome.tabs.query({}, (t) => { s.tab = t[0]; go() }); function go() { f(s.tab.url) }"
    ),
    "a map": (
        "const m = new Map(); chrome.tabs.onUpdated.addListener((id, c, tab) => { m.set(id, "
        "tab) }); function g(id) { return m.get(id).url }"
    ),
    "an answer": "chrome.runtime.onMessage.addListener((m, s, r) => { r({ url: s.tab.url }) })",
    "patterns in patterns": (
        "chrome.runtime.onMessage.addListener(handle); function handle(m, s) { if (m.a) "
        "other(m, s) } function other(m, sender) { const { tab: { title } } = sender; f(title) "
        "}"
    ),
    "the sender of a port": ("chrome.runtime.onConnect.addListener((port) => { f(port.sender.tab.url) })"),
    "handlers by message": (
        "const h = { a: (m, s) => { f(s.tab.url) } }; chrome.runtime.onMessage.addListener((m, "
        "s) => { h[m.type](m, s) })"
    ),
    "a handler that is a method": (
        "const h = { a(m, s) { f(s.tab.url) } }; chrome.runtime.onMessage.addListener((m, s) "
        "=> { h.a(m, s) })"
    ),
    "a handler that is a parameter": (
        "function on(type, fn) { chrome.runtime.onMessage.addListener((m, s) => { if (m.type "
        "=== type) fn(m, s) }) } on('a', (m, s) => f(s.tab.url))"
    ),
    "a listener that is a method": (
        "const L = { onUpdated(id, change, tab) { if (tab.url) f(tab.url) } }; "
        "chrome.tabs.onUpdated.addListener(L.onUpdated)"
    ),
    "a bound listener": (
        "class B { constructor() { chrome.tabs.onUpdated.addListener(this.up.bind(this)) } "
        "up(id, change, tab) { f(tab.url) } } new B()"
    ),
    "a listener that is a field": (
        "class B { constructor() { chrome.tabs.onUpdated.addListener(this.up) } up = (id, "
        "change, tab) => { f(tab.url) } } new B()"
    ),
    "a listener that calls a method": (
        "class B { init() { chrome.tabs.onUpdated.addListener((i, c, t) => this.up(i, c, t)) } "
        "up(id, change, tab) { f(tab.url) } } new B().init()"
    ),
    "all arguments": "chrome.tabs.onUpdated.addListener(function() { f(arguments[2].url) })",
    "apply": "function g(t) { f(t.url) } chrome.tabs.get(1, function(t) { g.apply(null, [t]) })",
    "call": "function g(t) { f(t.url) } chrome.tabs.get(1, function(t) { g.call(null, t) })",
    "patterns with defaults": "chrome.tabs.query({}, ([{ url = '' } = {}]) => f(url))",
    "tabs of a window": (
        "chrome.windows.getCurrent({populate: true}, (w) => { w.tabs.forEach((t) => f(t.url)) })"
    ),
    "a window's title": "browser.windows.getCurrent().then((w) => f(w.title))",
    "an undeclared variable": ("chrome.tabs.get(1, (tab) => { cur = tab }); function g() { f(cur.url) }"),
    "a list": (
        "const a = []; chrome.tabs.get(1, (tab) => { a.push(tab) }); function g() { "
        "a.forEach((t) => f(t.url)) }"
    ),
    "promises": "Promise.all([chrome.tabs.query({}), g()]).then(([tabs, x]) => f(tabs[0].url))",
    "a comparison": (
        "chrome.tabs.query({}, (tabs) => { tabs.sort((a, b) => a.url.localeCompare(b.url)); "
        "f(tabs.map(t => t.id)) })"
    ),
    "a named comparison": (
        "function by(a, b) { return a.title > b.title } chrome.tabs.query({}, (tabs) => { "
        "tabs.sort(by); f(tabs.map(t => t.id)) })"
    ),
    "a constant key": "const k = 'url'; chrome.tabs.get(1, (tab) => f(tab[k]))",
    "keys in a list": "chrome.tabs.get(1, (tab) => { ['url', 'title'].forEach((k) => f(tab[k])) })",
    "a change": "chrome.tabs.onUpdated.addListener((id, { url, status }) => { f(url) })",
    "a variable in `try`": (
        "async function g() { let tab = null; try { tab = await chrome.tabs.get(1) } catch (e) "
        "{} if (!tab) return; f(tab.title) }"
    ),
    "a generator": (
        "async function* g() { for (const t of await chrome.tabs.query({})) yield t } (async "
        "() => { for await (const t of g()) f(t.url) })()"
    ),
    "a bound function": "const q = chrome.tabs.query.bind(chrome.tabs); q({}, (t) => f(t[0].url))",
    "the listener of a menu item": (
        "chrome.contextMenus.create({ id: 'a', onclick: (info, tab) => { f(tab.url) } })"
    ),
    "its named listener": (
        "function go(info, tab) { f(tab.url) } chrome.contextMenus.create({ id: 'a', onclick: go })"
    ),
    "a parameter with a default": (
        "chrome.contextMenus.create({ id: 'a', onclick: (info, tab = {}) => { f(tab.url) } })"
    ),
    "a default that is the tab": (
        "chrome.contextMenus.create({ id: 'a', onclick: (info, tab, copy = tab) => { f(copy.url) } })"
    ),
    "the arguments of a listener": (
        "chrome.contextMenus.create({ id: 'a', onclick(info, tab) { f(arguments[1].url) } })"
    ),
    "a removed function": "chrome.tabs.getSelected(null, (t) => f(t.url))",
    "a filter in a variable": "const q = { url: u }; chrome.tabs.query(q, (t) => g(t[0].id))",
    "a filter that is filled": "const q = {}; q.url = u; chrome.tabs.query(q, (t) => g(t[0].id))",
    "a filter that is a parameter": (
        "function find(q) { chrome.tabs.query(q, (t) => g(t[0].id)) } find({url: 'a'})"
    ),
    "a parameter that is assigned": "chrome.tabs.get(1, function(t) { t = t || {}; f(t.url) })",
    "`with`": "chrome.tabs.get(1, function(t) { with (t) { f(url) } })",
    "a function that others call": (
        "function g(t) { f(t.url) } el.onclick = g; chrome.tabs.get(1, (t) => g(t))"
    ),
    "an argument of a timer": ("chrome.tabs.get(1, (t) => setTimeout(g, 9, t)); function g(t) { f(t.url) }"),
    "a method after `then`": "const o = { show(t) { f(t.url) } }; chrome.tabs.get(1).then(o.show)",
    "a method in a callback": (
        "const o = { show(t) { f(t.url) } }; chrome.tabs.get(1).then((t) => o.show(t))"
    ),
    "a promise whose failure is handled": ("chrome.tabs.get(1).catch(() => null).then((t) => f(t.url))"),
    "an instance": (
        "class T { constructor(tab) { this.tab = tab } get u() { return this.tab.url } } "
        "chrome.tabs.get(1, (t) => f(new T(t)))"
    ),
    "an instance of a function": (
        "function T(tab) { this.tab = tab } T.prototype.u = function() { return this.tab.url "
        "}; chrome.tabs.get(1, (t) => f(new T(t)))"
    ),
    "functions of a module": (
        "var M = (function() { var cur; function set(t) { cur = t } function get() { return "
        "cur } return { set: set, get: get } })(); chrome.tabs.get(1, (t) => M.set(t)); "
        "f(M.get().url)"
    ),
    "events in a list": (
        "for (const ev of [chrome.tabs.onCreated, chrome.tabs.onUpdated]) ev.addListener((a, "
        "b, t) => f((t || a).url))"
    ),
    "a queue of promises": (
        "let q = Promise.resolve(); function add() { q = q.then(() => "
        "chrome.tabs.get(1)).then((t) => { f(t.url) }) } add()"
    ),
    "the listener of one of two events": (
        "const button = chrome.action || chrome.browserAction; button.onClicked.addListener((t) => f(t.url))"
    ),
    "the first promise": "Promise.race([chrome.tabs.get(1), g()]).then((t) => f(t.url))",
    "a variable with many values": (
        "let t; if (x0) t = y0; if (x1) t = y1; if (x2) t = y2; if (x3) t = y3; if (x4) t = "
        "y4; if (x5) t = y5; if (x6) t = y6; if (x7) t = y7; if (x8) t = y8; if (x9) t = y9; "
        "if (x10) t = y10; if (x11) t = y11; if (x12) t = y12; if (x13) t = y13; if (x14) t = "
        "y14; if (x15) t = y15; if (x16) t = y16; if (x17) t = y17; if (x18) t = y18; if (x19) "
        "t = y19; if (x20) t = y20; if (x21) t = y21; if (x22) t = y22; if (x23) t = y23; if "
        "(x24) t = y24; if (x25) t = y25; if (x26) t = y26; if (x27) t = y27; if (x28) t = "
        "y28; if (x29) t = y29; chrome.tabs.get(1, (x) => { t = x; f(t.url) }); g(t.url)"
    ),
}


@pytest.mark.parametrize("source", READ.values(), ids=READ.keys())
def test_field_of_a_tab_that_may_be_read_uses_the_permission(source: str) -> None:
    assert not is_unused({"b.js": source}, **BACKGROUND)


OTHER_FIELDS = {
    "a filter that `new Object` creates": (
        "const q = new Object(); q.active = true; chrome.tabs.query(q, (t) => g(t[0].id)); f(page.url)"
    ),
    "changes until the listener is removed": (
        "function h(id, info) { if (info.status) { f(id); chrome.tabs.onUpdated.removeListener(h) } } "
        "if (!chrome.tabs.onUpdated.hasListener(h)) chrome.tabs.onUpdated.addListener(h)"
    ),
    "a variable": (
        "let cur; chrome.tabs.query({}, (t) => { cur = t[0] }); setInterval(() => { "
        "log(cur.id) }, 9); g(page.url, { title: 1 }); page.title = 2"
    ),
    "a named callback": (
        "function one(tab){ f(tab.id) } chrome.tabs.query({}, function(tabs){ tabs.forEach(one) })"
    ),
    "a result of a function": (
        "async function active() { const [tab] = await chrome.tabs.query({active:true}); "
        "return tab } async function main() { const tab = await active(); f(tab.id) } main()"
    ),
    "a field passed on": (
        "function active(cb) { chrome.tabs.query({active: true}, (tabs) => { cb(tabs[0].id) }) "
        "} active(function(id) { f(id) })"
    ),
    "patterns in patterns": (
        "chrome.runtime.onMessage.addListener(handle); function handle(m, s) { if (m.a) "
        "other(m, s) } function other(m, sender) { const { tab: { id } } = sender; f(id) }"
    ),
    "the sender of a port": ("chrome.runtime.onConnect.addListener((port) => { f(port.sender.tab.id) })"),
    "patterns with defaults": "chrome.tabs.query({}, ([{ id = '' } = {}]) => f(id))",
    "tabs of a window": (
        "chrome.windows.getCurrent({populate: true}, (w) => { w.tabs.forEach((t) => f(t.id)) })"
    ),
    "a comparison": (
        "chrome.tabs.query({}, (tabs) => { tabs.sort((a, b) => a.id - b.id); f(tabs.map(t => "
        "t.id)) }); g(page.url, { title: 1 }); page.title = 2"
    ),
    "a named comparison": (
        "function by(a, b) { return a.id > b.id } chrome.tabs.query({}, (tabs) => { "
        "tabs.sort(by); f(tabs.map(t => t.id)) })"
    ),
    "a variable in `try`": (
        "async function g() { let tab = null; try { tab = await chrome.tabs.get(1) } catch (e) "
        "{} if (!tab) return; f(tab.id) }"
    ),
    "a filter in a variable": "const q = { active: u }; chrome.tabs.query(q, (t) => g(t[0].id))",
    "a function that others call": (
        "function g(t) { f(t.id) } el.onclick = g; chrome.tabs.get(1, (t) => g(t))"
    ),
    "swap": (
        "let last; chrome.tabs.onActivated.addListener(() => chrome.tabs.get(1, (t) => { const "
        "old = last; last = t; if (old) f(old.id) }))"
    ),
    "closure": (
        "function mk(tab) { return () => f(tab.id) } chrome.tabs.get(1, (t) => { const g = mk(t); g() })"
    ),
    "switch": (
        "chrome.runtime.onMessage.addListener((m, s) => { switch (m.a) { case 1: g(s.tab); "
        "break } }); function g(tab) { f(tab.id) }"
    ),
    "menus": "chrome.contextMenus.onClicked.addListener((info, tab) => { f(tab.id) })",
    "a menu item without the tab": "chrome.contextMenus.create({ id: 'a', onclick: (i) => { f(i.url) } })",
    "a menu item that ignores the tab": (
        "chrome.contextMenus.create({ id: 'a', onclick: function(info, tab) { f(info.url, tabs) } })"
    ),
    "a method that ignores the tab": (
        "chrome.contextMenus.create({ id: 'a', async onclick({ linkUrl: url }, tab) { f(url) } })"
    ),
    "a named listener without parameters": (
        "function go() { f() } chrome.contextMenus.create({ id: 'a', onclick: go })"
    ),
    "an arrow function without parentheses": (
        "chrome.contextMenus.update('a', { onclick: info => f(info.url) })"
    ),
    "fields of other objects": (
        "chrome.tabs.get(1, (tab) => { document.title = 'a'; a.url = tab.id; f({ url: b.url, title }) })"
    ),
    "a message": "chrome.runtime.onMessage.addListener((m) => { chrome.tabs.create({ url: m.url }) })",
    "the address of a frame": "chrome.runtime.onMessage.addListener((message, sender) => { f(sender.url) })",
    "a stored list": "chrome.storage.local.get('a').then(({ a }) => a.map((b) => f(b.title, b.url)))",
}


@pytest.mark.parametrize("source", OTHER_FIELDS.values(), ids=OTHER_FIELDS.keys())
def test_other_fields_do_not_use_the_permission(source: str) -> None:
    assert is_unused({"b.js": source}, **BACKGROUND)


@pytest.mark.parametrize(
    ("version", "policy", "is_read"),
    [
        (3, {}, False),
        (2, {}, False),
        (2, {"content_security_policy": "script-src 'self' 'unsafe-eval'; object-src 'self'"}, True),
    ],
)
def test_string_that_may_run_uses_the_permission(
    version: int, policy: dict[str, object], is_read: bool
) -> None:
    source = "chrome.tabs.get(1, function(tab) { eval('f(tab.url)') })"
    background = BACKGROUND if version == 3 else {"background": {"scripts": ["b.js"]}}
    assert is_unused({"b.js": source}, manifest_version=version, **background, **policy) != is_read


OPENERS = {
    "a test of a library": ("if (!view || !view.opener) view = window", False),
    "a test in a minified library": ("return t&&t.opener||(t=n),t", False),
    "a variable of another window": ("f(window.opener.tab)", True),
    "a window that is passed on": ("f(opener)", True),
    "a window that is kept": ("const o = window.opener", True),
}


@pytest.mark.parametrize(("source", "is_read"), OPENERS.values(), ids=OPENERS.keys())
def test_window_that_opened_another_may_read_tabs(source: str, is_read: bool) -> None:
    tab = "chrome.tabs.get(1, (tab) => f(tab.id)); f(page.url); "
    assert is_unused({"b.js": f"{tab} function g(view, t, n) {{ {source} }}"}, **BACKGROUND) != is_read


def scripts(*names: str) -> str:
    return "".join(f"<script src={name}></script>" for name in names)


MODULE = "<script type=module src=a.js></script>"
OTHER_SCRIPTS: dict[str, dict[str, str]] = {
    "a global": {
        "p.html": scripts("a.js", "b.js"),
        "a.js": "var cur; chrome.tabs.get(1, (t) => { cur = t; show() })",
        "b.js": "function show() { f(cur.url) }",
    },
    "a global with `let`": {
        "p.html": scripts("a.js", "b.js"),
        "a.js": "let cur; chrome.tabs.get(1, (t) => { cur = t; show() })",
        "b.js": "function show() { f(cur.url) }",
    },
    "a global function": {
        "p.html": scripts("a.js", "b.js"),
        "a.js": "chrome.tabs.get(1, (t) => { show(t) })",
        "b.js": "function show(tab) { f(tab.url) }",
    },
    "a callback of another script": {
        "p.html": scripts("a.js", "b.js"),
        "a.js": "function active(cb) { chrome.tabs.query({}, cb) }",
        "b.js": "active(function([tab]) { f(tab.url) })",
    },
    "a global object": {
        "p.html": scripts("a.js", "b.js"),
        "a.js": "const T = { active() { return chrome.tabs.query({}) } };",
        "b.js": "(async () => { const [t] = await T.active(); f(t.url) })()",
    },
    "a variable of the background page": {
        "p.html": scripts("a.js"),
        "a.js": "f(chrome.extension.getBackgroundPage().cur.url)",
        "bg.js": "var cur; chrome.tabs.get(1, (t) => { cur = t })",
    },
    "a callback of another module": {
        "p.html": MODULE,
        "a.js": "import { active } from './b.js'; active((t) => f(t.url))",
        "b.js": "export function active(cb) { chrome.tabs.query({}, ([t]) => cb(t)) }",
    },
    "an exported function": {
        "p.html": MODULE,
        "a.js": "import { active } from './b.js'; const t = await active(); f(t.url)",
        "b.js": "export async function active() { const [t] = await chrome.tabs.query({}); return t }",
    },
    "an exported variable": {
        "p.html": MODULE,
        "a.js": "import { cur } from './b.js'; setTimeout(() => f(cur.url))",
        "b.js": "export let cur; chrome.tabs.get(1, (t) => { cur = t })",
    },
    "a variable that is exported later": {
        "p.html": MODULE,
        "a.js": "import { cur } from './b.js'; setTimeout(() => f(cur.url))",
        "b.js": "let cur; chrome.tabs.get(1, (t) => { cur = t }); export { cur }",
    },
    "a function that returns it": {
        "p.html": MODULE,
        "a.js": "import { get } from './b.js'; setTimeout(() => f(get().url))",
        "b.js": "let cur; chrome.tabs.get(1, (t) => { cur = t }); export function get() { return cur }",
    },
    "an inline script": {
        "p.html": (
            "<script>var cur; chrome.tabs.get(1, (t) => { cur = t; show() "
            "})</script><script>function show() { f(cur.url) }</script>"
        ),
    },
    "markup of a component": {
        "p.html": MODULE,
        "a.js": "import App from './App.svelte'; App()",
        "App.svelte": "<script>let tab; chrome.tabs.get(1, (t) => { tab = t })</script><p>{tab.title}</p>",
    },
    "a template of a page": {
        "p.html": "<div id=a>{{ tab.title }}</div>" + scripts("vue.js", "a.js"),
        "a.js": (
            "new Vue({ el: '#a', data: { tab: null }, created() { chrome.tabs.query({}, (t) => { "
            "this.tab = t[0] }) } })"
        ),
        "vue.js": "",
    },
}


@pytest.mark.parametrize("files", OTHER_SCRIPTS.values(), ids=OTHER_SCRIPTS.keys())
def test_another_script_that_may_read_a_field_uses_the_permission(files: dict[str, str]) -> None:
    keys = {"background": {"service_worker": "bg.js"}} if "bg.js" in files else {}
    assert not is_unused(files, action={"default_popup": "p.html"}, **keys)
