"""Scripts that no browser can run, and scripts that only look like it to a grammar."""

from __future__ import annotations

import pytest

from extlint.script.analyse import analyse

BROKEN = {
    "an open call": ("browser.x(", "`(` is never closed", "("),
    "an open object": ("browser.x({a: 1", "`{` is never closed", "{"),
    "an open block": ("function f() { browser.x();", "`{` is never closed", "{"),
    "an open string": ("browser.x('abc", "`(` is never closed", "("),
    "an open template": ("browser.x(`a${b", "`${` is never closed", "${"),
    "a bracket too many": ("browser.x());", "nothing is open that this `)` could close", ")"),
    "a brace too many": ("browser.x() }", "nothing is open that this `}` could close", "}"),
    "crossed brackets": ("browser.x({ a: 1 ); y({})", "`{` is never closed", "{"),
}


@pytest.mark.parametrize(("source", "message", "text"), BROKEN.values(), ids=BROKEN.keys())
def test_broken(source: str, message: str, text: str) -> None:
    problem = analyse(source.encode(), "a.js").problem
    assert problem is not None
    assert problem.message == message
    assert source[slice(*problem.span)] == text


VALID = {
    "a variable named using": "var using = function () { browser.x() }",
    "markup whose text holds an arrow": "const a = <p>more -> {b(' ')} browser.x() -> {'</p>; f(",
    "a variable named yield": "function f() { yield = 1; browser.x() }",
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


@pytest.mark.parametrize("source", VALID.values(), ids=VALID.keys())
def test_not_called_broken(source: str) -> None:
    assert analyse(source.encode(), "a.js").problem is None
