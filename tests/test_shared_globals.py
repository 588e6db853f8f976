"""The API and other values in globals that the scripts of one realm share."""

from __future__ import annotations

import pytest
from harness import lint, manifest, text_under

from extlint.analysis.facts.context import Context, ContextKind, LoadStep
from extlint.project.contexts.script import LaidOutScript, Layout, shared_realms

USE = "api.management.getAll();"


def background_manifest(*names: str) -> str:
    return manifest(background={"scripts": list(names)}, optional_permissions=["management"])


def api_findings(files: dict[str, str]) -> list[tuple[str, str]]:
    """Returns the file and the source text of each finding about the API."""
    rules = ("unsupported-api", "invalid-argument", "callback-parameters")
    return [(each.path, text_under(files, each)) for each in lint(files, rules)]


SCRIPTS = {
    "a variable of another script": (["const api = globalThis.browser ?? chrome;", USE], USE[:-3]),
    "a property of the global object": (["window.api = chrome;", USE], USE[:-3]),
    "a bare assignment": (["api = chrome;", USE], USE[:-3]),
    "one that is read through the global object": (["var api = chrome;", "self." + USE], "self." + USE[:-3]),
    "a namespace of the API": (["var m = chrome.management;", "m.getAll();"], "m.getAll"),
    "a part of a pattern": (["const { management: m } = chrome;", "m.getAll();"], "m.getAll"),
    "an alias of an alias": (["var x = chrome;", "var y = x.management;", "y.getAll();"], "y.getAll"),
    "an object that holds the API": (["var app = { api: chrome };", "app." + USE], "app." + USE[:-3]),
    "an object that every script prepares": (
        ["var app = app || {}; app.api = chrome;", "var app = app || {}; app." + USE],
        "app." + USE[:-3],
    ),
    "an object that another script fills": (
        ["var app = {};", "app.api = chrome;", "function f() { app." + USE + " }"],
        "app." + USE[:-3],
    ),
    "an object inside such an object": (
        ["window.app = { lib: {} };", "app.lib.api = chrome;", "app.lib." + USE],
        "app.lib." + USE[:-3],
    ),
    "a root that falls back to the other": (
        ["var browser = window.browser || window.chrome;", "browser.management.getAll();"],
        "browser.management.getAll",
    ),
    "a root that is replaced only where it is missing": (
        ["if (!window.browser) { window.browser = makeOne(); }", "browser.management.getAll();"],
        "browser.management.getAll",
    ),
    "a function that returns the API": (
        ["function api() { return globalThis.browser ?? chrome; }", "api().management.getAll();"],
        "api().management.getAll",
    ),
    "an arrow function in a variable": (
        ["const api = () => chrome;", "api().management.getAll();"],
        "api().management.getAll",
    ),
    "a function that is assigned to a property": (
        ["window.api = function () { return chrome; };", "api().management.getAll();"],
        "api().management.getAll",
    ),
    "a method of an object": (
        ["const app = { api() { return chrome; } };", "app.api().management.getAll();"],
        "app.api().management.getAll",
    ),
    "a function in an object": (
        ["const app = { api: () => chrome };", "app.api().management.getAll();"],
        "app.api().management.getAll",
    ),
    "a getter of an object": (
        ["const app = { get api() { return chrome; } };", "app." + USE],
        "app." + USE[:-3],
    ),
    "a static method of a class": (
        ["class App { static api() { return chrome; } }", "App.api().management.getAll();"],
        "App.api().management.getAll",
    ),
    "a getter of an instance": (
        ["class App { get api() { return chrome; } } const app = new App();", "app." + USE],
        "app." + USE[:-3],
    ),
    "a name that another script merely has for itself": (
        ["var api = chrome;", "function f() { var api = 1; }", USE],
        USE[:-3],
    ),
}


