"""What is nested however deep ends no run, and hides no mistake: neither in its own script nor in another."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from harness import Files, lint, manifest

from extlint.script.facts.values import UNKNOWN, Value
from extlint.script.values import fixpoint, stack

DEPTH = 350
"""More than the calls that Python allows, if each level took three."""

USE = "browser.management.getAll()"


def nested(before: str, middle: str, after: str = "") -> Callable[[int], str]:
    """Something in something: `before`, `middle` and `after`, the outer ones so many times."""
    return lambda depth: before * depth + middle + after * depth


def listed(first: str, each: str, last: str = "") -> Callable[[int], str]:
    """Statements of which each is about the one before, `@`; its own number is `#`."""
    return lambda depth: (
        first
        + "".join(each.replace("#", str(at)).replace("@", str(at - 1)) for at in range(1, depth + 1))
        + last.replace("#", str(depth))
    )


def inside(start: str, make: Callable[[int], str], end: str) -> Callable[[int], str]:
    """What is nested, between other code."""
    return lambda depth: start + make(depth) + end


DEEP = {
    "members": nested("", "x=a", ".b"),
    "members that are assigned to": inside("a", nested(".b", "=1"), ""),
    "members of exports": inside("exports", nested(".b", "=browser"), ""),
    "members of the API": inside("browser", nested(".b", "=1"), ""),
    "members in brackets": nested("", "x=a", "[0]"),
    "optional members": nested("", "x=a", "?.b"),
    "a sum": nested("a+", "browser"),
    "a sum of texts": inside("browser.test.log(", nested("'a'+", "'a'"), ")"),
    "sums in parentheses": inside("browser.test.log(", nested("('a'+", "'a'", ")"), ")"),
    "alternatives": nested("a?b:", "browser"),
    "conditions of alternatives": nested("a?", "browser", ":b"),
    "fallbacks": inside("if(", nested("a||", "browser.a"), ")browser.a()"),
    "conditions": inside("if(", nested("a&&", "browser.a"), ")browser.a()"),
    "negations": inside("if(", nested("!", "browser.a"), ")browser.a()"),
    "comparisons": inside("if(", nested("a===", "browser.a"), ")browser.a()"),
    "tests of the browser": inside(
        "if(", nested("navigator.userAgent.includes('Firefox')||", "a"), ")browser.a()"
    ),
    "a pattern for the browser": inside(
        "if(/", nested("(", "Firefox", ")"), "/.test(navigator.userAgent))browser.a()"
    ),
    "arrays": inside("const x=", nested("[", "browser", "]"), ";browser.test.log(x)"),
    "arrays as arguments": inside("browser.test.log(", nested("[", "1", "]"), ")"),
    "objects": inside("const x=", nested("{a:", "browser", "}"), ";x.a.foo();browser.test.log(x)"),
    "objects as arguments": inside("browser.test.log(", nested("{a:", "1", "}"), ")"),
    "objects of a global": inside("var x=", nested("{a:", "browser", "}"), ";self.y={a:x,b:x}"),
    "objects that are exported": inside("export const x=", nested("{a:", "browser", "}"), ""),
    "spreads": inside("x=", nested("{...", "browser", "}"), ";x.foo()"),
    "copies": inside("x=", nested("Object.assign({},", "browser", ")"), ";x.foo()"),
    "functions": nested("function f(){", "browser.a()", "}"),
    "functions that return functions": nested("(function(){return ", "browser", "})"),
    "functions that are called": nested("(function(b){", "b.a()", "})(browser)"),
    "arrows": inside("x=", nested("a=>", "browser.a()"), ";x()()()"),
    "methods": inside("x=", nested("{m(){return ", "browser", "}}"), ";x.m().m().foo()"),
    "getters": inside("x=", nested("{get m(){return ", "browser", "}}"), ";x.m.m.foo()"),
    "calls": nested("f(", "browser.a()", ")"),
    "calls of a known function": inside("const f=a=>a;x=", nested("f(", "browser", ")"), ";x.foo()"),
    "calls of what is returned": nested("", "x=f", "()"),
    "callbacks": nested("browser.tabs.query({},a=>{", "a.b", "})"),
    "listeners": nested("browser.runtime.onMessage.addListener(()=>{", "browser.a()", "})"),
    "bound functions": nested("", "x=browser.tabs.query", ".bind(browser)"),
    "functions bound to functions": nested("f.bind(", "browser.tabs.query", ")"),
    "then after then": nested("", "browser.tabs.query({})", ".then(x=>x)"),
    "promises": nested("Promise.resolve(", "browser.a()", ")"),
    "awaits": nested("await ", "browser.a()"),
    "instances": inside("x=", nested("new ", "browser.a"), ""),
    "templates": inside("browser.test.log(", nested("`${", "1", "}`"), ")"),
    "tagged templates": nested("", "browser.a", "``"),
    "fields of classes": nested("(class{a=", "browser.a()", "})"),
    "methods of classes": nested("(class{m(){return ", "browser.a()", "}})"),
    "classes that extend classes": inside("x=", nested("class extends ", "browser", "{}"), ";new x().a()"),
    "elements": inside("x=", nested("<a>", "{browser.a()}", "</a>"), ""),
    "if": nested("if(browser.a){", "browser.b()", "}"),
    "else if": nested("if(x==1)browser.a();else ", ";"),
    "blocks": nested("{", "browser.a()", "}"),
    "loops": nested("for(;;)", "browser.a()"),
    "attempts": nested("try{", "browser.a()", "}catch(e){}"),
    "handlers": nested("try{}catch(e){", "browser.a()", "}"),
    "cases": nested("switch(a){case 1:", "browser.a()", "}"),
    "labels": listed("", "l#:", "browser.a()"),
    "returns": inside("function f(){", nested("if(a){", "return browser", "}"), "}f().foo()"),
    "parentheses": inside("x=", nested("(", "browser", ")"), ";x.foo()"),
    "a sequence": inside("x=(", nested("a,", "browser"), ");x.foo()"),
    "assignments": inside("x=", nested("a.b=", "browser"), ";x.foo();a.b.foo()"),
    "patterns": inside("const ", nested("{a:", "b", "}"), "=browser;b.foo()"),
    "patterns with defaults": inside("const ", nested("{a:", "b=browser", "}={}"), ";b.foo()"),
    "patterns of arrays": inside("const ", nested("[", "b", "]"), "=browser.a();b.foo()"),
    "patterns of parameters": inside("function f(", nested("{a:", "b", "}"), "){b.foo()}f(browser)"),
    "imports in imports": nested("import('./b.js').then(a=>", "browser.a()", ")"),
    "awaited imports": inside("x=", nested("await import(", "'./b.js'", ")"), ";x.foo()"),
    "requires": inside("x=", nested("require(", "'./b.js'", ")"), ";x.foo()"),
    "aliases": listed("const a0=browser;", "const a#=a@;", "a#.foo()"),
    "aliases without declarations": listed("a0=browser;", "a#=a@;", "a#.foo()"),
    "aliases of members": listed("const a0=browser;", "const a#=a@.b;", "a#.foo()"),
    "functions that call others": listed("const f0=()=>browser;", "const f#=()=>f@();", "f#().foo()"),
    "functions that pass on": listed("function f0(a){a.foo()}", "function f#(a){f@(a)}", "f#(browser)"),
    "conditions by name": listed("const c0=browser.a;", "const c#=c@&&x;", "if(c#)browser.a()"),
    "conditions by function": listed(
        "function c0(){return !!browser.a}", "function c#(){return c@()}", "if(c#())browser.a()"
    ),
    "objects by name": listed("const o0={t:browser};", "const o#={o:o@};", "browser.test.log(o#)"),
    "arrays by name": listed("const o0=[browser];", "const o#=[o@];", "browser.test.log(o#)"),
    "objects that are filled": listed("const o0={t:browser};", "const o#={};o#.o=o@;", "o#.o.o.t.foo()"),
    "classes by name": listed(
        "class A0{get t(){return browser}}", "class A#extends A@{}", "new A#().t.foo()"
    ),
}


@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP.keys())
def test_mistakes_before_and_after_it_are_found(make: Callable[[int], str]) -> None:
    found = places(f"{USE};\n{make(DEPTH)};\n{USE};")
    assert found[0] == ("a.js", 1)
    assert found[-2:] == [("a.js", 3), ("b.js", 1)]


@pytest.mark.parametrize("name", ["members", "a sequence", "parentheses", "arrows", "blocks"])
def test_it_may_be_very_deep(name: str) -> None:
    assert places(f"{USE};\n{DEEP[name](20_000)};\n{USE};")[-2:] == [("a.js", 3), ("b.js", 1)]


@pytest.mark.parametrize(("depth", "is_incomplete"), [(20, False), (DEPTH, True)])
def test_it_is_said_where_a_question_has_no_answer(depth: int, is_incomplete: bool) -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": DEEP["objects as arguments"](depth),
    }
    assert [each.path for each in lint(files, ["incomplete-analysis"])] == ["a.js"] * is_incomplete


def places(script: str) -> list[tuple[str, int]]:
    """Where the unsupported member is, once in another script that runs with this one."""
    files = {
        "manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}),
        "a.js": script,
        "b.js": f"{USE};",
    }
    return [(each.path, each.span.start.line) for each in lint(files, ["unsupported-api"])]


def modules(count: int, body: str) -> Files:
    """Modules of which each imports from the next; the last one exports the API."""
    worker = {"service_worker": "a.js", "type": "module"}
    return {
        "manifest.json": manifest(background=worker, optional_permissions=["management"]),
        "a.js": 'import { api } from "./m0.js"; browser.management.getAll(); api.management.getAll();',
        **{
            f"m{at}.js": f'import {{ api as next }} from "./m{at + 1}.js"; {body} browser.tabs.query({{}});'
            for at in range(count)
        },
        f"m{count}.js": "export const api = browser;",
    }


@pytest.mark.parametrize(
    ("body", "is_followed"),
    [
        pytest.param("export const api = next;", True, id="aliases"),
        pytest.param(
            listed("const a0=()=>next;", "const a#=()=>a@();", "export const api=a#();")(30), True, id="calls"
        ),
        pytest.param(
            inside("const o=", nested("{a:", "next", "}"), ";export const api=o")(50) + ".a" * 50,
            False,
            id="objects",
        ),
    ],
)
def test_modules_that_wait_for_each_other(body: str, is_followed: bool) -> None:
    found = lint(modules(40, body), ["unsupported-api"])
    own, imported = ("a.js", 32), ("a.js", 61)
    assert [(each.path, each.span.start.column) for each in found] == [own, *([imported] * is_followed)]


@stack.checking_package()
def frames() -> int:
    """How many calls are nested above the one that checks a package."""
    return next(count for count in range(100) if not stack.is_deeper_than(count))


def called_through(others: int) -> int:
    return called_through(others - 1) if others else frames()


def test_how_deep_the_caller_is_does_not_matter() -> None:
    assert called_through(0) == called_through(30)


def test_no_question_is_asked_where_the_stack_is_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = fixpoint.Fixpoint()
    deepest: list[int] = []

    def ask(key: int) -> Value:
        deepest.append(key)
        return answers.ask(key, lambda: ask(key + 1))

    assert ask(0) == UNKNOWN
    assert answers.too_deep
    assert len(deepest) == fixpoint.MAX_DEPTH + 1
    monkeypatch.setattr(fixpoint, "MAX_FRAMES_OF_QUESTION", 0)
    answers = fixpoint.Fixpoint()
    deepest.clear()
    assert ask(0) == UNKNOWN
    assert answers.too_deep
    assert len(deepest) == 4


def test_the_stack_suffices() -> None:
    assert stack.MAX_FRAMES_OF_SCRIPT < stack.MAX_FRAMES_OF_QUESTION < sys.getrecursionlimit() - 300
