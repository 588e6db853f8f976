"""Web platform globals that are missing in the context of a script: `missing-global`."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported, text_under
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import Target
from extlint_schemas import web_globals

RULES = ("missing-global",)
WORKER = {"background": {"service_worker": "b.js"}}
MODULE = {"background": {"service_worker": "b.js", "type": "module"}}
LISTENER = "chrome.runtime.onMessage.addListener((message) => { %s });"


def found(script: str, target: str = "chrome", **others: str) -> list[str]:
    """Returns the source text of each finding in a service worker and the scripts that it loads."""
    files = {"manifest.json": manifest(**WORKER), "b.js": script}
    files |= {f"{name}.js": text for name, text in others.items()}
    return [text for _, text in reported(files, RULES, target)]


def found_in_module(script: str, **others: str) -> list[str]:
    files = {"manifest.json": manifest(**MODULE), "b.js": script}
    files |= {f"{name}.js": text for name, text in others.items()}
    return [text for _, text in reported(files, RULES, "chrome")]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("localStorage.a = 1", ["localStorage"]),
        ("window.foo = 1", ["window"]),
        ("window?.foo", ["window"]),
        ("if (window) f()", ["window"]),
        ("self.document.title", ["self.document"]),
        ("globalThis.alert(1)", ["globalThis.alert"]),
        ("new self.DOMParser()", ["self.DOMParser"]),
        ("new Image()", ["Image"]),
        ("URL.createObjectURL(b)", ["URL.createObjectURL"]),
        ("navigator.clipboard.writeText(t)", ["navigator.clipboard"]),
        ("const f = () => open(u); f()", ["open"]),
        ("(function () { document.title })()", ["document"]),
        ("self.URL?.createObjectURL(b)", ["self.URL?.createObjectURL"]),
        ("function g() { window.gc() } if (performance.memory) g()", []),
        ("function g() { window.gc() } if (performance.now) g()", ["window"]),
        ("location.reload()", ["location.reload"]),
        ("performance.memory.totalJSHeapSize", ["performance.memory"]),
        ("performance.now(); location.href; Notification.permission", []),
        ("f(performance.memory, performance.timing?.connectEnd)", []),
        ("const { memory } = performance; if (memory) f(memory.totalJSHeapSize)", []),
        ("typeof document", []),
        ("self.document", []),
        ("self.document?.title", []),
        ("self.document = 1; document.title", []),
        ("var document = d(); document.title", []),
        ("new URL(u); navigator.userAgent; self.foo", []),
        ("self.onload = f; XMLHttpRequestFoo()", []),
        ("({ window: 1, document() {} }).document()", []),
        ("chrome.windows.getAll(w => w.document)", []),
        ("// as a window has\nf(); /* the\n * window */", []),
        ("// as a window has\nwindow.foo = 1", ["window"]),
        ("a\n * window.foo", ["window"]),
        ("`\n// ${window.foo}`", ["window"]),
        ("'//' + window.foo", ["window"]),
    ],
)
def test_global_missing_in_a_service_worker_is_reported(script: str, expected: list[str]) -> None:
    assert found(script) == expected


@pytest.mark.parametrize(
    ("script", "count"),
    [
        pytest.param(LISTENER % "alert(1)", 1, id="a listener"),
        pytest.param(LISTENER % "if (message.a) alert(1)", 1, id="a branch of it"),
        pytest.param(LISTENER % "g(); function g() { alert(1) }", 1, id="a function that it calls"),
        pytest.param(LISTENER % "fetch(u).then(() => alert(1))", 1, id="a callback of a promise"),
        pytest.param(LISTENER % "chrome.tabs.query({}, () => alert(1))", 1, id="a callback of the API"),
        pytest.param(LISTENER % "setTimeout(() => alert(1), 9)", 1, id="a timer"),
        pytest.param("function g() { alert(1) } chrome.tabs.onCreated.addListener(g)", 1, id="by its name"),
        pytest.param("self.addEventListener('fetch', () => alert(1))", 1, id="an event of the worker"),
        pytest.param("onmessage = () => alert(1)", 1, id="a handler"),
        pytest.param("self.addEventListener('DOMContentLoaded', () => alert(1))", 0, id="an event of pages"),
        pytest.param("addEventListener('load', f); function f() { alert(1) }", 0, id="one by its name"),
        pytest.param("addEventListener('push', f); function f() { alert(1) }", 1, id="an event by its name"),
        pytest.param("function f(w = alert(1)) {} f(1); f(2)", 0, id="a default that no call uses"),
        pytest.param("function f(w = alert(1)) {} f(1); f()", 1, id="a default that a call uses"),
        pytest.param(
            "class A { constructor(b, w = alert(1)) {} } new A(1, 2)", 0, id="a default of a constructor"
        ),
        pytest.param("onmessage = f; function f() { alert(1); }", 1, id="a handler by its name"),
        pytest.param("const f = () => alert(1); self.onmessage = f;", 1, id="a handler in a variable"),
        pytest.param("let f = () => alert(1); self.other = f;", 0, id="another member"),
        pytest.param("class A { constructor() { alert(1) } } new A()", 1, id="a constructor"),
        pytest.param("class A { m() { alert(1) } } const a = new A(); a.m()", 1, id="a method"),
        pytest.param("const o = { m() { alert(1) } }; o.m()", 1, id="a method of an object"),
        pytest.param("(function (root, make) { make() })(self, () => alert(1))", 1, id="passed and called"),
        pytest.param("(function (root, make) { keep(make) })(self, () => alert(1))", 0, id="passed on"),
        pytest.param(
            "function run(then) { then() } run(() => alert(1))", 1, id="passed to a function by its name"
        ),
        pytest.param(
            "var run = (then) => then(); function f(a) { eval(a) } run(() => alert(1))",
            0,
            id="passed to one that a text may replace",
        ),
        pytest.param(
            "function f(a, then) { if (a) f(a - 1, then); else then() } f(9, () => alert(1))",
            1,
            id="passed on to the same function",
        ),
        pytest.param(
            "function f(a, then) { g(a, then) } function g(a, then) { if (a) f(a - 1, then); else then() }"
            "f(9, () => alert(1))",
            1,
            id="passed to and fro",
        ),
        pytest.param(
            "const api = typeof browser === 'undefined' ? chrome : browser;"
            "api.runtime.onMessage.addListener((message) => { if (message.a) alert(1) })",
            1,
            id="a listener by either root",
        ),
        pytest.param("function g() { alert(1) }", 0, id="nothing calls it"),
        pytest.param("function g() { alert(1) } function h() { g() } ", 0, id="nothing calls its caller"),
        pytest.param("class A { m() { alert(1) } } x.m()", 0, id="a method of something else"),
        pytest.param("register(() => alert(1))", 0, id="passed to something unknown"),
        pytest.param("const g = function* () { alert(1) }; g()", 0, id="a generator that may never go on"),
        pytest.param("self.addEventListener('fetch', g); function h() { alert(1) }", 0, id="another one"),
        pytest.param("port.addEventListener('message', () => alert(1))", 1, id="an event of something"),
        pytest.param("x.onsomething = () => alert(1)", 0, id="a property"),
    ],
)
def test_only_reachable_uses_are_reported(script: str, count: int) -> None:
    assert found(script) == ["alert"] * count


@pytest.mark.parametrize(
    "script",
    [
        "if (typeof window !== 'undefined') window.a()",
        "typeof document === 'object' && document.a()",
        "const isPage = typeof document !== 'undefined'; if (isPage) document.a()",
        "function inPage() { return typeof window !== 'undefined' } if (inPage()) window.a()",
        "if ('document' in self) document.a()",
        "if (self.document) document.a()",
        "if (typeof window === 'undefined') { f() } else { window.a() }",
        "if (typeof importScripts !== 'function') document.a()",
        "if (typeof WorkerGlobalScope === 'undefined') document.a()",
        "const root = typeof window !== 'undefined' ? window : self",
        "function f() { if (typeof document === 'undefined') return; document.a() } f()",
        "function f() { document.a() } if (typeof document !== 'undefined') f()",
        "if (typeof window !== 'undefined') addEventListener('message', () => { document.a() })",
        "try { document.a() } catch { f() }",
        "if (navigator.clipboard) navigator.clipboard.writeText(t)",
        "if (navigator.userAgent.includes('Firefox')) document.a()",
        "if (chrome.extension.getViews) document.a()",
        "if (!(self instanceof ServiceWorkerGlobalScope)) document.a()",
        "const isWorker = self instanceof WorkerGlobalScope; if (!isWorker) document.a()",
        "if (typeof Window === 'function' && self instanceof Window) document.a()",
        "if (!(navigator instanceof WorkerNavigator)) document.a()",
        "if (self.constructor.name !== 'ServiceWorkerGlobalScope') document.a()",
        "if (self.constructor.name === 'Window') document.a()",
        "if (Object.prototype.toString.call(self) !== '[object ServiceWorkerGlobalScope]') document.a()",
        "if (globalThis.window === globalThis) document.a()",
        "const at = typeof document === 'undefined' ? 'worker' : 'page'; if (at === 'page') document.a()",
        "const type = typeof document; if (type === 'object') document.a()",
        "switch (typeof document) { case 'undefined': break; default: document.a() }",
    ],
)
def test_guarded_use_is_not_reported(script: str) -> None:
    assert found(script) == []


ALTERNATIVES = {
    "without a type": ("if (typeof OffscreenCanvas === 'undefined') USE", 0),
    "after a return": ("function f() { if (typeof OffscreenCanvas !== 'undefined') return; USE } f()", 0),
    "without a function": ("typeof fetch === 'function' ? fetch('a') : USE", 0),
    "without an object": ("if (typeof indexedDB !== 'object') USE", 0),
    "a constant": ("const has = typeof OffscreenCanvas !== 'undefined'; if (!has) USE", 0),
    "a function": ("const has = () => typeof OffscreenCanvas !== 'undefined'; if (!has()) USE", 0),
    "not in the global object": ("if (!('OffscreenCanvas' in self)) USE", 0),
    "without a property": ("if (!self.OffscreenCanvas) USE", 0),
    "a property that is undefined": ("globalThis.OffscreenCanvas === undefined && USE", 0),
    "with a type": ("if (typeof OffscreenCanvas !== 'undefined') USE", 1),
    "with a property": ("self.OffscreenCanvas && USE", 1),
    "another global that is missing": ("if (typeof window === 'undefined') USE", 1),
    "a global that the script sets": ("if (!self.ready) { self.ready = true; USE }", 1),
    "a free name that the script sets": ("if (typeof ready === 'undefined') { ready = true; USE }", 1),
    "a variable": ("let ready; if (typeof ready === 'undefined') USE", 1),
    "a free name without typeof": ("if (!ready) USE", 1),
    "a property of something else": ("if (!state.OffscreenCanvas) USE", 1),
    "an instance of another class": ("if (!(port instanceof ServiceWorkerGlobalScope)) USE", 1),
    "an instance of the own class": ("if (self instanceof ServiceWorkerGlobalScope) USE", 1),
    "the name of the own class": ("if (self.constructor.name === 'ServiceWorkerGlobalScope') USE", 1),
    "the default of all types": ("switch (typeof document) { case 'object': break; default: USE }", 1),
    "a test of something else": ("if (typeof OffscreenCanvas === 'undefined') {} USE", 1),
}


@pytest.mark.parametrize(("script", "count"), ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_alternatives_to_other_globals(script: str, count: int) -> None:
    assert len(found(script.replace("USE", "document.a()"))) == count


LOGGED_ERRORS = {
    "logged": ("try { document.a() } catch (e) { console.error('failed', e) }", 1),
    "logged in a listener": (
        LISTENER % "try { localStorage.a = 1 } catch (error) { console.log(error.message) }",
        1,
    ),
    "thrown again": ("function f() { try { alert(1) } catch (e) { throw new Error(e) } } f()", 1),
    "reported to the sender": (
        "chrome.runtime.onMessage.addListener((m, s, sendResponse) => "
        "{ try { f(new DOMParser()) } catch (e) { sendResponse({ error: e.message }) } })",
        1,
    ),
    "swallowed": ("try { document.a() } catch {}", 0),
    "swallowed with a comment": ("try { document.a() } catch (e) { /* not in workers */ }", 0),
    "swallowed by an end": ("function f() { try { document.a() } catch { return } } f()", 0),
    "something else is done": ("try { document.a() } catch (e) { console.warn(e); f() }", 0),
    "another value": (
        "function f() { try { return localStorage.a } catch (e) { console.warn(e); return null } } f()",
        0,
    ),
    "an alternative after the handler": (
        "function f() { try { return localStorage.a } catch (e) { console.warn(e) } return g() } f()",
        0,
    ),
    "the outcome is tested": (
        "let a; try { a = localStorage.a } catch (e) { console.warn(e) } if (a) f(a)",
        0,
    ),
    "the text of the error is read": (
        "try { document.a() } catch (e) { if (e.message.includes('document')) f() }",
        0,
    ),
}


@pytest.mark.parametrize(("script", "count"), LOGGED_ERRORS.values(), ids=LOGGED_ERRORS)
def test_errors_that_are_only_logged(script: str, count: int) -> None:
    assert len(found(script)) == count


def test_logged_errors_in_scripts_shared_with_other_contexts() -> None:
    script = "try { document.a() } catch (e) { console.error(e) }"
    page = {"options_ui": {"page": "a.html"}}
    files = {"b.js": script, "a.html": "<script src=b.js></script>"}
    assert reported({"manifest.json": manifest(**WORKER), **files}, RULES, "chrome")
    assert reported({"manifest.json": manifest(**WORKER, **page), **files}, RULES, "chrome") == []
    both = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
    assert reported({"manifest.json": manifest(**both), **files}, RULES, "chrome,firefox") == []


@pytest.mark.parametrize(
    "injected",
    [
        "func: () => document.title",
        "func: function () { alert(1) }",
        "func: f",
        "func: f, args: [1]",
    ],
)
def test_injected_function_is_not_reported(injected: str) -> None:
    call = f"chrome.scripting.executeScript({{ target: {{ tabId: 1 }}, {injected} }})"
    assert found(f"function f() {{ document.title = 1 }} {LISTENER % call}") == []


def test_stringified_function_is_not_reported() -> None:
    assert found("function f() { document.a() } const code = `(${f})()`; g(String(f))") == []


CREATE, REVOKE = "url = URL.createObjectURL(b);", "if (url) URL.revokeObjectURL(url);"
TESTED = f"if (typeof URL.createObjectURL === 'function') {CREATE}"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (f"let url; {TESTED} {REVOKE}", []),
        (f"let url; {CREATE} {REVOKE}", ["URL.createObjectURL", "URL.revokeObjectURL"]),
        (f"let url; {TESTED} {CREATE} {REVOKE}", ["URL.createObjectURL", "URL.revokeObjectURL"]),
        (f"const url = location.hash; {REVOKE}", ["URL.revokeObjectURL"]),
    ],
)
def test_address_of_an_object_is_revoked_only_if_it_is_created(script: str, expected: list[str]) -> None:
    assert found(script) == expected


def test_scripts_loaded_by_a_worker() -> None:
    load = "importScripts('a.js'); run();"
    assert found(load, a="function run() { alert(1) }") == ["alert"]
    assert found(load, a="function run() {} function walk() { alert(1) }") == []
    assert found("importScripts('a.js'); alert(1);", a="self.alert = console.log") == []
    assert found("importScripts('a.js'); alert(1);", a="function alert() {}") == []
    assert found("importScripts('a.js'); window.a = 1;", a="globalThis.window = self") == []
    assert found("importScripts('a.js'); window.a = 1;", a="function f() { const window = 1 }") == ["window"]


def test_modules_imported_by_a_worker() -> None:
    assert found_in_module("import './a.js'", a="alert(1)") == ["alert"]
    run = "export function run() { alert(1) }"
    assert found_in_module("import { run } from './a.js'; run()", a=run) == ["alert"]
    assert found_in_module("import * as a from './a.js'; a.run()", a=run) == ["alert"]
    assert found_in_module("import { run } from './a.js';", a=run) == []
    again = "export { run as go } from './c.js'"
    assert found_in_module("import { go } from './a.js'; go()", a=again, c=run) == ["alert"]
    assert found_in_module("import 'dom-polyfill'; alert(1)") == []
    assert found_in_module("import { parseHTML } from 'linkedom/worker'; alert(1)") == ["alert"]
    assert found_in_module("import '@a/local-storage'; localStorage.a = 1") == []
    assert found_in_module("import '@a/alert'; alert(1)") == ["alert"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("import '@scope/some-bundle'; alert(1)", []),
        ("import 'some-theme/main.css'; alert(1)", ["alert"]),
        ("import 'webextension-polyfill'; alert(1)", ["alert"]),
        ("import * as some from '@scope/some-bundle'; alert(1)", ["alert"]),
    ],
)
def test_package_that_a_build_adds_for_its_effect_may_define_globals(
    script: str, expected: list[str]
) -> None:
    files = {
        "manifest.json": manifest(**MODULE),
        "b.js": script,
        "package.json": '{"scripts": {"build": "vite build"}}',
    }
    found = check_package(package_in(files, ""), [Target("chrome")], RULES).findings
    assert [text_under(files, each) for each in found] == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("type Storage = { a: 1 }; export { Storage };", [], id="a type"),
        pytest.param("interface Storage {} export { Storage as Kept };", [], id="by another name"),
        pytest.param("type A = 1; export { A }; export const b = new Storage();", ["Storage"], id="a use"),
    ],
)
def test_exported_type_with_the_name_of_a_global(script: str, expected: list[str]) -> None:
    files = {"manifest.json": manifest(**MODULE), "b.js": "import './types.ts';", "types.ts": script}
    assert [text for _, text in reported(files, [*RULES, "undefined-name"], "chrome")] == expected


def test_modules_shared_with_pages() -> None:
    files = {
        "manifest.json": manifest(**MODULE, options_ui={"page": "o.html"}),
        "b.js": "import { f } from './a.js'; f();",
        "o.html": "<script type=module src=o.js></script>",
        "o.js": "import { f } from './a.js'; document.body.append(f());",
    }
    in_function = "export function f() { return document.title }"
    assert reported({**files, "a.js": in_function}, RULES, "chrome") == []
    on_load = "const title = document.title; export const f = () => title"
    assert reported({**files, "a.js": on_load}, RULES, "chrome") == [("missing-global", "document")]
    tested = "if (self.x) document.title; export const f = () => 1"
    assert reported({**files, "a.js": tested}, RULES, "chrome") == []


@pytest.mark.parametrize(
    ("script", "is_reported"),
    [
        pytest.param("var e=t();e&&document.a();" + "x();" * 100, False, id="a condition in minified code"),
        pytest.param("var e=t();document.a();" + "x();" * 100, True, id="without a condition"),
        pytest.param("/*! Lib v1 @license */\nif (t()) document.a()", False, id="a condition in a library"),
        pytest.param(
            "function __vitePreload(f, a) { a && document.a(); dispatch('vite:preloadError') }"
            "__vitePreload(f, [])",
            False,
            id="a condition in what Vite adds",
        ),
        pytest.param("if (t()) document.a()", True, id="in own code"),
    ],
)
def test_conditions_in_third_party_code(script: str, is_reported: bool) -> None:
    assert bool(found(script)) == is_reported


@pytest.mark.parametrize(
    ("target", "keys", "script", "expected"),
    [
        ("firefox", {"background": {"scripts": ["b.js"]}}, "importScripts('a.js')", ["importScripts"]),
        *(
            ("firefox", {"background": {"scripts": ["a.js", "b.js"]}}, script, [])
            for script in (
                "if (typeof Notes === 'undefined') importScripts('a.js')",
                "if (!self.Notes) importScripts('a.js')",
                "self.Notes || importScripts('a.js')",
                "function load() { importScripts('a.js') } if (!self.Notes) load()",
            )
        ),
        ("firefox", {"background": {"scripts": ["b.js"]}}, "document.title; alert(1)", []),
        (
            "firefox",
            {"background": {"scripts": ["b.js"]}},
            "navigator.serviceWorker.x",
            ["navigator.serviceWorker"],
        ),
        ("chrome", {"options_ui": {"page": "b.html"}}, "navigator.serviceWorker.x", []),
        ("chrome", {"options_ui": {"page": "b.html"}}, "importScripts('a.js')", ["importScripts"]),
        ("chrome", {"options_ui": {"page": "b.html"}}, "skipWaiting()", ["skipWaiting"]),
        *(
            ("chrome", {"options_ui": {"page": "b.html"}}, script, [])
            for script in (
                "self.oninstall = () => { self.skipWaiting() }",
                "addEventListener('activate', () => clients.claim())",
            )
        ),
        ("edge", WORKER, "alert(1)", ["alert"]),
        ("safari", WORKER, "alert(1)", []),
        ("reference", WORKER, "alert(1)", []),
        (
            "chrome",
            {"content_scripts": [{"matches": ["<all_urls>"], "js": ["b.js"]}]},
            "customElements.define('a-b', C)",
            ["customElements"],
        ),
        (
            "firefox",
            {"content_scripts": [{"matches": ["<all_urls>"], "js": ["b.js"]}]},
            "customElements.define('a-b', C); cloneInto({}, window)",
            [],
        ),
    ],
)
def test_globals_of_other_contexts(
    target: str, keys: dict[str, object], script: str, expected: list[str]
) -> None:
    files = {"manifest.json": manifest(**keys), "b.js": script, "b.html": "<script src=b.js></script>"}
    assert [text for _, text in reported(files, RULES, target)] == expected


def test_globals_of_page_workers() -> None:
    files = {
        "manifest.json": manifest(options_ui={"page": "o.html"}),
        "o.html": "<script src=o.js></script>",
        "o.js": "new Worker('w.js')",
        "w.js": "new XMLHttpRequest(); document.title",
    }
    assert reported(files, RULES, "chrome,firefox") == [("missing-global", "document")]


@pytest.mark.parametrize(
    ("script", "message", "help_"),
    [
        (
            "localStorage.a",
            "`localStorage` does not exist in a service worker",
            "keep data in `chrome.storage`",
        ),
        ("window.a", "`window` does not exist in a service worker", "use `self`, or `globalThis`"),
        (
            "window.alert(1)",
            "`window` does not exist in a service worker",
            "`alert` is missing too: show it with `chrome.notifications`, or ask in a page of the extension",
        ),
        (
            "window.parent.close()",
            "`window` does not exist in a service worker",
            "`parent` is missing too: send a message to the page, and use it there",
        ),
        ("new XMLHttpRequest()", "`XMLHttpRequest` does not exist in a service worker", "use `fetch`"),
        (
            "navigator.clipboard.writeText(t)",
            "`navigator.clipboard` does not exist in a service worker",
            'use `document.execCommand("copy")` in an offscreen document '
            "(`chrome.offscreen.createDocument`); `navigator.clipboard` fails there, "
            "because it requires a focused document",
        ),
    ],
)
def test_message_and_help(script: str, message: str, help_: str) -> None:
    (finding,) = lint({"manifest.json": manifest(**WORKER), "b.js": script}, RULES, "chrome")
    assert (finding.message, finding.help) == (message, help_)


COPIES = {
    "writing": ("navigator.clipboard.writeText(t);", 1),
    "writing in a listener": (
        "chrome.runtime.onMessage.addListener(async (t) => { await navigator.clipboard.writeText(t); });",
        1,
    ),
    "reading": ("navigator.clipboard.readText().then(show);", 1),
    "through the window": ("window.navigator.clipboard.writeText(t);", 1),
    "a fallback after it": ("try { await navigator.clipboard.writeText(t); } catch { copy(t); }", 0),
    "a fallback of the promise": ("navigator.clipboard.writeText(t).catch(() => copy(t));", 0),
    "a second function of then": ("navigator.clipboard.writeText(t).then(done, () => copy(t));", 0),
    "document.execCommand": ("document.execCommand('copy');", 0),
}


@pytest.mark.parametrize(("script", "count"), COPIES.values(), ids=COPIES.keys())
def test_clipboard_of_an_offscreen_document(script: str, count: int) -> None:
    creating = (
        "chrome.offscreen.createDocument({ url: 'o.html', reasons: ['CLIPBOARD'], justification: 'a' });"
    )
    files = {
        "manifest.json": manifest(
            permissions=["clipboardRead", "clipboardWrite", "offscreen"],
            options_ui={"page": "p.html"},
            **WORKER,
        ),
        "b.js": creating,
        "o.html": "<script type=module src=o.js></script>",
        "o.js": script,
        "p.html": "<script type=module src=p.js></script>",
        "p.js": script,
    }
    found = lint(files, RULES, "chrome")
    message = "`navigator.clipboard` fails in an offscreen document"
    assert [(each.path, each.message) for each in found] == [("o.js", message)] * count


def test_findings_list_the_affected_targets() -> None:
    both = {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
    files = {"manifest.json": manifest(**both), "b.js": "importScripts('a.js'); alert(1)", "a.js": ""}
    findings = lint(files, RULES, "chrome,firefox")
    uses_and_targets = [(text_under(files, each), each.targets) for each in findings]
    assert uses_and_targets == [("importScripts", ("firefox",)), ("alert", ("chrome",))]


def test_recorded_facts() -> None:
    chrome, firefox = web_globals("chrome"), web_globals("firefox")
    assert {"document", "XMLHttpRequest", "URL.createObjectURL"} <= chrome["service worker"].missing
    assert "document" in firefox["worker"].missing - chrome["extension page"].missing
    assert "XMLHttpRequest" not in firefox["worker"].missing
    assert (
        "navigator.serviceWorker" in firefox["extension page"].missing - firefox["page's main world"].missing
    )
    assert chrome["content script"].empty == {"customElements"}
    with pytest.raises(KeyError):
        web_globals("safari")


WEBPACK = """(() => { var modules = {
  "./a.js": (module, exports, __webpack_require__) => { %s },
  "./b.js": (module, exports) => { %s },
};
var cache = {};
function __webpack_require__(id) {
  var cached = cache[id];
  if (cached !== undefined) return cached.exports;
  var module = cache[id] = { exports: {} };
  modules[id](module, module.exports, __webpack_require__);
  return module.exports;
}
__webpack_require__("./a.js"); })();"""
ESBUILD = """(() => { var __commonJS = (cb, mod) => function __require() {
  return mod || (0, cb[Object.keys(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
};
var require_b = __commonJS({ "b.js"(exports, module) { %s } });
%s })();"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (WEBPACK % ('__webpack_require__("./b.js")', "document.title"), ["document"]),
        (WEBPACK % ('var b = __webpack_require__("./b.js"); b.f()', "alert(1); exports.f = g"), ["alert"]),
        (WEBPACK % ('__webpack_require__(/* b */ "./b.js")', "localStorage.a = 1"), ["localStorage"]),
        (WEBPACK % ("document.title", ""), ["document"]),
        (WEBPACK % ("", "document.title"), []),
        (WEBPACK % ('function f() { __webpack_require__("./b.js") }', "document.title"), []),
        (WEBPACK % ('if (self.a) __webpack_require__("./b.js")', "document.title"), []),
        (WEBPACK % ('try { __webpack_require__("./b.js") } catch (e) { }', "document.title"), []),
        (WEBPACK % ('__webpack_require__("./b.js")', "if (typeof document === 'object') document.a()"), []),
        (WEBPACK % ('__webpack_require__("./b.js")', "exports.f = () => document.title"), []),
        (ESBUILD % ("document.title", "var b = require_b();"), ["document"]),
        (ESBUILD % ("document.title", "function f() { require_b(); }"), []),
        (ESBUILD % ("document.title", ""), []),
    ],
)
def test_globals_in_bundled_modules(script: str, expected: list[str]) -> None:
    assert found(script) == expected


IN_BUNDLE = "function __webpack_require__(id) { return {}; } (() => { function f() { alert(1); } %s })();"
ON_MESSAGE = "chrome.runtime.onMessage.addListener((m, s) => { %s });"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("chrome.storage.local.set({ a: 1 }, () => f());", ["alert"]),
        ("chrome.storage.local.get('a').then(() => f());", ["alert"]),
        ("self.chrome.storage.local.get('a', f);", ["alert"]),
        (ON_MESSAGE % "if (m.type === 'a') f();", ["alert"]),
        (ON_MESSAGE % "if (m.type === 'b') g(); else if (m.type === 'a' && s.id !== '') { f(); }", ["alert"]),
        (ON_MESSAGE % "switch (m.type) { case 'a': f(); break; default: g(); }", ["alert"]),
        (ON_MESSAGE % "if (isPage(m)) f();", []),
        (ON_MESSAGE % "if (m.type === 'a' && hasPage) f();", []),
        (ON_MESSAGE % "if (typeof document === 'object') f();", []),
        (ON_MESSAGE % "if (m.type === 'a') { if (hasPage) f(); }", []),
        (ON_MESSAGE % "switch (kind) { case 'a': f(); }", []),
        (ON_MESSAGE % "try { if (m.type === 'a') f(); } catch (e) { }", []),
        ("if (process.browser) chrome.storage.local.get('a', f);", []),
        ("library.storage.local.set({ a: 1 }, () => f());", []),
    ],
)
def test_globals_in_own_code_of_bundles(script: str, expected: list[str]) -> None:
    assert found(IN_BUNDLE % script) == expected


