"""Deep nesting of any kind never ends a run and never hides mistakes in this or another script."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import TypeAlias

import pytest
from harness import Files, lint, manifest
from thorough import some

from extlint.analysis.facts.values import UNKNOWN, Kind, Literal, Value, union_of
from extlint.analysis.values import fixpoint, stack

DEPTH = 350
"""More than the number of calls that Python allows if each level took three."""

USE = "browser.management.getAll()"


def nested(before: str, middle: str, after: str = "") -> Callable[[int], str]:
    """Returns nested code: `before` and `after` repeated around `middle`."""
    return lambda depth: before * depth + middle + after * depth


def numbered(first: str, each: str, last: str = "") -> Callable[[int], str]:
    """Returns statements that each refer to the previous one as `@`, and to their own number as `#`."""
    return lambda depth: (
        first
        + "".join(each.replace("#", str(at)).replace("@", str(at - 1)) for at in range(1, depth + 1))
        + last.replace("#", str(depth))
    )


def surrounded(start: str, make: Callable[[int], str], end: str) -> Callable[[int], str]:
    """Returns nested code between other code."""
    return lambda depth: start + make(depth) + end


DEEP = {
    "members": nested("", "x=a", ".b"),
    "members that are assigned to": surrounded("a", nested(".b", "=1"), ""),
    "members of exports": surrounded("exports", nested(".b", "=browser"), ""),
    "members of the API": surrounded("browser", nested(".b", "=1"), ""),
    "members in brackets": nested("", "x=a", "[0]"),
    "optional members": nested("", "x=a", "?.b"),
    "a sum": nested("a+", "browser"),
    "a sum of texts": surrounded("browser.test.log(", nested("'a'+", "'a'"), ")"),
    "sums in parentheses": surrounded("browser.test.log(", nested("('a'+", "'a'", ")"), ")"),
    "alternatives": nested("a?b:", "browser"),
    "conditions of alternatives": nested("a?", "browser", ":b"),
    "fallbacks": surrounded("if(", nested("a||", "browser.a"), ")browser.a()"),
    "conditions": surrounded("if(", nested("a&&", "browser.a"), ")browser.a()"),
    "negations": surrounded("if(", nested("!", "browser.a"), ")browser.a()"),
    "comparisons": surrounded("if(", nested("a===", "browser.a"), ")browser.a()"),
    "tests of the browser": surrounded(
        "if(", nested("navigator.userAgent.includes('Firefox')||", "a"), ")browser.a()"
    ),
    "a pattern for the browser": surrounded(
        "if(/", nested("(", "Firefox", ")"), "/.test(navigator.userAgent))browser.a()"
    ),
    "arrays": surrounded("const x=", nested("[", "browser", "]"), ";browser.test.log(x)"),
    "arrays as arguments": surrounded("browser.test.log(", nested("[", "1", "]"), ")"),
    "objects": surrounded("const x=", nested("{a:", "browser", "}"), ";x.a.foo();browser.test.log(x)"),
    "objects as arguments": surrounded("browser.test.log(", nested("{a:", "1", "}"), ")"),
    "objects of a global": surrounded("var x=", nested("{a:", "browser", "}"), ";self.y={a:x,b:x}"),
    "objects that are exported": surrounded("export const x=", nested("{a:", "browser", "}"), ""),
    "spreads": surrounded("x=", nested("{...", "browser", "}"), ";x.foo()"),
    "copies": surrounded("x=", nested("Object.assign({},", "browser", ")"), ";x.foo()"),
    "functions": nested("function f(){", "browser.a()", "}"),
    "functions that return functions": nested("(function(){return ", "browser", "})"),
    "functions that are called": nested("(function(b){", "b.a()", "})(browser)"),
    "arrows": surrounded("x=", nested("a=>", "browser.a()"), ";x()()()"),
    "methods": surrounded("x=", nested("{m(){return ", "browser", "}}"), ";x.m().m().foo()"),
    "getters": surrounded("x=", nested("{get m(){return ", "browser", "}}"), ";x.m.m.foo()"),
    "calls": nested("f(", "browser.a()", ")"),
    "calls of a known function": surrounded("const f=a=>a;x=", nested("f(", "browser", ")"), ";x.foo()"),
    "calls of what is returned": nested("", "x=f", "()"),
    "callbacks": nested("browser.tabs.query({},a=>{", "a.b", "})"),
    "listeners": nested("browser.runtime.onMessage.addListener(()=>{", "browser.a()", "})"),
    "bound functions": nested("", "x=browser.tabs.query", ".bind(browser)"),
    "functions bound to functions": nested("f.bind(", "browser.tabs.query", ")"),
    "then after then": nested("", "browser.tabs.query({})", ".then(x=>x)"),
    "promises": nested("Promise.resolve(", "browser.a()", ")"),
    "awaits": nested("await ", "browser.a()"),
    "instances": surrounded("x=", nested("new ", "browser.a"), ""),
    "templates": surrounded("browser.test.log(", nested("`${", "1", "}`"), ")"),
    "tagged templates": nested("", "browser.a", "``"),
    "fields of classes": nested("(class{a=", "browser.a()", "})"),
    "methods of classes": nested("(class{m(){return ", "browser.a()", "}})"),
    "classes that extend classes": surrounded(
        "x=", nested("class extends ", "browser", "{}"), ";new x().a()"
    ),
    "elements": surrounded("x=", nested("<a>", "{browser.a()}", "</a>"), ""),
    "if": nested("if(browser.a){", "browser.b()", "}"),
    "else if": nested("if(x==1)browser.a();else ", ";"),
    "blocks": nested("{", "browser.a()", "}"),
    "loops": nested("for(;;)", "browser.a()"),
    "attempts": nested("try{", "browser.a()", "}catch(e){}"),
    "handlers": nested("try{}catch(e){", "browser.a()", "}"),
    "cases": nested("switch(a){case 1:", "browser.a()", "}"),
    "labels": numbered("", "l#:", "browser.a()"),
    "returns": surrounded("function f(){", nested("if(a){", "return browser", "}"), "}f().foo()"),
    "parentheses": surrounded("x=", nested("(", "browser", ")"), ";x.foo()"),
    "a sequence": surrounded("x=(", nested("a,", "browser"), ");x.foo()"),
    "assignments": surrounded("x=", nested("a.b=", "browser"), ";x.foo();a.b.foo()"),
    "patterns": surrounded("const ", nested("{a:", "b", "}"), "=browser;b.foo()"),
    "patterns with defaults": surrounded("const ", nested("{a:", "b=browser", "}={}"), ";b.foo()"),
    "patterns of arrays": surrounded("const ", nested("[", "b", "]"), "=browser.a();b.foo()"),
    "patterns of parameters": surrounded("function f(", nested("{a:", "b", "}"), "){b.foo()}f(browser)"),
    "imports in imports": nested("import('./b.js').then(a=>", "browser.a()", ")"),
    "awaited imports": surrounded("x=", nested("await import(", "'./b.js'", ")"), ";x.foo()"),
    "requires": surrounded("x=", nested("require(", "'./b.js'", ")"), ";x.foo()"),
    "aliases": numbered("const a0=browser;", "const a#=a@;", "a#.foo()"),
    "aliases without declarations": numbered("a0=browser;", "a#=a@;", "a#.foo()"),
    "aliases of members": numbered("const a0=browser;", "const a#=a@.b;", "a#.foo()"),
    "functions that call others": numbered("const f0=()=>browser;", "const f#=()=>f@();", "f#().foo()"),
    "functions that pass on": numbered("function f0(a){a.foo()}", "function f#(a){f@(a)}", "f#(browser)"),
    "conditions by name": numbered("const c0=browser.a;", "const c#=c@&&x;", "if(c#)browser.a()"),
    "conditions by function": numbered(
        "function c0(){return !!browser.a}", "function c#(){return c@()}", "if(c#())browser.a()"
    ),
    "objects by name": numbered("const o0={t:browser};", "const o#={o:o@};", "browser.test.log(o#)"),
    "arrays by name": numbered("const o0=[browser];", "const o#=[o@];", "browser.test.log(o#)"),
    "objects that are filled": numbered("const o0={t:browser};", "const o#={};o#.o=o@;", "o#.o.o.t.foo()"),
    "classes by name": numbered(
        "class A0{get t(){return browser}}", "class A#extends A@{}", "new A#().t.foo()"
    ),
}


@pytest.mark.parametrize("name", some(DEEP, 6))
def test_mistakes_around_deep_nesting_are_found(name: str) -> None:
    found = finding_lines(f"{USE};\n{DEEP[name](DEPTH)};\n{USE};")
    assert found[0] == ("a.js", 1)
    assert found[-2:] == [("a.js", 3), ("b.js", 1)]


@pytest.mark.parametrize("name", ["members", "a sequence", "parentheses", "arrows", "blocks"])
def test_very_deep_nesting(name: str) -> None:
    assert finding_lines(f"{USE};\n{DEEP[name](10_000)};\n{USE};")[-2:] == [("a.js", 3), ("b.js", 1)]


@pytest.mark.parametrize("depth", [20, DEPTH, 1_000])
def test_nested_calls_are_evaluated(depth: int) -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": numbered("const f0=()=>browser;", "const f#=()=>f@();", "f#().management.getAll()")(depth),
    }
    rules = ["incomplete-analysis", "unsupported-api"]
    assert [each.rule for each in lint(files, rules)] == ["unsupported-api"]


def call_cycle(count: int) -> str:
    """Returns functions that each call the previous one; the first one calls the last."""
    make = numbered(f"const f0=()=>x?f{count}():browser;", "const f#=()=>f@();", "f#().management.getAll()")
    return make(count)


@pytest.mark.parametrize("count", [20, 300, fixpoint.MAX_DEPTH - 10])
def test_call_cycle_is_evaluated(count: int) -> None:
    assert incomplete_in_call_cycle(count) == []


def test_abandoned_query_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Abandoned queries are retried about fifty times, so the limit on waiting queries is lowered here."""
    monkeypatch.setattr(fixpoint, "MAX_DEPTH", 100)
    assert incomplete_in_call_cycle(80) == []
    assert incomplete_in_call_cycle(150) == ["a.js"]


