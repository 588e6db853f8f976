"""Functions and objects that only delegate to the API: a member is used where such a function is called."""

from __future__ import annotations

import pytest
from harness import lint, manifest
from thorough import some

RULES = ("wrong-context", "missing-permission", "unknown-api", "unsupported-api")
CLOSE = "query: (options) => chrome.tabs.query(options)"
OBJECT = (
    "{ tabs: { query: (options) => chrome.tabs.query(options) }, "
    "downloads: { download: (options) => chrome.downloads.download(options) }, "
    "storage: { local: { get: (keys) => chrome.storage.local.get(keys) } } }"
)
READ = "NAME.storage.local.get('a').then(f);"
CALL = "NAME.tabs.query({}).then(f);"


def found_in(layer: str, user: str, **keys: object) -> list[tuple[str, str]]:
    """Returns the paths and APIs of findings in a content script made of a layer and its user."""
    scripts = {"matches": ["https://page.example/*"], "js": ["layer.js", "user.js"]}
    files = {
        "manifest.json": manifest(
            content_scripts=[scripts], permissions=["storage", "tabs", "downloads"], **keys
        ),
        "layer.js": layer,
        "user.js": user,
    }
    return [(each.path, each.api or "") for each in lint(files, RULES, "chrome")]


LAYERS = {
    "a global": ("globalThis.browser = OBJECT", "browser"),
    "a global with another name": ("globalThis.api = OBJECT", "api"),
    "of the window": ("window.api = OBJECT", "window.api"),
    "of the window in brackets": ("window['api'] = OBJECT", "self.api"),
    "of an alias of the global object": ("(function (root) { root.api = OBJECT })(globalThis)", "api"),
    "unless it exists": ("globalThis.api ??= OBJECT", "api"),
    "if it does not exist": ("globalThis.api = globalThis.api || OBJECT", "api"),
    "a variable without a declaration": ("api = OBJECT", "api"),
    "var": ("var api = OBJECT", "api"),
    "const": ("const api = OBJECT", "api"),
    "a local variable first": ("(() => { const layer = OBJECT; globalThis.api = layer })()", "api"),
    "frozen": ("globalThis.api = Object.freeze(OBJECT)", "api"),
    "assigned by a function": ("Object.assign(globalThis, { api: OBJECT })", "api"),
    "defined with a value": ("Object.defineProperty(globalThis, 'api', { value: OBJECT })", "api"),
    "defined with a getter": ("Object.defineProperty(self, 'api', { get: () => (OBJECT) })", "api"),
    "defined with a method": ("Reflect.defineProperty(self, 'api', { get() { return OBJECT } })", "api"),
    "defined with others": ("Object.defineProperties(window, { api: { get: () => (OBJECT) } })", "api"),
    "an old accessor": ("globalThis.__defineGetter__('api', () => (OBJECT))", "api"),
    "an old accessor of the root": ("globalThis.__defineGetter__('browser', () => (OBJECT))", "browser"),
    "an accessor with a cache": (
        "(() => { let layer; window.__defineGetter__('api', () => layer || (layer = OBJECT)) })()",
        "api",
    ),
    "made by a function": ("(() => { function make() { return OBJECT } globalThis.api = make() })()", "api"),
    "a member of a global": ("globalThis.lib = { api: OBJECT, version: 1 }", "lib.api"),
    "an accessor of a global": ("globalThis.lib = { get api() { return OBJECT } }", "lib.api"),
    "made by a method of a global": ("globalThis.lib = { api() { return OBJECT } }", "lib.api()"),
    "another name of the chrome object": (
        "(() => { const native = globalThis.chrome; globalThis.api = OBJECT })()".replace(
            "OBJECT", OBJECT.replace("chrome.", "native.")
        ),
        "api",
    ),
    "promises of callbacks": (
        "globalThis.api = { tabs: { query: (o) => new Promise((resolve, reject) => "
        "chrome.tabs.query(o, (tabs) => { if (x) reject(x); else resolve(tabs) })) } }",
        "api",
    ),
    "functions with a block": (
        "globalThis.api = { tabs: { query: function (o) { return chrome.tabs.query(o) } } }",
        "api",
    ),
    "asynchronous functions": (
        "globalThis.api = { tabs: { "
        "query: async (o) => { const all = await chrome.tabs.query(o); return all } } }",
        "api",
    ),
    "made by a factory": (
        "(function (root, factory) { root.api = factory() })(globalThis, function () { return OBJECT })",
        "api",
    ),
    "assigned in parts": (
        "globalThis.api = {}; api.tabs = { " + CLOSE + " }; "
        "api.storage = { local: { get: (keys) => chrome.storage.local.get(keys) } }",
        "api",
    ),
    "assigned in parts to a variable": (
        "(() => { const api = {}; api.tabs = {}; "
        "api.tabs.query = (o) => chrome.tabs.query(o); globalThis.api = api })()",
        "api",
    ),
    "assigned in parts, if it does not exist": (
        "var api = api || {}; api.tabs = { " + CLOSE + " }",
        "api",
    ),
    "assigned in parts to the window": (
        "window.api = window.api || {}; window.api.tabs = {}; "
        "window.api.tabs.query = (o) => chrome.tabs.query(o)",
        "api",
    ),
    "wrapped by a function": (
        "const wrap = (f) => (...args) => new Promise((done) => f(...args, done)); "
        "globalThis.api = { tabs: { query: wrap((...args) => chrome.tabs.query(...args)) } }",
        "api",
    ),
    "static members": (
        "class Tabs { static query(o) { return chrome.tabs.query(o) } static f() { this.query() } } "
        "globalThis.api = { tabs: Tabs }",
        "api",
    ),
    "a static field": ("class Api { static tabs = { " + CLOSE + " } }", "Api"),
    "a static accessor": ("class Api { static get tabs() { return { " + CLOSE + " } } }", "Api"),
    "accessors": ("globalThis.api = { get tabs() { return { " + CLOSE + " } } }", "api"),
}


