"""Variables that are not available to an injected function: `lost-variable`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULE = "lost-variable"


def found(
    script: str, target: str = "firefox,chrome", more: dict[str, str] | None = None, **keys: object
) -> list[str]:
    """Returns the source text of each finding in a background script, which is a module."""
    background = {"scripts": ["a.js"], "service_worker": "a.js", "type": "module"}
    text = manifest(**{"permissions": ["scripting"], "background": background, **keys})
    files = {"manifest.json": text, "a.js": script, "b.js": "export function b() {}", **(more or {})}
    return [text for _, text in reported(files, [RULE], target)]


def injecting(function: str, before: str = "", option: str = "") -> str:
    return f"{before}\nchrome.scripting.executeScript({{ target, {option} func: {function} }});"


LOST = {
    "a constant": (injecting("() => show(color)", "const color = 'red';"), ["color"]),
    "a function": (injecting("() => help()", "function help() {}"), ["help"]),
    "a class": (injecting("() => new Helper()", "class Helper {}"), ["Helper"]),
    "an import": (injecting("() => b()", "import { b } from './b.js';"), ["b"]),
    "a parameter around": (f"function f(color) {{ {injecting('() => show(color)')} }}", ["color"]),
    "in a function with a name": (
        injecting("paint", "let color; function paint() { show(color); }"),
        ["color"],
    ),
    "in a function inside": (injecting("() => { f(() => color); }", "let color;"), ["color"]),
    "in a shorthand property": (injecting("() => ({ color })", "let color;"), ["color"]),
    "an alias of the API": (injecting("() => api.runtime.id", "const api = chrome;"), ["api"]),
    "the constant that holds the function": (injecting("again", "const again = () => again();"), ["again"]),
    "several": (injecting("() => one + two + one", "let one, two;"), ["one", "two"]),
    "a parameter in the main world": (
        f"function f(color) {{ {injecting('() => show(color)', option='world: `MAIN`,')} }}",
        ["color"],
    ),
    "under the older name": (
        "let color; chrome.scripting.executeScript({ target, function: () => show(color) });",
        ["color"],
    ),
    "injected twice": (
        injecting("f", "let color; function f() { show(color); }" + injecting("f")),
        ["color"],
    ),
}

INJECT = "function inject(func, ...args) { chrome.scripting.executeScript({ target, func, args }); } "
EITHER = (
    "function run(func, here) { if (here) func(); else chrome.scripting.executeScript({ target, func }); } "
)

PASSED = {
    "to a function that injects it": (INJECT + "let color; inject(() => show(color));", ["color"]),
    "by its name": (INJECT + "let color; function paint() { show(color); } inject(paint);", ["color"]),
    "several": (INJECT + "let one, two; inject(() => f(one)); inject((x) => f(two), 1);", ["one", "two"]),
    "one that is known": (INJECT + "let color; inject(() => show(color)); inject(other);", ["color"]),
    "in an object": (
        "function run({ func }) { chrome.scripting.executeScript({ target, func }); } "
        "let color; run({ func: () => show(color) });",
        ["color"],
    ),
    "to a function that may call it": (EITHER + "let color; run(() => show(color), true);", []),
    "by its name to one that may call it": (
        EITHER + "let color; const paint = () => show(color); run(paint, true);",
        [],
    ),
}


@pytest.mark.parametrize(("script", "expected"), PASSED.values(), ids=PASSED)
def test_variable_lost_through_a_helper_is_reported(script: str, expected: list[str]) -> None:
    assert found(script) == expected


AVAILABLE = {
    "a parameter": injecting("(color) => show(color)", "let color;"),
    "a variable of its own": injecting("() => { const color = 1; show(color); }", "let color;"),
    "its own name": injecting("f", "function f() { f(); }"),
    "a global": injecting("() => document.body.append(element)"),
    "a global that the script declares": injecting("() => document.title", "const document = {};"),
    "a global that workers have": injecting("() => name", "const name = 1;"),
    "a root of the API": injecting("() => browser.runtime.id", "const browser = chrome;"),
    "a property": injecting("() => item.color", "let color;"),
    "a key": injecting("() => ({ color: 1 })", "let color;"),
    "a variable that the function tests": injecting(
        "() => { if (typeof color !== 'undefined') show(color); }", "let color;"
    ),
    "a variable used in a try block": injecting(
        "() => { try { show(color); } catch { show(); } }", "let color;"
    ),
    "a variable that the function assigns": injecting("() => { color = 1; }", "let color;"),
    "a variable possibly defined by the page": injecting("() => show(color)", "let color;", "world: 'MAIN',"),
    "a variable defined by another injected function": injecting(
        "() => show(color)", "let color; " + injecting("() => { window.color = 1; }")
    ),
    "an unknown function": injecting("other", "let color;"),
    "another function": "let color; run({ func: () => show(color) });",
    "code that never runs": "let color; if (false) " + injecting("() => show(color)").strip(),
}


@pytest.mark.parametrize(("script", "expected"), LOST.values(), ids=LOST)
def test_lost_variable_is_reported(script: str, expected: list[str]) -> None:
    assert found(script) == expected


@pytest.mark.parametrize("script", AVAILABLE.values(), ids=AVAILABLE)
def test_available_variable_is_not_reported(script: str) -> None:
    assert found(script) == []


def test_content_scripts_may_declare_the_variable() -> None:
    uses = injecting("() => show(color)", "let color;")
    scripts = [{"matches": ["<all_urls>"], "js": ["c.js"]}]
    assert found(uses, more={"c.js": "var color = 1;"}, content_scripts=scripts) == []
    assert found(uses, more={"c.js": "var colors = 1;"}, content_scripts=scripts) == ["color"]
    assert found(uses, more={"c.js": "var color = 1;"}) == []  # a script that may be injected
    injects = "chrome.scripting.executeScript({ target, files: ['c.js'] });"
    assert found(uses + injects, more={"c.js": "var color = 1;"}) == []


@pytest.mark.parametrize(("own", "expected"), [("p.js", []), ("c.js", ["help"])])
def test_script_of_a_popup_may_also_be_a_content_script(own: str, expected: list[str]) -> None:
    keys = {
        "permissions": ["scripting"],
        "action": {"default_popup": "p.html"},
        "content_scripts": [{"matches": ["https://example.com/*"], "js": [own]}],
    }
    scripts = {"p.js": injecting("() => help()", "function help() {}"), "c.js": ""}
    files = {"manifest.json": manifest(**keys), "p.html": "<script src='p.js'></script>", **scripts}
    assert [text for _, text in reported(files, [RULE], "chrome")] == expected


def test_import_of_a_missing_file_is_not_reported() -> None:
    """A build may replace a variable with its value."""
    uses = injecting("() => show(color)", "import { color } from './missing.js';")
    assert found(uses) == []


def test_typescript_enum_is_not_reported() -> None:
    script = injecting("() => show(Color.Red)", "enum Color { Red }")
    text = manifest(permissions=["scripting"], background={"service_worker": "a.ts"})
    assert reported({"manifest.json": text, "a.ts": script}, [RULE], "chrome") == []


@pytest.mark.parametrize(("target", "count"), [("safari", 0), ("reference", 1)])
def test_variable_depends_on_the_target(target: str, count: int) -> None:
    assert len(found(injecting("() => show(color)", "let color;"), target)) == count
