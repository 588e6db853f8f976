"""Promises as conditions, and promises of a script's own `async` functions: `missing-await`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

CONTAINS = "chrome.permissions.contains({ permissions: ['tabs'] })"
LOAD = "async function load() { const { items } = await chrome.storage.local.get('items'); return items; }\n"


def found(source: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a background script."""
    background = {"service_worker": "b.js", "scripts": ["b.js"]}
    keys = {"background": background, "permissions": ["storage"], **keys}
    files = {"manifest.json": manifest(**keys), "b.js": source}
    return [text for _, text in reported(files, ["missing-await"], target)]


CONDITIONS: dict[str, tuple[str, list[str]]] = {
    "if": (f"if ({CONTAINS}) f();", [CONTAINS]),
    "negated": (f"if (!{CONTAINS}) f();", [CONTAINS]),
    "a choice": (f"const a = {CONTAINS} ? 1 : 2;", [CONTAINS]),
    "a loop": (f"while ({CONTAINS}) f();", [CONTAINS]),
    "and": (f"if (a && {CONTAINS}) f();", [CONTAINS]),
    "first of two": (f"if ({CONTAINS} && a) f();", [CONTAINS]),
    "or": (f"if ({CONTAINS} || a) f();", [CONTAINS]),
    "returned": (f"const g = () => {CONTAINS} && f();", [CONTAINS]),
    "as a boolean": (f"const is = !!{CONTAINS};", [CONTAINS]),
    "by a name": (f"const has = {CONTAINS};\nif (has) f();", ["has"]),
    "by a name that is negated": (f"const has = {CONTAINS};\nif (!has) f();", ["has"]),
    "in a listener": (f"chrome.tabs.onCreated.addListener(() => {{ if ({CONTAINS}) f(); }});", [CONTAINS]),
    "in an asynchronous function": (f"(async () => {{ if ({CONTAINS}) await f(); }})();", [CONTAINS]),
    "stored data": ("if (chrome.storage.local.get('a')) f();", ["chrome.storage.local.get('a')"]),
    "an alias": (
        "const { permissions } = chrome;\nif (permissions.contains({})) f();",
        ["permissions.contains({})"],
    ),
    "awaited": (f"(async () => {{ if (await {CONTAINS}) f(); }})();", []),
    "awaited by a name": (f"(async () => {{ const has = await {CONTAINS}; if (has) f(); }})();", []),
    "in then": (f"{CONTAINS}.then((has) => {{ if (has) f(); }});", []),
    "with a callback": ("if (chrome.permissions.contains({ permissions: ['tabs'] }, f)) g();", []),
    "kept until it is there": (
        "let kept;\nfunction g() { if (!kept) kept = chrome.storage.local.get(); return kept; }",
        [],
    ),
    "one that may be missing": (f"const p = a ? {CONTAINS} : null;\nif (p) f();", []),
    "one that is replaced": (f"let p = {CONTAINS};\np = other();\nif (p) f();", []),
    "a test for a promise": (f"const p = {CONTAINS};\nif (p && p.then) p.then(f);", []),
    "a test for its class": (f"const p = {CONTAINS};\nif (p instanceof Promise) p.then(f);\nif (p) f();", []),
    "a test whether there is a promise": (
        f"const p = {CONTAINS};\nif (!p) f(); else p.then(g).catch(h);",
        [],
    ),
    "the same, before the function is left": (
        f"function g(x, done) {{ const p = {CONTAINS}; if (!p) {{ f(done); return; }} p.then(done); }}",
        [],
    ),
    "a test of a promise that is awaited": (
        f"(async () => {{ const p = {CONTAINS}; if (p) await p; }})();",
        [],
    ),
    "a test of a promise that is returned": (
        f"function g() {{ const p = {CONTAINS}; if (p) return p; return new Promise(f); }}",
        [],
    ),
    "a test of one promise and the use of another": (
        f"const p = {CONTAINS};\nif (p) f();\n{CONTAINS}.finally(f);",
        ["p"],
    ),
    "a promise that is passed on": (f"const p = {CONTAINS};\nif (p) f(p);", ["p"]),
    "a statement": (f"{CONTAINS} && f();", []),
    "a value that is no promise": ("if (chrome.runtime.getManifest()) f();", []),
    "a text": ("if (chrome.i18n.getMessage('a')) f();", []),
    "a member that is tested": ("if (chrome.permissions.contains) f();", []),
    "a branch that never runs": (f"if (false) {{ if ({CONTAINS}) f(); }}", []),
}