@pytest.mark.parametrize(("layer", "name"), some(LAYERS.values(), 2), ids=some(LAYERS, 2))
def test_layer_uses_a_member_where_it_is_called(layer: str, name: str) -> None:
    layer = layer.replace("OBJECT", OBJECT)
    read, call = READ.replace("NAME", name), CALL.replace("NAME", name)
    assert found_in(layer, read) == []
    assert found_in(layer, f"function unused() {{ (() => {{ {call} }})(); unused() }}") in (
        [],
        [("user.js", "tabs.query")],
    )
    assert found_in(layer, read + call) == [("user.js", "tabs.query")]
    assert found_in(layer, f"addEventListener('x', () => {{ {call} }})") == [("user.js", "tabs.query")]


CLASSES = {
    "an instance": ("class Api { query(o) { return chrome.tabs.query(o) } } var api = new Api()", "api"),
    "an instance of the global object": (
        "(() => { class Api { query(o) { return chrome.tabs.query(o) } } globalThis.api = new Api() })()",
        "api",
    ),
    "instances": ("class Api { query(o) { return chrome.tabs.query(o) } }", "new Api()"),
    "a field": ("class Api { query = (o) => chrome.tabs.query(o) }", "new Api()"),
    "a base class": (
        "class Api { query(o) { return chrome.tabs.query(o) } } class More extends Api {}",
        "new More()",
    ),
    "an object": ("const api = { query(o) { return chrome.tabs.query(o) } }", "api"),
}


@pytest.mark.parametrize(("layer", "name"), CLASSES.values(), ids=CLASSES.keys())
def test_wrapper_class_uses_a_member_where_it_is_called(layer: str, name: str) -> None:
    assert found_in(layer, "") == []
    assert found_in(layer, f"({name}).other()") == []
    assert found_in(layer, f"({name}).query({{}})") == [("user.js", "tabs.query")]
    assert found_in(layer, f"const wrapper = {name}; wrapper.query({{}})") == [("user.js", "tabs.query")]
    assert found_in(layer, f"send({name})")[0][0] == "layer.js"


UNKNOWN_HANDS = {
    "defined by a function": (
        "function define(name, make) { Object.defineProperty(globalThis, name, { get: make }) } "
        "define('api', () => (OBJECT))"
    ),
    "made by a function of unknown code": "define([], function () { return OBJECT })",
    "for every module system": (
        "(function (root, factory) { if (typeof module === 'object') module.exports = factory(); "
        "else root.api = factory() })(this, function () { return OBJECT })"
    ),
    "copied with the API": "var browser = Object.assign({}, chrome, OBJECT)",
    "of properties": "globalThis.browser = Object.create(chrome, { tabs: { value: { QUERY } } })".replace(
        "QUERY", CLOSE
    ),
    "with an event": (
        "define([], () => ({ onUpdated: { addListener: (f) => chrome.tabs.onUpdated.addListener(f) } }))"
    ),
    "made of declared functions": (
        "define([], function () { function query(o) { return chrome.tabs.query(o) } return { query } })"
    ),
}