def incomplete_in_call_cycle(count: int) -> list[str]:
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": call_cycle(count)}
    return [each.path for each in lint(files, ["incomplete-analysis"])]


def finding_lines(script: str) -> list[tuple[str, int]]:
    """Returns the lines of the unsupported member, once in another script that runs with this one."""
    files = {
        "manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}),
        "a.js": script,
        "b.js": f"{USE};",
    }
    return [(each.path, each.span.start.line) for each in lint(files, ["unsupported-api"])]


def module_chain(count: int, body: str) -> Files:
    """Returns modules that each import from the next; the last one exports the API."""
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
            numbered("const a0=()=>next;", "const a#=()=>a@();", "export const api=a#();")(30),
            True,
            id="calls",
        ),
        pytest.param(
            surrounded("const o=", nested("{a:", "next", "}"), ";export const api=o")(50) + ".a" * 50,
            False,
            id="objects",
        ),
    ],
)
def test_long_module_chain(body: str, is_followed: bool) -> None:
    found = lint(module_chain(20, body), ["unsupported-api"])
    own, imported = ("a.js", 32), ("a.js", 61)
    assert [(each.path, each.span.start.column) for each in found] == [own, *([imported] * is_followed)]


@stack.checking_package
def free_calls() -> int:
    """Returns the number of calls that Python allows while a package is checked."""
    return len(inspect.stack(0)) - sys.getrecursionlimit()


