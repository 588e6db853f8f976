"""The exact parser: its verdicts, positions and limits."""

from __future__ import annotations

import sys

import pytest

from extlint.analysis.facts.script_facts import SyntaxProblem, Verdict
from extlint.analysis.syntax.exact_parser import MAX_EXACT_BYTES, exact_problem


def verdict(script: str, *, is_module: bool = False) -> SyntaxProblem | Verdict:
    return exact_problem(script.encode("utf-8", "surrogatepass"), is_module=is_module)


@pytest.mark.parametrize(
    ("script", "message", "covered"),
    [
        ("const y;", "a constant requires a value", ";"),
        ("a b;", "`b` is not allowed here", "b"),
        ("x = 'é\U0001f600'; const é = 1, é = 2;", "`é` is already declared here", "é"),
        ("for (;;) f(() => { break; });", "`break` is only allowed in loops and `switch`", "break"),
        ("f(1", "the script ends before this is complete", ""),
        ("x = 'a\n", "this string is not closed on its line", "'"),
        (
            "await f();",
            "`await` is only allowed in `async` functions, and at the top of modules",
            "await",
        ),
        ("interface A { b: string }", "`interface` is TypeScript, which browsers do not run", "interface"),
        ("try { f(); }", "`try` requires `catch` or `finally`", "try"),
        ("a?.b = 1;", "this cannot be assigned to", "="),
        ("x = a || b ?? c;", "`??` requires parentheses when mixed with `||` or `&&`", "??"),
    ],
)
def test_message_and_position(script: str, message: str, covered: str) -> None:
    found = verdict(script)
    assert isinstance(found, SyntaxProblem)
    assert found.message == message
    assert script.encode()[slice(*found.span)].decode() == covered


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("f(a);", Verdict.VALID),
        ("f() = 1;", Verdict.UNKNOWN),
        ("{ using a = f(); }", Verdict.UNKNOWN),
        ("throw `a\nb`;", Verdict.UNKNOWN),
        ("const a = {{ b }};", Verdict.UNKNOWN),
        ("(" * 5_000, Verdict.UNKNOWN),
        ("f(" + "[" * 3_000 + "]" * 3_000 + ");", Verdict.UNKNOWN),
        ("x = 1" + " + 1" * 20_000, Verdict.UNKNOWN),
        ("const y;" + " " * MAX_EXACT_BYTES, Verdict.UNKNOWN),
    ],
    ids=range(9),
)
def test_verdict_that_proves_nothing(script: str, expected: Verdict) -> None:
    assert verdict(script) is expected


@pytest.mark.parametrize("module", ["esprima", "esprima.validation"])
def test_no_verdict_without_the_parser(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert verdict("const y;") is Verdict.UNKNOWN


def test_no_verdict_on_text_that_is_not_utf8() -> None:
    assert exact_problem(b"'\xff'; const y;", is_module=False) is Verdict.UNKNOWN


def test_recursion_limit_is_restored() -> None:
    limit = sys.getrecursionlimit()
    verdict("(" * 5_000)
    assert sys.getrecursionlimit() == limit