@pytest.mark.parametrize("layer", UNKNOWN_HANDS.values(), ids=UNKNOWN_HANDS.keys())
def test_layer_in_unknown_hands_uses_nothing(layer: str) -> None:
    assert found_in(layer.replace("OBJECT", OBJECT), "") == []


def test_declared_function_in_a_layer_is_used_where_the_layer_is() -> None:
    layer = "function query(o) { return chrome.tabs.query(o) } globalThis.api = { tabs: { query } }"
    assert found_in(layer, "api.storage.get('a')") == []
    assert found_in(layer, "api.tabs.query({})") == [("layer.js", "tabs.query")]
    assert found_in(layer, "query({})") == [("layer.js", "tabs.query")]
    assert found_in(f"(() => {{ {layer} }})()", "api.tabs.query({})") == [("user.js", "tabs.query")]


def test_wrapper_that_calls_at_once_is_not_a_layer() -> None:
    wrapper = "const wrap = (f) => { f({}); return () => f({}) }; "
    layer = wrapper + "globalThis.api = { query: wrap((o) => chrome.tabs.query(o)) }"
    assert found_in(layer, "") == [("layer.js", "tabs.query")]


def test_function_in_unknown_hands_that_does_more_is_reported() -> None:
    layer = "define([], () => ({ query: () => chrome.tabs.query({}) }))"
    assert found_in(layer, "") == [("layer.js", "tabs.query")]


def test_handler_that_is_called_by_a_computed_name_is_reported() -> None:
    handlers = "const all = { find(query) { return chrome.bookmarks.search(query) } }; all[name](value)"
    assert background_findings(handlers, "") == [("user.js", "bookmarks.search")]


def test_method_of_a_prototype_is_used_where_it_is_called() -> None:
    layer = (
        "function Api() {} Api.prototype.query = function () { return chrome.tabs.query({}) }; "
        "Api.prototype.tabs = function () { return chrome.tabs.query({}) }"
    )
    assert found_in(layer, "new Api().other()") == []
    assert found_in(layer, "new Api().tabs()") == [("layer.js", "tabs.query")]
    assert found_in(layer, "new Api()['tabs']()") == [("layer.js", "tabs.query")]


def test_function_is_reported_where_it_names_the_member() -> None:
    for layer in (
        "function query(o) { return chrome.tabs.query(o) }",
        "const query = (o) => chrome.tabs.query(o)",
    ):
        assert found_in(layer, "query({})") == [("layer.js", "tabs.query")]


def test_layer_that_does_more_is_reported_itself() -> None:
    layer = "globalThis.api = { query(o) { if (o) f(); return chrome.tabs.query(o) } }"
    assert found_in(layer, "") == []
    assert found_in(layer, "api.query({})") == [("layer.js", "tabs.query")]


def test_excuse_of_a_call_covers_the_layer() -> None:
    layer = f"globalThis.api = {OBJECT}"
    for excused in ("if (chrome.tabs) CALL", "try { CALL } catch { g() }", "if (false) { CALL }"):
        assert found_in(layer, excused.replace("CALL", CALL.replace("NAME", "api"))) == [], excused
    other = "if (chrome.storage) CALL".replace("CALL", CALL.replace("NAME", "api"))
    assert found_in(layer, other) == [("user.js", "tabs.query")]


