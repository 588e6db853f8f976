"""Functions converted to text, which run in a different world from their script."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

USE = "browser.windows.getAll()"
RUNS = "() => USE"


def count_findings(source: str, **others: str) -> int:
    """Returns the number of uses reported in content scripts; `b_js` is the file `b.js`."""
    scripts = {"a.js": source, **{name.replace("_", "."): text for name, text in others.items()}}
    files: Files = {name: text.replace("RUNS", RUNS).replace("USE", USE) for name, text in scripts.items()}
    matched = {"matches": ["https://*/*"], "js": list(files)}
    findings = lint(
        {"manifest.json": manifest(content_scripts=[matched]), **files}, ["wrong-context"], "firefox"
    )
    return sum(each.api == "windows.getAll" for each in findings)


STRINGIFIED = {
    "String": "send(String(RUNS))",
    "toString": "send((RUNS).toString())",
    "toString of what may be there": "const f = RUNS; send(f?.toString())",
    "toString of Function": "send(Function.prototype.toString.call(RUNS))",
    "a template": "send(`(${RUNS})()`)",
    "a sum": "send('(' + (RUNS) + ')()')",
    "a sum with nothing": "const f = RUNS; send(f + '')",
    "added to a text": "let code = ''; code += RUNS; send(code)",
    "JSON": "send(JSON.stringify(RUNS))",
    "a list that is joined": "send(['(', RUNS, ')()'].join(''))",
    "concat": "send('('.concat(RUNS, ')()'))",
    "a blob": "new Worker(URL.createObjectURL(new Blob(['(', RUNS, ')()'])))",
    "encoded": "open('data:text/javascript,' + encodeURIComponent('(' + (RUNS) + ')()'))",
    "code of an injection": "browser.tabs.executeScript({ code: '(' + (RUNS) + ')()' })",
    "the function itself as code": "browser.tabs.executeScript({ code: RUNS })",
    "a function expression": "send(String(function () { USE }))",
    "a declaration": "function f() { USE } send(String(f))",
    "a declaration that is only looked at besides": (
        "function f() { USE } if (typeof f === 'function' && f.name) send(String(f))"
    ),
    "a method": "const o = { f() { USE } }; send(String(o.f))",
    "an inner function": "send(String(() => { later(() => USE) }))",
    "two ways as text": "function f() { USE } send(String(f)); send(`${f}`)",
    "a variable on the way": "const e = (f) => { const g = f; send(String(g)) }; e(RUNS)",
    "text if it is a function": (
        "function e(f) { const code = typeof f === 'function' ? `(${f})()` : f;"
        " browser.tabs.executeScript({ code }) } e(RUNS)"
    ),
}
"""The function is converted to text and runs in an unknown context."""

HELPERS = {
    "a function": "function e(f, args) { return send({ func: f.toString(), args }) }",
    "an arrow function": "const e = (f) => send(`(${f})()`)",
    "one that prints it": "function e(f) { console.log(f); send(String(f)) }",
    "two levels": "function e(f) { return g(1, f) } function g(n, f) { return send(String(f)) }",
    "one that looks at it": "function e(f) { if (typeof f !== 'function') throw f.name; send(f + '') }",
    "a default": "function e(f = () => 0) { send(String(f)) }",
    "its variable gets the text": "function e(f) { f = `(${f})()`; send(f) }",
    "its variable gets the text of functions": (
        "function e(f) { if (typeof f === 'function') f = `(${f})()`; send(f) }"
    ),
    "values other than functions are sent unchanged": (
        "function e(f) { if (typeof f === 'function') send(String(f)); else send(f) }"
    ),
    "recursive": "function e(f, n) { if (n) return e(f, n - 1); send(String(f)) }",
}
"""Functions of the package that convert their argument to text."""


@pytest.mark.parametrize("source", STRINGIFIED.values(), ids=STRINGIFIED.keys())
def test_stringified_function_is_not_reported(source: str) -> None:
    assert count_findings(source + "; USE") == 1


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS.keys())
def test_function_stringified_by_helper_is_not_reported(helper: str) -> None:
    also_runs = (
        helper.replace("{", "{ f();", 1) if "{" in helper.split("=>")[0] else f"{helper}; e = (f) => f()"
    )
    for call in ("e(RUNS)", "e(function () { USE })", "function f() { USE } e(f)"):
        assert count_findings(f"{helper}; {call}; USE") == 1
        assert count_findings(f"{also_runs}; {call}")


MAY_RUN_HERE = {
    "nothing": "USE",
    "a function that is called": "const f = RUNS; f()",
    "a function that is called and made text": "const f = RUNS; f(); send(String(f))",
    "a function passed to an unknown function": "handle(RUNS)",
    "passed to an unknown function and converted to text": "function f() { USE } handle(f); send(String(f))",
    "to a helper and to unknown code": "const e = (f) => { send(String(f)); handle(f) }; e(RUNS)",
    "a helper that keeps it": "const e = (f) => { send(String(f)); this.f = f }; e(RUNS)",
    "a helper that gives it back": "const e = (f) => { send(String(f)); return f }; e(RUNS)()",
    "a helper that takes another's text": "const e = (f, g) => { send(String(f)); g() }; e(() => 0, RUNS)",
    "a helper that replaces it too late": "const e = (f) => { send(f); f = String(f); send(f) }; e(RUNS)",
    "a helper that replaces it sometimes": ("const e = (f) => { if (x) f = String(f); send(f) }; e(RUNS)"),
    "a helper that runs functions": (
        "const e = (f) => { if (typeof f === 'function') f(); else send(String(f)) }; e(RUNS)"
    ),
    "a helper of the same name": "function e(f) { send(String(f)) } { const e = (f) => f(); e(RUNS) }",
    "the result of a function": "send(String((RUNS)()))",
    "another argument of the same call": "send(String(() => 0), USE)",
    "text that runs here": "eval('(' + (RUNS) + ')()')",
    "text that is made a function here": "new Function(`return ${RUNS}`)()",
    "text in variables that hang on each other": ("var a = b + (RUNS), b = a + ''; eval(b)"),
    "text in a variable that runs here": "const code = `(${RUNS})()`; eval(code)",
    "text that runs here later": "setTimeout(`(${RUNS})()`)",
    "a function that a text is replaced by": "'x'.replace('x', RUNS)",
    "a tag of a template": "tag`${RUNS}`",
    "a String of its own": "const String = (f) => f(); String(RUNS)",
    "eval of the function itself": "eval(RUNS)",
    "a listener": "browser.runtime.onMessage.addListener(RUNS)",
}


@pytest.mark.parametrize("source", MAY_RUN_HERE.values(), ids=MAY_RUN_HERE.keys())
def test_function_that_may_run_here_is_reported(source: str) -> None:
    assert count_findings(source) == 1


IN_ANOTHER_SCRIPT = {
    "a global": ("function e(f) { send(String(f)) }", "e(RUNS)"),
    "a global of several levels": ("function e(f) { g(f) } function g(f) { send(`${f}`) }", "e(RUNS)"),
    "an export": ("export function e(f) { send(String(f)) }", "import { e } from './b.js'; e(RUNS)"),
    "an export by another name": (
        "function g(f) { send(String(f)) } export { g as e }",
        "import { e as h } from './b.js'; h(RUNS)",
    ),
    "a default export": ("export default (f) => { send(String(f)) }", "import e from './b.js'; e(RUNS)"),
    "a default export by name": (
        "function e(f) { send(String(f)) } export default e",
        "import g from './b.js'; g(RUNS)",
    ),
    "a whole module": (
        "export const e = (f) => { send(String(f)) }",
        "import * as b from './b.js'; b.e(RUNS)",
    ),
    "required": ("exports.e = (f) => { send(String(f)) }", "const { e } = require('./b.js'); e(RUNS)"),
    "a method": (
        "class B { e(f) { return this.g(f) } g(f) { send(String(f)) } }",
        "new B().e(RUNS)",
    ),
    "a method of what is not known": ("const o = { e(f) { send(String(f)) } }", "window.tools.e(RUNS)"),
    "an object with the function": (
        "function e({ f, n }) { send(String(f), n) }",
        "e({ n: 1, f: RUNS })",
    ),
    "an object with the function, by its property": (
        "function e(options) { send(String(options.f), options.n) }",
        "e({ f: RUNS })",
    ),
}


@pytest.mark.parametrize(("helper", "source"), IN_ANOTHER_SCRIPT.values(), ids=IN_ANOTHER_SCRIPT.keys())
def test_function_stringified_by_helper_of_another_script(helper: str, source: str) -> None:
    runs = {
        "String(f)": "String(f), f()",
        "`${f}`": "`${f}`, f()",
        "String(options.f)": "String(options.f), options.f()",
    }
    calling = next(helper.replace(text, to) for text, to in runs.items() if text in helper)
    assert count_findings(source, b_js=calling)
    assert count_findings(source + "; USE", b_js=helper) == 1


def test_guard_around_stringified_function_is_kept() -> None:
    source = (
        "class A { f() { browser.windows.getEverything() } } const a = new A(); TEST && send(String(a.f))"
    )
    for test, count in (("browser.windows.getEverything", 0), ("browser.windows.getAll", 1)):
        files = {
            "manifest.json": manifest(background={"scripts": ["a.js"]}),
            "a.js": source.replace("TEST", test),
        }
        assert len(lint(files, ["unknown-api"], "chrome")) == count


def test_function_passed_to_ambiguous_method_is_reported() -> None:
    helper, source = "const o = { e(f) { send(String(f)) } }", "tools.e(RUNS)"
    assert not count_findings(source, b_js=helper)
    assert count_findings(source, b_js=helper, c_js="const p = { e(f) { f() } }")


def test_function_stringified_in_another_script() -> None:
    source, taker = "export function f() { USE }", "import { f } from './a.js'; send(String(f))"
    assert not count_findings(source, b_js=taker)
    assert count_findings(source, b_js=taker + "; f()")


CONTENT = {"content_scripts": [{"matches": ["https://*/*"], "js": ["a.js"]}]}
BACKGROUND = {"background": {"scripts": ["a.js"]}}


@pytest.mark.parametrize(
    ("rule", "keys", "code"),
    [
        pytest.param("wrong-context", CONTENT, "browser.windows.getAll()", id="another world may have it"),
        pytest.param("missing-permission", BACKGROUND, "browser.bookmarks.getTree()", id="a permission"),
        pytest.param("missing-permission", BACKGROUND, "browser.tabs.captureVisibleTab()", id="of a call"),
        pytest.param(
            "missing-host-permission",
            {**BACKGROUND, "permissions": ["cookies"]},
            "browser.cookies.get({ url: 'https://example.org/', name: 'a' })",
            id="a host permission",
        ),
    ],
)
def test_context_dependent_mistake_is_not_reported(rule: str, keys: dict[str, object], code: str) -> None:
    def is_reported(source: str) -> bool:
        return bool(lint({"manifest.json": manifest(**keys), "a.js": source}, [rule], "firefox"))

    assert not is_reported(f"send(String(() => {code}))")
    assert is_reported(f"later(() => {code})")


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        pytest.param(
            "unknown-api", "browser.windows.getEverything()", id="a member missing in every browser"
        ),
        pytest.param("unknown-api", "browser.windows.onCreated.add(f)", id="an unknown event method"),
        pytest.param("wrong-manifest-version", "browser.browserAction.enable()", id="a removed API"),
        pytest.param("invalid-argument", "browser.windows.get('one')", id="a wrong argument"),
        pytest.param("wrong-argument-count", "browser.windows.remove()", id="no argument"),
    ],
)
@pytest.mark.parametrize("keys", [CONTENT, BACKGROUND], ids=["content script", "background"])
def test_mistake_in_every_context_is_reported(rule: str, code: str, keys: dict[str, object]) -> None:
    files = {"manifest.json": manifest(**keys), "a.js": f"send(String(() => {code}))"}
    assert len(lint(files, [rule], "firefox")) == 1


INJECTED = "browser.scripting.executeScript({ target: { tabId }, func: () => CODE })"
WORKER = {"background": {"service_worker": "a.js"}, "permissions": ["scripting"]}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(INJECTED, False, id="content scripts have it"),
        pytest.param(INJECTED.replace("func", "function"), False, id="under its old name"),
        pytest.param("function f() { CODE } " + INJECTED.replace("() => CODE", "f"), False, id="by name"),
        pytest.param("later(() => CODE)", True, id="unavailable in the worker"),
        pytest.param(INJECTED.replace("func", "world: 'MAIN', func"), True, id="unavailable in pages too"),
        pytest.param(INJECTED + "; CODE", True, id="a call after the injection"),
    ],
)
def test_injected_function_runs_in_content_script(source: str, expected: bool) -> None:
    files = {"manifest.json": manifest(**WORKER), "a.js": source.replace("CODE", "browser.test.log('')")}
    assert bool(lint(files, ["wrong-context"])) == expected


def test_injected_function_cannot_use_apis_missing_in_content_scripts() -> None:
    files = {
        "manifest.json": manifest(**WORKER),
        "a.js": INJECTED.replace("CODE", "browser.management.getAll()"),
    }
    assert lint(files, ["missing-permission"])