@pytest.mark.parametrize(("source", "expected"), CONDITIONS.values(), ids=CONDITIONS.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_promise_as_a_condition_is_reported(source: str, expected: list[str], target: str) -> None:
    assert found(source, target) == expected


def test_call_without_a_promise_is_not_reported() -> None:
    version_2 = {"manifest_version": 2, "background": {"scripts": ["b.js"]}}
    assert found(f"if ({CONTAINS}) f();", "firefox", **version_2) == []
    source = f"if ({CONTAINS.replace('chrome', 'browser')}) f();"
    assert found(source, "firefox", **version_2) == [CONTAINS.replace("chrome", "browser")]


OWN: dict[str, tuple[str, list[str]]] = {
    "a method": ("const items = load();\nitems.push(1);", ["push"]),
    "at once": ("load().forEach(f);", ["forEach"]),
    "its length": ("const count = load().length;", ["length"]),
    "an item": ("f(load()[0]);", ["0"]),
    "a loop": ("for (const each of load()) f(each);", ["load()"]),
    "in parts": ("const { theme } = load();\nf(theme);", ["theme"]),
    "the first item": ("const [first] = load();\nf(first);", ["[first]"]),
    "a condition": ("if (load()) f();", ["load()"]),
    "a condition by its name": ("const is = load();\nif (!is) f();", ["is"]),
    "in a listener": (
        "chrome.tabs.onCreated.addListener(() => { const a = load(); f(a.length); });",
        ["length"],
    ),
    "twice": ("const a = load();\nf(a.x);\nf(a.y);", ["x", "y"]),
    "awaited": ("(async () => { const items = await load(); items.push(1); })();", []),
    "awaited later": ("(async () => { const items = load(); (await items).push(1); })();", []),
    "in then": ("load().then((items) => items.push(1));", []),
    "with errors": ("load().catch(f).finally(g);", []),
    "by its name": ("const items = load();\nitems.then(f);", []),
    "an own property": ("const job = load();\njob.stop = f;\njob.stop();", []),
    "what every object has": ("f(load().toString());", []),
    "passed on": ("f(load());", []),
    "in a list": ("Promise.all([load()]).then(f);", []),
    "may be another value": ("const items = a ? load() : [];\nitems.push(1);", []),
    "kept until it is there": ("let kept;\nconst g = () => { if (!kept) kept = load(); return kept; };", []),
    "a parameter of the same name": ("const g = (load) => load().push(1);", []),
    "both read and used as a promise": ("const a = load();\nf(a.x);\na.then(g);", ["x"]),
    "tested for a promise": (
        "const a = load();\nif (typeof a.then === 'function') a.then(f); else a.push(1);",
        [],
    ),
}


@pytest.mark.parametrize(("source", "expected"), OWN.values(), ids=OWN.keys())
def test_promise_of_an_own_function_is_reported(source: str, expected: list[str]) -> None:
    assert found(LOAD + source) == expected


FUNCTIONS: dict[str, tuple[str, bool]] = {
    "a declaration": ("async function load() { return fetch('/a'); }", True),
    "an arrow function": ("const load = async () => [];", True),
    "a function expression": ("const load = async function () { return []; };", True),
    "without a result": ("async function load() { await f(); }", True),
    "not asynchronous": ("function load() { return []; }", False),
    "a generator": ("async function* load() { yield 1; }", False),
    "one of two": ("let load = async () => [];\nif (a) load = () => [];", False),
    "one that is replaced": ("async function load() {}\nload = other;", False),
    "wrapped": ("const load = sync(async () => []);", False),
}


@pytest.mark.parametrize(("function", "is_async"), FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_only_asynchronous_functions_count(function: str, is_async: bool) -> None:
    source = f"{function}\nconst items = load();\nitems.push(1);\nchrome.runtime.id;"
    assert found(source) == (["push"] if is_async else [])


def test_script_that_nothing_loads_is_not_reported() -> None:
    source = "async function load() { await chrome.tabs.query({}); }\nload().push(1);"
    files = {"manifest.json": manifest(), "tool.js": source}
    assert reported(files, ["missing-await"], "chrome") == []


def test_message_names_the_function() -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "b.js"}),
        "b.js": f"{LOAD}if (load()) f();",
    }
    (finding,) = lint(files, ["missing-await"], "chrome")
    assert finding.message == "`load` returns a promise, which is always true"