def test_misspelled_name_is_reported_in_the_layer() -> None:
    layer = "globalThis.api = { query: (o) => chrome.tabs.qurey(o) }"
    assert lint(
        {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": layer},
        ["unknown-api"],
        "chrome",
    )


MESSAGES = "{ tabs: { query: (o) => chrome.runtime.sendMessage(o) } }"
REPLACED = {
    "by an assignment": "globalThis.browser = OBJECT",
    "by an accessor": "globalThis.__defineGetter__('browser', () => (OBJECT))",
    "by a descriptor": "Object.defineProperty(self, 'browser', { value: OBJECT })",
    "by a getter": "(() => { Object.defineProperty(self, 'browser', { get() { return OBJECT } }) })()",
    "with others": "Object.assign(self, { browser: OBJECT })",
    "with others, by descriptors": "Object.defineProperties(self, { browser: { get: () => (OBJECT) } })",
}


@pytest.mark.parametrize("layer", REPLACED.values(), ids=REPLACED.keys())
def test_object_that_replaces_a_root_has_its_own_members(layer: str) -> None:
    assert found_in(layer.replace("OBJECT", MESSAGES), "browser.tabs.query({})") == []
    alias = layer.replace("OBJECT", "chrome")
    assert found_in(alias, "browser.tabs.query({})") == [("user.js", "tabs.query")]


def background_findings(user: str, layer: str, **keys: object) -> list[tuple[str, str]]:
    files = {
        "manifest.json": manifest(background={"service_worker": "user.js"}, **keys),
        "user.js": user,
        "layer.js": layer,
    }
    return [(each.path, each.api or "") for each in lint(files, RULES, "chrome")]


def test_layer_requires_permissions_only_for_what_is_called() -> None:
    layer = "globalThis.api = { bookmarks: { get: (id) => chrome.bookmarks.get(id) }, OTHER }".replace(
        "OTHER", "storage: { get: (keys) => chrome.storage.local.get(keys) }"
    )
    load = "importScripts('layer.js');"
    assert background_findings(load + "api.storage.get('a')", layer, permissions=["storage"]) == []
    assert background_findings(load + "api.storage.get('a')", layer) == [("user.js", "storage.local")]
    assert background_findings(load + "api.bookmarks.get('a')", layer) == [("user.js", "bookmarks.get")]


RUNS = {
    "on load": "USE",
    "in a function that is called": "function f() { USE } f()",
    "in a listener": "chrome.runtime.onInstalled.addListener(() => { USE })",
    "in a listener of the platform": "addEventListener('x', () => { USE })",
    "after a result": "chrome.runtime.getPlatformInfo().then(() => { USE })",
}
MAY_RUN = {
    "behind a condition": "if (x) USE",
    "in a function that is exported": "export function f() { USE } export const g = [f]",
    "in a function that unknown code gets": "g(() => { USE })",
    "in an object that unknown code gets": "g({ f() { USE } })",
}


@pytest.mark.parametrize(
    ("script", "is_safe"),
    [*((each, True) for each in RUNS.values()), *((each, False) for each in MAY_RUN.values())],
)
def test_fix_is_safe_only_if_the_use_certainly_runs(script: str, is_safe: bool) -> None:
    background = {"service_worker": "a.js", "type": "module"}
    files = {
        "manifest.json": manifest(background=background),
        "a.js": script.replace("USE", "chrome.bookmarks.get('1')"),
        "b.js": "import { g } from './a.js'; g()",
    }
    fixes = [each.fix for each in lint(files, ["missing-permission"], "chrome")]
    assert [fix is not None and fix.safe for fix in fixes] == [is_safe]


def module_findings(layer: str, user: str) -> list[tuple[str, str]]:
    background = {"service_worker": "user.js", "type": "module"}
    files = {"manifest.json": manifest(background=background), "layer.js": layer, "user.js": user}
    return [(each.path, each.api or "") for each in lint(files, RULES, "chrome")]


EXPORTED = {
    "by name": ("export const api = OBJECT", "import { api } from './layer.js'"),
    "by another name": ("const own = OBJECT; export { own as api }", "import { api } from './layer.js'"),
    "by another name where it is imported": (
        "export const own = OBJECT",
        "import { own as api } from './layer.js'",
    ),
    "by default": ("export default OBJECT", "import api from './layer.js'"),
    "by a namespace": ("export const lib = OBJECT", "import * as m from './layer.js'; const api = m.lib"),
    "an instance": (
        "class Api { get(id) { return chrome.bookmarks.get(id) } all() {} } export const api = new Api()",
        "import { api } from './layer.js'",
    ),
}


@pytest.mark.parametrize(("layer", "load"), EXPORTED.values(), ids=EXPORTED.keys())
def test_exported_layer_uses_a_member_where_it_is_called(layer: str, load: str) -> None:
    layer = layer.replace("OBJECT", "{ get: (id) => chrome.bookmarks.get(id), all() {} }")
    assert module_findings(layer, load) == []
    assert module_findings(layer, f"{load}; api.all()") == []
    assert module_findings(layer, f"{load}; api.get('1')") == [("user.js", "bookmarks.get")]
    assert module_findings(layer, f"{load}; f(api)") == [("layer.js", "bookmarks.get")]


def test_use_fails_in_the_context_of_its_caller() -> None:
    scripts = {"matches": ["https://page.example/*"], "js": ["layer.js", "content.js"]}
    files = {
        "manifest.json": manifest(
            content_scripts=[scripts], background={"service_worker": "worker.js"}, permissions=["tabs"]
        ),
        "layer.js": "globalThis.api = { query: (o) => chrome.tabs.query(o) }",
        "worker.js": "importScripts('layer.js'); api.query({})",
        "content.js": "",
    }
    assert lint(files, RULES, "chrome") == []
    files["content.js"] = "api.query({})"
    assert [each.path for each in lint(files, RULES, "chrome")] == ["content.js"]


TESTS_IN_A_LAYER = {
    "converted": ("f() { return !!chrome.tabs.query }", "if (api.f()) g()"),
    "compared": ("f: () => typeof chrome.tabs !== 'undefined'", "if (api.f()) g()"),
    "optional": ("f() { return !!chrome.tabs?.query }", "g(api.f())"),
    "in the layer": ("f: (o) => chrome.tabs && chrome.tabs.query(o)", "api.f({})"),
    "of a result": ("f: () => chrome.tabs", "if (api.f()) g()"),
    "of a result, before a use": ("f: () => chrome.tabs", "if (api.f()) api.f().query({})"),
    "of a result, by ?.": ("f: () => chrome.tabs", "api.f()?.query({})"),
    "of a member": ("get f() { return chrome.tabs }", "if (api.f) api.f.query({})"),
    "of a member, by ?.": ("get f() { return chrome.tabs }", "api.f?.query({})"),
}


@pytest.mark.parametrize(("member", "user"), TESTS_IN_A_LAYER.values(), ids=TESTS_IN_A_LAYER.keys())
@pytest.mark.parametrize(
    "layer", ["globalThis.api = { MEMBER }", "globalThis.api = globalThis.api || { MEMBER }"]
)
def test_test_of_a_member_in_a_layer_is_not_a_use(layer: str, member: str, user: str) -> None:
    assert found_in(layer.replace("MEMBER", member), user) == []


def test_other_use_of_a_layer_with_a_test_is_reported() -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "layer.js"}, options_ui={"page": "a.html"}),
        "a.html": "<script src=layer.js></script><script src=user.js></script>",
        "layer.js": "globalThis.api = { f: () => chrome.sidebarAction, g() {} }",
    }
    excused = ("if (api.f()) api.f().open()", "api.f()?.open()", "g(!!api.f())")
    reported = ("api.f().open()", "if (api.g()) api.f().open()", "if (!api.f()) api.f().open()")
    for use in (*excused, *reported):
        found = lint({**files, "user.js": use}, ["unknown-api"], "chrome")
        assert [each.path for each in found] == (["user.js"] if use in reported else []), use
    tested = "globalThis.api = { f: () => chrome.storage && chrome.tabs.query({}) }"
    assert found_in(tested, "api.f()") == [("user.js", "tabs.query")]


SHARED_TESTS = {
    "unless it exists": "globalThis.api = globalThis.api || { f: () => !!chrome.TESTED }",
    "of the window": "window.api ||= { f: () => !!chrome.TESTED }",
    "made by a function": (
        "globalThis.api = globalThis.api || (() => { const f = () => !!chrome.TESTED; return { f } })()"
    ),
    "assigned in parts": "window.api = window.api || {}; api.f = () => !!chrome.TESTED",
    "assigned to parts of the window": "window.api = window.api || {}; window.api.f = () => !!chrome.TESTED",
}


@pytest.mark.parametrize("layer", SHARED_TESTS.values(), ids=SHARED_TESTS.keys())
def test_layer_that_keeps_an_older_one_may_test(layer: str) -> None:
    use = "if (api.f()) chrome.tabs.query({})"
    assert found_in(layer.replace("TESTED", "tabs"), use) == []
    assert found_in(layer.replace("TESTED", "storage"), use) == [("user.js", "tabs.query")]