def free_calls_below(depth: int) -> int:
    return free_calls_below(depth - 1) if depth else free_calls()


def test_free_calls_do_not_depend_on_caller_depth() -> None:
    assert free_calls_below(0) == free_calls_below(30)


Dependencies: TypeAlias = Mapping[int, tuple[int, ...]]
"""The number of each query, with the queries its result depends on."""

NUMBER = Literal(Kind.NUMBER, 1)


def result_of(answers: fixpoint.Fixpoint, questions: Dependencies, key: int) -> Value:
    """Returns the result of a query: the union of its dependencies' results, or a number without any."""

    def find() -> Value:
        dependencies = questions[key]
        return (
            union_of(result_of(answers, questions, each) for each in dependencies) if dependencies else NUMBER
        )

    return answers.query(key, find)


def chain(start: int, end: int) -> dict[int, tuple[int, ...]]:
    return {at: (at + 1,) for at in range(start, end)}


GRAPHS: dict[str, Dependencies] = {
    "a chain": chain(0, 1_000) | {1_000: ()},
    "a cycle": chain(0, 15) | {15: (0, 16), 16: ()},
    "a cycle at the end of a chain": chain(0, 1_000) | {1_000: (990, 1_001), 1_001: ()},
    "a cycle at the start of a chain": chain(0, 1_000) | {10: (0, 11), 1_000: ()},
    "a cycle inside a cycle": chain(0, 15) | {8: (5, 9), 15: (0, 16), 16: ()},
    "a comb": chain(0, 500) | {at: (at + 1, at + 1_000) for at in range(500)} | {500: ()}
    | chain(1_000, 1_600) | {1_600: ()},
}  # fmt: skip