PAIR = [{"matches": ["https://*/*"], "js": ["lib.js", "c.js"]}]


@pytest.mark.parametrize(
    ("keys", "files", "count"),
    [
        pytest.param({"content_scripts": PAIR}, {}, 0, id="a missing content script"),
        pytest.param({"content_scripts": PAIR}, {"lib.js": ""}, 1, id="an existing content script"),
        pytest.param({"content_scripts": PAIR}, {"lib.ts": "f()"}, 1, id="a content script with a source"),
        pytest.param(
            {"content_scripts": PAIR}, {"lib.ts": "window.customElements = {}"}, 0, id="by the source"
        ),
        pytest.param(
            {"content_scripts": [*PAIR, {"matches": ["https://a.example/*"], "js": ["d.js"]}]},
            {"lib.js": ""},
            0,
            id="another entry",
        ),
        pytest.param(
            {"content_scripts": PAIR, "action": {"default_popup": "p.html"}},
            {"lib.js": "", "p.html": "<script src=q.js></script>"},
            1,
            id="a missing script of a page",
        ),
        pytest.param(
            {"content_scripts": PAIR, "background": {"service_worker": "gone.js"}},
            {"lib.js": ""},
            1,
            id="a missing worker",
        ),
        pytest.param(
            {"content_scripts": PAIR, "background": {"service_worker": "b.js"}, "permissions": ["scripting"]},
            {
                "lib.js": "",
                "b.js": "chrome.scripting.executeScript({target: {tabId: 1}, files: ['gone.js']})",
            },
            0,
            id="a missing injected script",
        ),
    ],
)
def test_missing_scripts_may_provide_globals(keys: dict[str, object], files: Files, count: int) -> None:
    tree = {"manifest.json": manifest(**keys), "c.js": "customElements.define('a-b', C)", **files}
    report = check_package(package_in(tree, ""), [Target("chrome")], RULES)
    assert len(report.findings) == count


