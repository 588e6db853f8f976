"""Counts of calls while a package is checked: no script is parsed or analyzed more often than necessary."""

from __future__ import annotations

from collections import Counter

import pytest
from curves.work import calls_by_function
from harness import Files, manifest

PARSES = "parse.py:parse"
EXPORTS = "exports.py:exports_of"
ANALYSES = "analyze.py:analyze"


def work(files: Files) -> Counter[str]:
    """Returns the calls of each function while a package is checked for two browsers, with all rules."""
    return calls_by_function({path: str(text) for path, text in files.items()}, builtins=False)


def with_background(files: dict[str, str], **keys: object) -> Files:
    """Returns a package whose background is the module `a.js`."""
    background = {"service_worker": "a.js", "type": "module"}
    return {"manifest.json": manifest(background=background, **keys), **files}


def with_scripts(*scripts: str) -> Files:
    """Returns a package whose background has several scripts."""
    files = {
        f"{at}.js": text.replace("USE", "browser.management.getSelf()") for at, text in enumerate(scripts)
    }
    return {"manifest.json": manifest(manifest_version=2, background={"scripts": [*files]}), **files}


def with_pages(script: str) -> Files:
    """Returns a package whose three pages load similar large scripts."""
    keys = {"action": {"default_popup": "b.html"}, "options_page": "c.html", "devtools_page": "d.html"}
    pages = {f"{name}.html": f'<script src="{name}.js"></script>' for name in "bcd"}
    large = "/*! a bundle" + "-" * 700_000 + "*/chrome.runtime.id;" + script
    return {
        "manifest.json": manifest(**keys),
        **pages,
        **{f"{name}.js": f"var {name}1;{large}" for name in "bcd"},
    }


def with_modules(count: int) -> Files:
    """Returns modules that each import the next. The first imports all of them."""
    files = {"a.js": "".join(f'import {{ f{at} }} from "./m{at}.js"; f{at}();' for at in range(count))}
    for at in range(count):
        later = f'import {{ f{at + 1} }} from "./m{at + 1}.js"; ' if at + 1 < count else ""
        files[f"m{at}.js"] = f"{later}export function f{at}() {{ return chrome.management.getSelf(); }}"
    return with_background(files)


USE = 'import { own } from "./b.js"; own.getSelf();'
API = "export const own = chrome.management; own.getSelf();"
LINE = f'import "./b.js";{"f();" * 200}'

COUNTS: dict[str, tuple[Files, str, int]] = {
    "exports that nothing imports": (with_background({"a.js": API}), EXPORTS, 0),
    "exports that a module imports": (with_background({"a.js": USE, "b.js": API}), EXPORTS, 1),
    "exports that two import": (
        with_background({"a.js": f'import "./c.js"; {USE}', "b.js": API, "c.js": USE}),
        EXPORTS,
        1,
    ),
    "exports of modules in a chain": (with_modules(8), EXPORTS, 8),
    "modules in a chain": (with_modules(8), PARSES, 9),
    "scripts that only load others": (
        with_background(
            {"a.js": 'import "./b.js";', "b.js": 'export * from "./c.js";', "c.js": 'console.log("d.html")'}
        ),
        PARSES,
        3,
    ),
    "one that names the API in a string of a long line": (
        with_background({"a.js": f'{LINE}f("as chrome.tabs.query() does");', "b.js": ""}),
        PARSES,
        1,
    ),
    "one that calls it in a long line": (
        with_background({"a.js": f"{LINE}chrome.tabs.query({{}});", "b.js": ""}),
        PARSES,
        2,
    ),
    "one whose brackets do not match, which the other grammar explains": (
        with_background({"a.js": 'import "./b.js"; f(', "b.js": ""}),
        PARSES,
        3,
    ),
    "large ones with unused code": (
        with_pages("function f() { clients.claim(); eval(a); require('z') }"),
        PARSES,
        3,
    ),
    "large ones with code for a worker": (
        with_pages("if (typeof WorkerGlobalScope == 'function') { importScripts('z.js'); eval(a) }"),
        PARSES,
        3,
    ),
    "large ones with texts like code": (
        with_pages("log('\\n;import z', 'import.meta', 'new Function(a)', `setTimeout('z')`)"),
        PARSES,
        3,
    ),
    "a variable that others name": (
        with_scripts("const state = { on: 1 };\nif (state.on) USE", "state.on = false; USE"),
        ANALYSES,
        2,
    ),
    "a function that others call": (
        with_scripts("function show(own) { USE }\nshow(1);", "show(2); USE"),
        ANALYSES,
        2,
    ),
    "a property that another assigns the API to": (
        with_scripts(
            "var all = { own: browser };\nif (all.other) all.own.management.getSelf()",
            "all.other = chrome; USE",
        ),
        ANALYSES,
        4,
    ),
    "a script that reads a global of another, and its importers": (
        with_background(
            {
                "popup.html": '<script src="own.js"></script><script src="c.js" type="module"></script>',
                "own.js": "var api = chrome.management;",
                "a.js": 'import { b } from "./b.js"; b(chrome);',
                "b.js": 'import { c } from "./c.js"; export function b() { return c(); }',
                "c.js": "api.getSelf(); export function c() { return chrome.runtime.id; }",
            },
            action={"default_popup": "popup.html"},
        ),
        ANALYSES,
        6,
    ),
}


