"""Tests and error handlers in the callers of a method, in static methods and on prototypes."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("unknown-api", "wrong-argument-count", "incomplete-analysis")
USE = "browser.sidebarAction.open()"
TEST = "!!browser.sidebarAction"
FIREFOX_ONLY = "chrome.tabs.onUpdated.addListener(f, { urls: ['*://a.example/*'] })"
NOWHERE = "chrome.tabs.onCreated.addListener(f, 1, 2)"


def found(script: str) -> list[str]:
    """Returns the rules of the findings about the background of an extension for Chrome."""
    background = {"service_worker": "a.js", "type": "module"}
    keys = {"permissions": ["tabs"], "minimum_chrome_version": "121"}
    lines = script.replace("; ", ";\n")  # a long line would count as minified
    files = {"manifest.json": manifest(background=background, **keys), "a.js": lines}
    return [each.rule for each in lint(files, RULES, "chrome")]


def in_module(script: str) -> str:
    return f"export default 1; {script}"


HANDLED = {
    "a function": "function open() { USE } function start() { TRY open(); CATCH } start();",
    "a method": "class Panel { open() { USE } start() { TRY this.open(); CATCH } } new Panel().start();",
    "a method of an instance": "class Panel { open() { USE } } const p = new Panel(); TRY p.open(); CATCH",
    "a method of an object": "const panel = { open() { USE } }; TRY panel.open(); CATCH",
    "a static method": "class Panel { static open() { USE } } TRY Panel.open(); CATCH",
    "a field": "class Panel { open = () => { USE }; go() { TRY this.open(); CATCH } } new Panel().go();",
    "a prototype": (
        "function Panel() {} Panel.prototype.open = function () { USE }; "
        "Panel.prototype.start = function () { TRY this.open(); CATCH }; new Panel().start();"
    ),
    "two calls away": (
        "class Panel { open() { USE } go() { this.open() } start() { TRY this.go(); CATCH } } "
        "new Panel().start();"
    ),
    "an awaited method": (
        "class Panel { async open() { await USE } async start() { TRY await this.open(); CATCH } } "
        "new Panel().start();"
    ),
}


@pytest.mark.parametrize("script", HANDLED.values(), ids=HANDLED.keys())
@pytest.mark.parametrize("use", [USE, FIREFOX_ONLY])
def test_caller_of_a_method_handles_its_failure(script: str, use: str) -> None:
    own = "function f() {} " + script.replace("USE", use)
    handled = own.replace("TRY", "try {").replace("CATCH", "} catch { g() }")
    assert found(handled) == []
    assert found(in_module(handled)) == []
    unhandled = own.replace("TRY", "{").replace("CATCH", "}")
    assert len(found(unhandled)) == 1
    assert len(found(in_module(unhandled))) == 1


@pytest.mark.parametrize("script", HANDLED.values(), ids=HANDLED.keys())
def test_handler_excuses_no_argument_that_every_browser_rejects(script: str) -> None:
    handled = script.replace("TRY", "try {").replace("CATCH", "} catch { g() }")
    assert found("function f() {} " + handled.replace("USE", NOWHERE)) == ["wrong-argument-count"]


BODY = "start() { if (!NAME.available()) return; this.open() } open() { USE } } new Sidebar().start();"
ES5 = (
    "Sidebar.prototype.start = function () { if (!NAME.available()) return; this.open() }; "
    "Sidebar.prototype.open = function () { USE }; new Sidebar().start();"
)
TESTED = {
    "a static method": (f"class Sidebar {{ static available() {{ return TEST }} {BODY}", "Sidebar"),
    "a static field": (f"class Sidebar {{ static available = () => TEST; {BODY}", "Sidebar"),
    "an assigned function": (f"class Sidebar {{ {BODY} Sidebar.available = () => TEST;", "Sidebar"),
    "a method": (f"class Sidebar {{ available() {{ return TEST }} {BODY}", "this"),
    "a base class": (
        f"class Base {{ static available() {{ return TEST }} }} class Sidebar extends Base {{ {BODY}",
        "Sidebar",
    ),
    "a base class by its name": (
        f"class Base {{ static available() {{ return TEST }} }} class Sidebar extends Base {{ {BODY}",
        "Base",
    ),
    "the constructor": (
        f"class Sidebar {{ static available() {{ return TEST }} {BODY}",
        "this.constructor",
    ),
    "a function of a function": (
        f"function Sidebar() {{}} Sidebar.available = function () {{ return TEST }}; {ES5}",
        "Sidebar",
    ),
    "a prototype": (
        f"function Sidebar() {{}} Sidebar.prototype.available = function () {{ return TEST }}; {ES5}",
        "this",
    ),
    "a prototype by its name": (
        f"function Sidebar() {{}} Sidebar.prototype.available = function () {{ return TEST }}; {ES5}",
        "Sidebar.prototype",
    ),
    "an object that is a prototype": (
        "function Sidebar() {} Sidebar.prototype = { available: function () { return TEST }, "
        "start: function () { if (!NAME.available()) return; this.open() }, open: function () { USE } }; "
        "new Sidebar().start();",
        "this",
    ),
}


@pytest.mark.parametrize(("script", "name"), TESTED.values(), ids=TESTED.keys())
def test_function_of_a_class_tests_for_the_member(script: str, name: str) -> None:
    own = script.replace("NAME", name).replace("USE", USE)
    assert found(own.replace("TEST", TEST)) == []
    assert found(in_module(own.replace("TEST", TEST))) == []
    for other in ("!!browser.tabs", "!browser.sidebarAction", "true", "f()"):
        assert found(own.replace("TEST", other)) == ["unknown-api"], other
        assert found(in_module(own.replace("TEST", other))) == ["unknown-api"], other


def test_functions_of_one_name_must_all_test_for_the_member() -> None:
    script, name = TESTED["a prototype"]
    own = script.replace("NAME", name).replace("USE", USE).replace("TEST", TEST)
    assert found(own + " Other.prototype.available = function () { return !!browser.sidebarAction };") == []
    assert found(own + " Other.prototype.available = function () { return true };") == ["unknown-api"]
    assert found(own + " Other.prototype.available = f;") == ["unknown-api"]