@pytest.mark.parametrize(
    ("script", "others", "expected"),
    [
        ("importScripts('gone.js'); window.foo = 1", {}, []),
        ("importScripts('lib.js'); window.foo = 1", {"lib": ""}, ["window"]),
        ("importScripts('gone.css'); window.foo = 1", {}, ["window"]),
        ("new Worker('gone.js'); window.foo = 1", {}, ["Worker", "window"]),
        ("new OffscreenCanvas(1, 1); window.foo = 1", {}, ["window"]),
    ],
)
def test_missing_scripts_of_a_worker(script: str, others: dict[str, str], expected: list[str]) -> None:
    assert found(script, **others) == expected


@pytest.mark.parametrize(
    ("use", "library", "count"),
    [
        ("chrome.browserAction.setBadgeText({})", "v3-compat.js", 0),
        ("chrome.browserAction.setBadgeText({})", "shims/chrome.js", 0),
        ("chrome.browserAction.setBadgeText({})", "browser-polyfill.js", 1),
        ("chrome.browserAction.setBadgeText({})", "jquery.js", 1),
        ("chrome.bookmarks.getTree()", "v3-compat.js", 1),
    ],
)
def test_missing_scripts_named_as_shims(use: str, library: str, count: int) -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}),
        "p.html": f"<script src={library}></script><script src=p.js></script>",
        "p.js": use,
    }
    rules = ("wrong-manifest-version", "missing-permission")
    assert len(reported(files, rules, "chrome")) == count


