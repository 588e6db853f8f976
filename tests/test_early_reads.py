"""Variables that are read before the callback that sets them: `missing-value`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "missing-value"
GET = "chrome.storage.local.get('k'"
SET = f"{GET}, (v) => {{ x = v.k; }});"


def files(source: str) -> dict[str, str]:
    keys = {"background": {"service_worker": "b.js"}, "permissions": ["storage", "tabs"]}
    return {"manifest.json": manifest(**keys), "b.js": source}


REPORTED = {
    "a returned variable": f"function f() {{ let x; {SET} return x; }} f();",
    "a field": f"let x; {SET} use(x.y);",
    "an item": f"let x; {SET} use(x[0]);",
    "a stored variable": f"let x; {SET} self.it = x;",
    "a template": f"let x; {SET} use(`a ${{x}}`);",
    "a function": f"var f = function () {{ var x; {GET}, function (v) {{ x = v; }}); return x; }}; f();",
    "a promise": f"let x; {GET}).then((v) => {{ x = v; }}); use(x.y);",
    "a chain": f"let x; {GET}).then((v) => v.k).then((k) => (x = k)).catch(log); use(x.y);",
    "a listener": "let x; chrome.tabs.onCreated.addListener((tab) => { x = tab; }); use(x.id);",
    "two callbacks": f"let x; {SET} {SET} use(x.y);",
    "a nested callback": f"let x; {GET}, (v) => v.list.forEach((each) => {{ x = each; }})); use(x.y);",
    "under a condition": f"let x; if (a) {{ {SET} }} use(x.y);",
}


@pytest.mark.parametrize("source", REPORTED.values(), ids=REPORTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_reported(source: str, target: str) -> None:
    described = {**files(source), "manifest.json": manifest(background={"scripts": ["b.js"]})}
    found = reported(files(source) if target == "chrome" else described, [RULE], target)
    assert found == [(RULE, "x")]


SILENT = {
    "a value at first": f"let x = 1; {SET} use(x.y);",
    "another write": f"let x; x = {{}}; {SET} use(x.y);",
    "a write in another function": f"let x; function g() {{ x = 1; }} g(); {SET} use(x.y);",
    "a read in the callback": f"let x; {GET}, (v) => {{ x = v; use(x.y); }});",
    "a read in another function": f"let x; {SET} self.f = () => x.y;",
    "a wait": f"async function f() {{ let x; {SET} await g(); return x; }} f();",
    "a wait at the top": f"let x; {SET} await g(); use(x.y);",
    "a test": f"let x; {SET} if (x) use(x.y);",
    "an optional field": f"let x; {SET} use(x?.y);",
    "a fallback": f"let x; {SET} self.it = x ?? 1;",
    "an argument": f"let x; {SET} use(x);",
    "a read before": f"let x; use(x.y); {SET}",
    "an executor": f"let x; const p = new Promise((r) => {{ x = r; }}); {GET}, () => x()); x.y;",
    "an array method": f"let x; [1].forEach((v) => {{ x = v; }}); {GET}, log); use(x.y);",
    "an own function": f"let x; later((v) => {{ x = v; }}); {GET}, log); use(x.y);",
    "a timer": f"let x; setTimeout(() => {{ x = 1; }}); {GET}, log); use(x.y);",
    "a variable of all scripts": f"var x; {SET} use(x.y);",
    "a parameter": f"function f(x) {{ {SET} return x; }} f();",
    "an inner variable": f"let x; {GET}, (v) => {{ let x; x = v; }}); use(x.y);",
}


@pytest.mark.parametrize("source", SILENT.values(), ids=SILENT.keys())
def test_silent(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


LOST = "function f() { chrome.storage.local.get('k', (v) => { return v.k; }); }"
USED = {
    "a variable": "const x = f();",
    "a variable after a wait": "async function g() { const x = await f(); } g();",
    "an argument": "use(f());",
    "a field": "self.it = f();",
    "a comparison": "if (f() === 1) use();",
    "a result": "function g() { return f(); } use(g());",
}


@pytest.mark.parametrize("source", USED.values(), ids=USED.keys())
def test_result_of_function_around_callback(source: str) -> None:
    assert reported(files(f"{LOST} {source}"), [RULE], "chrome") == [(RULE, "f")]


CALLBACK = "chrome.storage.local.get('k', (v) => { return v.k; })"
UNUSED = {
    "no use of the result": f"{LOST} f();",
    "a wait only": f"{LOST} async function g() {{ await f(); }} g();",
    "a result": f"function f() {{ return {CALLBACK}; }} const x = f();",
    "another result": f"function f() {{ {CALLBACK}; return 1; }} const x = f();",
    "a short function": f"const f = () => {CALLBACK}; const x = f();",
    "no value": f"function f() {{ {CALLBACK.replace('v.k', '')}; }} const x = f();",
    "a call": f"function f() {{ {CALLBACK.replace('v.k', 'use(v)')}; }} const x = f();",
    "a listener": "function f() { chrome.tabs.onCreated.addListener((v) => { return v.k; }); } use(f());",
    "an executor": f"function f() {{ new Promise((r) => {CALLBACK}); }} const x = f();",
}


@pytest.mark.parametrize("source", UNUSED.values(), ids=UNUSED.keys())
def test_result_that_is_not_lost(source: str) -> None:
    assert reported(files(source), [RULE], "chrome") == []


def test_message_about_result() -> None:
    [found] = lint(files(f"{LOST} const x = f();"), [RULE], "chrome")
    assert found.message == "`f` returns nothing: what the callback of `storage.local.get` returns is lost"


def test_message() -> None:
    [found] = lint(files(f"let x; {SET} use(x.y);"), [RULE], "chrome")
    assert (
        found.message == "`x` is still undefined here: only code that `storage.local.get` calls later sets it"
    )
    assert found.help == "use the value in the callback, or `await` the promise"
