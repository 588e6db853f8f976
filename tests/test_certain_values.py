"""Evaluation that stops at an unknown option: the result is the same otherwise, and takes fewer steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from caller_programs import parameter_program
from msgspec.structs import replace
from programs import Writer
from thorough import some

from extlint.analysis.expressions.table import EXPRESSIONS
from extlint.analysis.facts.values import (
    UNKNOWN,
    ArrayValue,
    ObjectValue,
    Union,
    Value,
    options_of,
)
from extlint.analysis.follow import evaluator_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.fixpoint import Fixpoint


def evaluator(text: str) -> Evaluator:
    found = evaluator_of(text.encode(), "a.js")
    assert found is not None
    return found


def expressions(tree: SyntaxTree) -> Iterator[Node]:
    waiting: list[Node] = [tree.root]
    while waiting:
        each = waiting.pop()
        waiting += reversed(each.named())
        if each.type in EXPRESSIONS:
            yield each


def is_equivalent(certain: Value, whole: Value) -> bool:
    """Whether a value equals the complete one, or both may be UNKNOWN; parts are compared in the same way."""
    if UNKNOWN in options_of(whole):
        return UNKNOWN in options_of(certain)
    match certain, whole:
        case Union(), Union():
            return are_equivalent_options(certain.options, whole.options)
        case ArrayValue(), ArrayValue():
            is_same = replace(certain, items=()) == replace(whole, items=())
            return is_same and are_equivalent(certain.items, whole.items)
        case ObjectValue(), ObjectValue():
            is_same = replace(certain, fields={}) == replace(whole, fields={})
            one, other = ([each.value for each in value.fields.values()] for value in (certain, whole))
            return is_same and certain.fields.keys() == whole.fields.keys() and are_equivalent(one, other)
    return certain == whole


def are_equivalent(certain: Sequence[Value], whole: Sequence[Value]) -> bool:
    return len(certain) == len(whole) and all(map(is_equivalent, certain, whole))


def are_equivalent_options(certain: Sequence[Value], whole: Sequence[Value]) -> bool:
    """Whether each option has an equivalent among the others; equivalent arrays and objects may repeat."""
    return all(any(is_equivalent(each, other) for other in whole) for each in certain) and all(
        any(is_equivalent(other, each) for other in certain) for each in whole
    )


def program(seed: int) -> str:
    random = Random(seed)
    match seed % 3:
        case 0:
            return Writer(random).program()
        case 1:
            return Writer(random).guard_program()
    return parameter_program(seed)


@pytest.fixture
def circles(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Returns the queries that depend on themselves. Their results may depend on the order of queries."""
    found: list[object] = []
    iterate = Fixpoint._iterate

    def noted(answers: Fixpoint, key: object, *others: object) -> Value:
        found.append(key)
        return iterate(answers, key, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Fixpoint, "_iterate", noted)
    return found


@pytest.mark.parametrize("seed", some(range(150), 4))
def test_certain_value_equals_complete_value_unless_unknown(seed: int, circles: list[object]) -> None:
    text = program(seed)
    one, other = evaluator(text), evaluator(text)
    for expression, alike in zip(expressions(one.tree), expressions(other.tree), strict=True):
        certain, whole = one.partial(expression), other.possible.partial(alike)
        assert is_equivalent(certain, whole) or circles, text[expression.start : expression.end]


def count_steps(text: str) -> int:
    """Returns the number of steps that the evaluation of `RESULT` takes."""
    new_evaluator = evaluator(text)
    at = new_evaluator.tree.text.rindex(b"RESULT")
    result = new_evaluator.tree.leaf_at(at)
    before = new_evaluator.tree.budget.spent
    new_evaluator.partial(result)
    assert new_evaluator.omission is None
    return new_evaluator.tree.budget.spent - before


CHAIN = "".join(f"function f{at}(x) {{ return f{at + 1}({{ x }}) }}\n" for at in range(30))
"""Functions that return objects nested in one another."""

IRRELEVANT = {
    "a comparison is a boolean": "const RESULT = OTHER === null ? 1 : 2",
    "a type is a text": "const RESULT = typeof OTHER",
    "one argument": "function f(RESULT) { RESULT } f(unknown()); f(OTHER)",
    "one assignment": "let RESULT = unknown(); if (c) RESULT = OTHER; RESULT",
    "one answer": "function f() { if (c) return unknown(); return OTHER } const RESULT = f()",
    "one branch": "const RESULT = c() ? unknown() : OTHER",
    "the first operand": "const RESULT = unknown() || OTHER",
    "a part of an object": "function f(o) { const RESULT = o.a; RESULT } f(unknown()); f({ a: OTHER })",
    "a field that is a number": "class A { a = 1; b() { const RESULT = this.a; RESULT; this.a = OTHER } }",
    "a compiler's test for its helper": "const RESULT = o.a && o.__importDefault; var o = { a: OTHER }",
    "the functions of a bundle": (
        "(t => { var c = {}; function r(k) { var m = c[k] = { exports: {} };"
        "t[k].call(m.exports, m, m.exports, r); return m.exports } r(1) })"
        "({ 1: function (m, e, r) { const RESULT = this.x; RESULT }, 2: function () { this.x = OTHER } })"
    ),
}


@pytest.mark.parametrize("text", IRRELEVANT.values(), ids=IRRELEVANT.keys())
def test_irrelevant_expressions_are_not_evaluated(text: str) -> None:
    costly, cheap = (count_steps(CHAIN + text.replace("OTHER", other)) for other in ("f1(1)", "g1(1)"))
    assert costly == cheap


UNCERTAIN = {
    "an argument": "function f(RESULT) { RESULT } f(unknown()); f('a')",
    "an assignment": "let RESULT = unknown(); if (c) RESULT = 'a'; RESULT",
    "an answer": "function f() { if (c) return unknown(); return 'a' } const RESULT = f(); RESULT",
    "a branch": "const RESULT = c() ? unknown() : 'a'; RESULT",
}


@pytest.mark.parametrize("text", UNCERTAIN.values(), ids=UNCERTAIN.keys())
def test_value_is_unknown_if_an_option_is(text: str) -> None:
    of_script = evaluator(text)
    result = of_script.tree.leaf_at(text.rindex("RESULT"))
    assert of_script.value(result) == UNKNOWN
    assert of_script.text(result) is None
    assert {text_of(each) for each in options_of(of_script.possible.value(result))} == {"a", None}