@pytest.mark.parametrize(
    ("page", "is_reported"),
    [("new Worker('worker.js');", False), ("new Worker('other.js');", True), ("", True)],
)
def test_source_of_a_dedicated_worker_that_is_also_the_service_worker(page: str, is_reported: bool) -> None:
    keys = manifest(background={"service_worker": "/worker.js"}, action={"default_popup": "p.html"})
    files = {
        "src/manifest.json": keys,
        "src/p.html": "<script src=main.js></script>",
        "src/main.ts": page,
        "src/worker.ts": "onmessage = (event) => { postMessage(event.data); };",
        "package.json": '{"scripts": {"build": "webpack"}, "devDependencies": {"webpack": "5"}}',
        "webpack.config.js": "x({ entry: { worker: './src/worker.ts', main: './src/main.ts' } })",
    }
    found = check_package(package_in(files, "src/"), [Target("chrome")], ["missing-global"]).findings
    assert [each.path for each in found] == ["worker.ts"] * is_reported


BUILT = {
    "src/manifest.json": manifest(**MODULE),
    "src/b.ts": "import { A } from './c'; chrome.runtime.onStartup.addListener(() => f(A));",
    "vite.config.ts": "x({ build: { rollupOptions: { input: { b: './src/b.ts' } } } })",
    "package.json": '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "5"}}',
}


