"""Scripts that no browser can run, and valid scripts that a grammar rejects."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze
from extlint.analysis.syntax.parse import with_marks

BROKEN = {
    "an open call": ("browser.x(", "`(` is never closed", "("),
    "an open object": ("browser.x({a: 1", "`{` is never closed", "{"),
    "an open block": ("function f() { browser.x();", "`{` is never closed", "{"),
    "an open string": ("browser.x('abc", "`(` is never closed", "("),
    "an open template": ("browser.x(`a${b", "`${` is never closed", "${"),
    "a bracket too many": ("browser.x());", "this `)` has no matching opening bracket", ")"),
    "a brace too many": ("browser.x() }", "this `}` has no matching opening bracket", "}"),
    "crossed brackets": ("browser.x({ a: 1 ); y({})", "`{` is never closed", "{"),
}


@pytest.mark.parametrize(("source", "message", "text"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_script_has_a_problem(source: str, message: str, text: str) -> None:
    problem = analyze(source.encode(), "a.js").problem
    assert problem is not None
    assert problem.message == message
    assert source[slice(*problem.span)] == text


VALID = {
    "a variable named using": "var using = function () { browser.x() }",
    "markup whose text holds an arrow": "const a = <p>more -> {b(' ')} browser.x() -> {'</p>; f(",
    "a variable named yield": "function f() { yield = 1; browser.x() }",
    "a method named await": "class A { await(a) { browser.x() } get await () { return 1 } }",
    "a loop that awaits": "async () => { for  await (const a of b) browser.x(await (a)) }",
    "a variable named of": "for (of of of) browser.x()",
    "an export with attributes": 'export * as ns from "x" with { type: "json" }; browser.x()',
    "a deferred import": 'import defer * as x from "x"; browser.x()',
    "a decorator": "@(a.b) class A { m() { browser.x() } }",
    "an accessor": "class A { accessor a = browser.x() }",
    "a bad escape in a tagged template": r"tag`\u{`; browser.x()",
    "NUL in a string": "'\0('; browser.x()",
    "brackets in a regular expression": "browser.x(/[(]/, /\\(/)",
    "brackets in a string": "browser.x('(', \"{\", `[`)",
    "brackets in a comment": "browser.x() // (\n/* { */",
    "JSX": "browser.x(<a b={c}>{d} :( </a>)",
    "types in JavaScript": "function f(a: string, b?: {c: number}): void { browser.x() }",
    "a script that stops in prose": "browser.x();\nthis is not code",
}


AWAITING = {
    "a call": ("await (a).b()", "!     (a).b()"),
    "no space": ("x=await(a)", "x=!    (a)"),
    "a loop": ("for await (a of b);", "for await (a of b);"),
    "a property": ("a.await (b)", "a.await (b)"),
    "a part of a name": ("$await (a); awaits (b)", "$await (a); awaits (b)"),
    "spaces after a not": ("await (a); !    b", "await (a); !    b"),
}


@pytest.mark.parametrize(("source", "marked"), AWAITING.values(), ids=AWAITING.keys())
def test_await_is_masked_for_the_parser(source: str, marked: str) -> None:
    assert with_marks(source.encode()).decode() == marked


@pytest.mark.parametrize("source", VALID.values(), ids=VALID.keys())
def test_valid_script_has_no_problem(source: str) -> None:
    assert analyze(source.encode(), "a.js").problem is None