@pytest.mark.parametrize(("files", "function", "times"), COUNTS.values(), ids=COUNTS)
def test_function_is_called_only_as_often_as_necessary(files: Files, function: str, times: int) -> None:
    assert work(files)[function] == times


CYCLES = {
    "functions that call one another": (
        "function f{own}(m) {{ {calls} chrome.sidePanel.open({{ tabId: 1 }}); window.x(); }}",
        "f{at}(m);",
        "chrome.runtime.onMessage.addListener((m) => f0(m));",
    ),
    "functions that pass functions on to one another": (
        "function f{own}(m) {{ {calls} m(); chrome.sidePanel.open({{ tabId: 1 }}); }}",
        "f{at}(m); f{at}(f{own});",
        "f0(() => window.x());",
    ),
    "functions that run one another later": (
        "async function f{own}() {{ {calls} await 1; chrome.sidePanel.open({{ tabId: 1 }}); window.x(); }}",
        "setTimeout(f{at}); g().then(f{at});",
        "chrome.action.onClicked.addListener(f0);",
    ),
}


@pytest.mark.parametrize(("function", "call", "first"), CYCLES.values(), ids=CYCLES)
def test_function_cycles_take_few_evaluations_of_each_function(function: str, call: str, first: str) -> None:
    """Each function calls all others."""
    names = range(6)
    lines = [
        function.format(own=own, calls=" ".join(call.format(at=at, own=own) for at in names if at != own))
        for own in names
    ]
    done = work(with_background({"a.js": "\n".join([*lines, first])}, permissions=["sidePanel"]))
    assert len(names) <= done["paths.py:_evaluate"] <= 3 * len(names) ** 2


def test_methods_that_call_one_another_across_scripts_are_searched_once() -> None:
    """Each script has methods that call those of the others by name, in cycles."""
    names = [f"send{number}" for number in range(8)]
    methods = ", ".join(f"{name}(o) {{ {' '.join(f'o.{each}();' for each in names)} }}" for name in names)
    scripts = {f"{number}.js": f"const o{number} = {{ {methods} }};" for number in range(8)}
    scripts["0.js"] += "o0.own = { send0() { browser.management.getAll(); } };"
    pages = "".join(f"<script src={path}></script>" for path in scripts)
    done = work(
        {"manifest.json": manifest(action={"default_popup": "popup.html"}), "popup.html": pages, **scripts}
    )
    assert 0 < done["callers.py:_callers_in"] <= len(names) * len(scripts) * len(names)


def test_syntax_tree_is_freed_without_a_garbage_collector() -> None:
    import gc

    from extlint.analysis.facts.other_scripts import NOTHING_SHARED, Demand, no_modules
    from extlint.analysis.follow import follow, own_exports
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.syntax.prefilter import candidates

    text = b"""
    import { b } from "./b.js";
    export class Tabs { get all() { return this.is_firefox ? browser.tabs : chrome.tabs; } }
    export function is_firefox() { if (!navigator.userAgent.includes("Firefox")) return false; return b(); }
    export const tabs = new Tabs();
    if (is_firefox()) { tabs.all.query({}).then((found) => found.map((tab) => tab.ttle)); }
    """
    gc.freeze()  # earlier objects do not matter
    gc.disable()
    try:
        before = sum(isinstance(each, Node) for each in gc.get_objects())
        facts = follow(text, "a.js", candidates(text), no_modules, NOTHING_SHARED, Demand.ALL)
        assert {"Tabs", "is_firefox", "tabs"} <= {*facts.exports}
        own_exports(text, "a.js", no_modules, NOTHING_SHARED)
        assert sum(isinstance(each, Node) for each in gc.get_objects()) == before
    finally:
        gc.enable()