def found_in_build(script: str, config: str = "") -> int:
    """Returns the number of findings in a module that a build makes a part of the worker."""
    files = {**BUILT, "src/c.ts": f"{script}; export const A = 1;"}
    files["vite.config.ts"] += config
    package = package_in(files, "src/")
    return len(check_package(package, [Target("chrome")], ["missing-global"]).findings)


@pytest.mark.parametrize(
    ("script", "is_reported"),
    [
        ("export const B = window.innerWidth - 4", False),
        ("export let B = [window.innerWidth]", False),
        ("export const B = { width: window.innerWidth, get: () => f() } as Size", False),
        ("const B = window.innerWidth; export const C = B / 2", False),
        ("const B = window.innerWidth; export function g() { return B }", False),
        ("export class B { static width = window.innerWidth }", False),
        ("export const B = /* @__PURE__ */ window.matchMedia('print')", False),
        ("export const B = window.innerWidth; f(B)", True),
        ("export const B = window.matchMedia('print')", True),
        ("export const B = new window.Image()", True),
        ("export class B { static image = new window.Image() }", True),
        ("export const B = (window.width = 4)", True),
        ("const B = () => window.innerWidth; chrome.runtime.onStartup.addListener(() => f(B()))", True),
        ("window.width = 4", True),
    ],
)
def test_declarations_that_a_bundler_drops(script: str, is_reported: bool) -> None:
    assert found_in_build(script) == is_reported
    files = {
        "manifest.json": manifest(**MODULE),
        "b.js": 'import "./c.js"',
        "c.js": f"{script}; export {{ }}",
    }
    assert " as " in script or reported(files, RULES, "chrome") != []


@pytest.mark.parametrize(
    ("config", "is_reported"),
    [
        ("y({ define: { window: 'self' } })", False),
        ("y({ 'window': 'globalThis' })", False),
        ("y({ banner: 'var window = self;' })", False),
        ("y({ banner: 'self.window=self;' })", False),
        ("// window: a page", True),
        ("window.close()", True),
        ("y({ main_window: 1 })", True),
    ],
)
def test_globals_that_a_build_defines(config: str, is_reported: bool) -> None:
    assert found_in_build("window.width = 4", config) == is_reported