@pytest.mark.parametrize("questions", GRAPHS.values(), ids=GRAPHS.keys())
def test_result_does_not_depend_on_query_order(
    questions: Dependencies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fixpoint, "MAX_DEPTH", 30)
    for order in ([0, 3, 13], [13, 3, 0]):
        answers = fixpoint.Fixpoint()
        assert [result_of(answers, questions, key) for key in order] == [NUMBER] * 3
        assert not answers.has_hit_depth_limit


@stack.checking_package
def test_query_chain_takes_linear_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixpoint, "MAX_DEPTH", 100)
    lookups: list[int] = []

    class Chain(dict[int, tuple[int, ...]]):
        def __getitem__(self, key: int) -> tuple[int, ...]:
            lookups.append(key)
            return (key + 1,) if key < 4_000 else ()

    assert result_of(fixpoint.Fixpoint(), Chain(), 0) == NUMBER
    assert len(lookups) < 4 * 4_000


@pytest.mark.parametrize(("name", "value"), [("MAX_DEPTH", 20), ("MAX_WAITING", 0), ("MAX_BROKEN_OFF", 3)])
def test_exceeded_query_limit_is_reported(name: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixpoint, name, value)
    answers = fixpoint.Fixpoint()
    endless = chain(0, 3_000) | {3_000: (0,)}
    assert result_of(answers, endless, 0) == UNKNOWN
    assert answers.has_hit_depth_limit


def test_stack_is_large_enough() -> None:
    before = sys.getrecursionlimit()
    assert stack.checking_package(sys.getrecursionlimit)() - 1_000 > 14 * stack.MAX_WAITING
    assert sys.getrecursionlimit() == before


CALLS = 1_000


def page_faults(depth: int) -> int:
    """Returns the number of page faults during many consecutive calls at a stack depth."""
    if depth:
        return page_faults(depth - 1)
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        chain(0, 0)
    found: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return found


@stack.checking_package
def test_calls_reuse_stack_memory_at_every_depth() -> None:
    assert max(map(page_faults, range(150))) < CALLS / 2