@pytest.mark.parametrize(("scripts", "member"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_last_script_uses_the_api_from_a_shared_global(scripts: list[str], member: str) -> None:
    names = [f"{at}.js" for at in range(len(scripts))]
    files = {"manifest.json": background_manifest(*names), **dict(zip(names, scripts, strict=True))}

    assert api_findings(files) == [(names[-1], member)]


UNDECIDED = {
    "another script puts something else there": ["var api = chrome;", "api = makeOne();", USE],
    "another script replaces the function": [
        "function api() { return chrome; }",
        "api = makeOne();",
        "api().management.getAll();",
    ],
    "the function returns something else, too": [
        "function api(a) { return a ? chrome : makeOne(); }",
        "api().management.getAll();",
    ],
    "the function returns a parameter": [
        "function api(a = chrome) { return a; }",
        "api(other).management.getAll();",
    ],
    "a setter may replace what the getter returns": [
        "const app = { get api() { return chrome; }, set api(value) { keep(value); } };",
        "app." + USE,
    ],
    "another script replaces a root": ["var browser = { management: {} };", "browser.management.getAll();"],
    "a local of the same name": ["var api = chrome;", "function f(api) { " + USE + " }"],
    "a variable of its own function": ["(function () { var api = chrome; })();", USE],
    "a variable of a module": ["var api = chrome; export {};", USE],
    "a property of another object": ["var api = chrome;", "other." + USE],
}


@pytest.mark.parametrize("scripts", UNDECIDED.values(), ids=UNDECIDED.keys())
def test_ambiguous_global_is_not_reported(scripts: list[str]) -> None:
    names = [f"{at}.js" for at in range(len(scripts))]
    files = {"manifest.json": background_manifest(*names), **dict(zip(names, scripts, strict=True))}

    assert api_findings(files) == []


ASK = "chrome.management.uninstallSelf(options);"
OTHERS = {
    "no other script names it": ("let options = { showConfirmDialog: 1 };", "let choices;", ["1"]),
    "another script assigns to it": ("let options = { showConfirmDialog: 1 };", "options = {};", []),
    "another script assigns to a part of it": (
        "const options = { showConfirmDialog: 1 };",
        "options.showConfirmDialog = true;",
        [],
    ),
    "a constant with a primitive value": ('const options = "now";', "console.log(options);", ["options"]),
    "a variable with a primitive value": ('let options = "now";', "options = {};", []),
    "another script has a local of that name": (
        "let options = { showConfirmDialog: 1 };",
        "function f() { let options; }",
        [],
    ),
}


@pytest.mark.parametrize(("first", "second", "expected"), OTHERS.values(), ids=OTHERS.keys())
def test_global_that_other_scripts_may_change_is_unknown(
    first: str, second: str, expected: list[str]
) -> None:
    source = f"{first} function later() {{ {ASK} }}"
    files = {"manifest.json": background_manifest("a.js", "b.js"), "a.js": source, "b.js": second}

    assert [text for _, text in api_findings(files)] == expected


def test_callback_that_other_scripts_may_call_is_not_reported() -> None:
    own = "function show(self, more) { log(more); } chrome.management.getSelf(show);"
    unshared = {"manifest.json": background_manifest("a.js"), "a.js": own}
    shared = {"manifest.json": background_manifest("a.js", "b.js"), "a.js": own, "b.js": "show(me, 1);"}

    assert (api_findings(unshared), api_findings(shared)) == ([("a.js", "more")], [])


REALMS = {
    "the scripts of a page": {
        "manifest.json": manifest(options_page="p.html", optional_permissions=["management"]),
        "p.html": "<script>var api = chrome;</script><script src=a.js></script>",
        "a.js": USE,
    },
    "the content scripts of several entries": {
        "manifest.json": manifest(
            content_scripts=[
                {"matches": ["<all_urls>"], "js": ["b.js"]},
                {"matches": ["<all_urls>"], "js": ["a.js"]},
            ]
        ),
        "b.js": "var api = chrome;",
        "a.js": "api.test.assertBool(1, true);",
    },
    "imports of the modules in a page": {
        "manifest.json": manifest(options_page="p.html", optional_permissions=["management"]),
        "p.html": "<script type=module src=b.js></script><script src=a.js></script>",
        "b.js": 'import "./c.js";',
        "c.js": "window.api = chrome;",
        "a.js": "function f() { " + USE + " }",
    },
    "scripts imported by a service worker": {
        "manifest.json": manifest(background={"service_worker": "a.js"}, optional_permissions=["management"]),
        "b.js": "self.api = chrome;",
        "a.js": 'importScripts("b.js"); ' + USE,
    },
}


@pytest.mark.parametrize("files", REALMS.values(), ids=REALMS.keys())
def test_scripts_of_one_realm_share_globals(files: dict[str, str]) -> None:
    assert {path for path, _ in api_findings(files)} == {"a.js"}


SEPARATE_REALMS = {
    "two pages": {
        "manifest.json": manifest(options_page="p.html", action={"default_popup": "q.html"}),
        "p.html": "<script src=b.js></script>",
        "q.html": "<script src=a.js></script>",
    },
    "a page and the background": {
        "manifest.json": manifest(options_page="p.html", background={"scripts": ["b.js"]}),
        "p.html": "<script src=a.js></script>",
    },
}


@pytest.mark.parametrize("files", SEPARATE_REALMS.values(), ids=SEPARATE_REALMS.keys())
def test_scripts_of_different_realms_share_nothing(files: dict[str, str]) -> None:
    assert api_findings({**files, "b.js": "var api = chrome;", "a.js": USE}) == []


REPLACED = {
    "a variable": "let browser = fake;",
    "a class": "class browser {}",
    "the globals are not touched": "",
}


@pytest.mark.parametrize("first", REPLACED.values(), ids=REPLACED.keys())
def test_module_reexports_an_api_replaced_by_a_script_of_the_page(first: str) -> None:
    files = {
        "manifest.json": manifest(options_page="p.html", optional_permissions=["management"]),
        "p.html": "<script src=a.js></script><script type=module src=b.js></script>",
        "a.js": first,
        "b.js": 'import { api } from "./c.js"; api.management.getAll();',
        "c.js": 'export * from "./d.js";',
        "d.js": "export const api = browser;",
    }

    assert bool(api_findings(files)) is not bool(first)
    files["c.js"] = 'import "./b.js"; export const api = browser;'
    assert bool(api_findings(files)) is not bool(first)


INLINE = {
    "one replaces the API": ("let browser = {}", []),
    "one changes what another uses": ("v = {}", ["browser.management.getAll"]),
    "one shares the API": ("var api = browser", ["v", "browser.management.getAll", "api.management.getAll"]),
}


@pytest.mark.parametrize(("first", "expected"), INLINE.values(), ids=INLINE.keys())
def test_inline_scripts_of_an_unreachable_page_share_a_realm(first: str, expected: list[str]) -> None:
    second = "var v = 1; f = () => browser.management.uninstallSelf(v); browser.management.getAll()"
    page = f"<script>{first}</script><script>{second}</script><script>api.management.getAll()</script>"
    files = {"manifest.json": manifest(optional_permissions=["management"]), "p.html": page}

    assert [text for _, text in api_findings(files)] == expected


def test_script_files_of_an_unreachable_page_share_a_realm() -> None:
    files = {
        "manifest.json": manifest(optional_permissions=["management"]),
        "p.html": "<script src=a.js></script><script src=b.js></script><script src=none.js></script>",
        "a.js": "var browser = make(), api = chrome;",
        "b.js": "browser.management.getAll(); api.management.getAll()",
    }

    assert api_findings(files) == [("b.js", "api.management.getAll")]


def test_script_of_two_pages_is_in_both_realms() -> None:
    def on(*pages: str) -> tuple[Context, ...]:
        return tuple(Context(ContextKind.EXTENSION_PAGE, LoadStep(page, (0, 0), "")) for page in pages)

    scripts = (
        LaidOutScript("a.js", None, on("p.html"), False),
        LaidOutScript("b.js", None, on("p.html", "q.html"), False),
        LaidOutScript("c.js", None, on("q.html"), False),
    )

    assert shared_realms(Layout(scripts, ())) == (
        (("a.js", None), ("b.js", None)),
        (("b.js", None), ("c.js", None)),
    )
