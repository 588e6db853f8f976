"""Code after a statement that always leaves its block, so that it never runs."""

from __future__ import annotations

import pytest
from harness import lint, manifest


def is_reported(source: str, rule: str = "missing-permission") -> bool:
    """Whether a use in a module is reported."""
    background = {"service_worker": "a.js", "type": "module"}
    files = {
        "manifest.json": manifest(background=background),
        "a.js": f"import './b.js'; {source}",
        "b.js": "",
    }
    return bool(lint(files, [rule]))


USE = "browser.management.getAll()"

DEAD = {
    "return": "function f() { return; USE } f()",
    "return on a line of its own": "function f() { return\nUSE } f()",
    "return with a value": "const f = () => { return 1; USE }; f()",
    "throw": "function f() { throw new Error(); USE } f()",
    "throw at the top": "throw new Error(); USE",
    "break": "for (const x of y) { g(); break; USE }",
    "continue": "while (x) { g(); continue; USE }",
    "break in a case": "switch (x) { case 1: break; USE; case 2: }",
    "return in a case": "function f(x) { switch (x) { default: return; USE } } f(1)",
    "break with a label": "a: { break a; USE }",
    "both branches": "function f(x) { if (x) return 1; else return 2; USE } f(1)",
    "all branches": "function f(x) { if (x) { return } else if (g) { throw x } else { return } USE } f(1)",
    "a block": "function f() { { g(); return } USE } f()",
    "a block with a function at its end": "function f() { { return g(); function g() {} } USE } f()",
    "a block with more dead code": "function f() { { return; g() } USE } f()",
    "try and catch": "function f() { try { return g() } catch { return } USE } f()",
    "try and finally": "function f() { try { return g() } finally { g() } USE } f()",
    "a method": "class A { f() { return; USE } } new A().f()",
    "a condition inside": "function f(x) { return; if (x) { USE } } f()",
    "a callback inside": "function f() { return; on(() => USE) } f()",
    "a function expression": "function f() { return; g = function () { USE } } f(); g()",
    "a class": "function f() { return; class A { f() { USE } } new A().f() } f()",
    "a function in a block": "function f() { return; { function g() { USE } g() } } f()",
    "a function that is only called there": "function f() { return; g() } function g() { USE } f()",
}

ALIVE = {
    "before it": "function f() { USE; return } f()",
    "in it": "function f() { return USE } f()",
    "a condition": "function f(x) { if (x) return; USE } f(g)",
    "one branch": "function f(x) { if (x) return; else g(); USE } f(g)",
    "a branch in the middle": "function f(x) { if (x) return; else if (g) g(); else return; USE } f(g)",
    "a function": "function f() { return g(); function g() { USE } } f()",
    "a function that is returned": "(() => { return { f }; function f() { USE } })().f()",
    "a generator function": "function f() { return g(); function* g() { USE } } f()",
    "an asynchronous function": "function f() { return g(); async function g() { await USE } } f()",
    "a function after a condition that always holds": (
        "(() => { if (true) return g(); function g() { USE } })()"
    ),
    "a function that is called before": "function f() { g(); return; g() } function g() { USE } f()",
    "another case": "switch (x) { case 1: break; case 2: USE }",
    "after a switch": "switch (x) { default: break } USE",
    "after a loop": "for (const x of y) { break } USE",
    "after a loop that continues": "for (const x of y) { continue } USE",
    "after a label": "a: { break a } USE",
    "after a label around a block": "a: { { break a } } USE",
    "after a function": "function f() { return } USE",
    "an empty block": "function f() { {} USE } f()",
    "a block with only a function": "function f() { { function g() { return } } USE } f()",
    "a handler": "function f() { try { throw g() } catch { USE; return } g() } f()",
    "finally": "function f() { try { return g() } finally { USE } } f()",
    "after a handler": "function f() { try { return g() } catch { g() } USE } f()",
    "after a try": "function f() { try { g() } catch { return } USE } f()",
}


@pytest.mark.parametrize("source", DEAD.values(), ids=DEAD.keys())
def test_code_after_an_exit_is_not_reported(source: str) -> None:
    assert not is_reported(source.replace("USE", USE))


@pytest.mark.parametrize("source", ALIVE.values(), ids=ALIVE.keys())
def test_code_that_may_run_is_reported(source: str) -> None:
    assert is_reported(source.replace("USE", USE))


RULES = {
    "unknown-api": "chrome.tabs.qurey({})",
    "wrong-manifest-version": "chrome.tabs.getAllInWindow(() => {})",
    "missing-global": "localStorage.getItem('a')",
    "invalid-argument": "chrome.tabs.query({ bad: 1 })",
    "wrong-argument-count": "chrome.tabs.getCurrent(1, 2, 3)",
}


@pytest.mark.parametrize(("rule", "use"), RULES.items(), ids=RULES.keys())
@pytest.mark.parametrize("is_left", [False, True])
def test_every_rule_knows_what_never_runs(rule: str, use: str, is_left: bool) -> None:
    source = f"function f() {{ {'return;' if is_left else ''} {use} }} f()"
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": source}
    assert bool(lint(files, [rule], target="chrome")) is not is_left
