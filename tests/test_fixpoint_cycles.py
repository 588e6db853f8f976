"""In a cycle of queries, only those with changed inputs are evaluated again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.values import NOTHING, UNKNOWN, Kind, Literal, Value, union_of
from extlint.analysis.syntax.tree import Budget, BudgetExceeded
from extlint.analysis.values.evaluator import View
from extlint.analysis.values.fixpoint import Fixpoint
from extlint.analysis.values.stack import checking_package

Equation = Callable[[Callable[[int], Value]], Value]
"""Computes the result of a query from the results of other queries, identified by number."""


class Queries:
    """Queries by number, each with its equation and its number of evaluations."""

    def __init__(self, rules: dict[int, Equation]) -> None:
        self.equations = rules
        self.evaluated: Counter[int] = Counter()
        self.steps = 0
        self.fixpoint = Fixpoint(self._spend)

    @checking_package
    def result(self, key: int) -> Value:
        return self.ask(key)

    def ask(self, key: int) -> Value:
        def find() -> Value:
            self.evaluated[key] += 1
            return self.equations[key](self.ask)

        return self.fixpoint.query(key, find)

    def _spend(self, steps: int) -> None:
        self.steps += steps


def number(value: int) -> Value:
    return Literal(Kind.NUMBER, value)


def same_as(*others: int) -> Equation:
    return lambda ask: union_of(map(ask, others))


def cycle(size: int, last: Equation) -> dict[int, Equation]:
    """Returns queries with the same result as the next one, except for the last."""
    return {at: same_as(at + 1) for at in range(size - 1)} | {size - 1: last}


SIZE = 300


def test_cycle_that_converges_at_once_is_evaluated_once() -> None:
    queries = Queries(cycle(SIZE, lambda ask: union_of([ask(0), number(1)])))
    assert queries.result(0) == number(1)
    assert queries.evaluated == {at: 2 if at == SIZE - 1 else 1 for at in range(SIZE)}
    assert queries.steps == SIZE


def test_only_changing_queries_are_evaluated_again() -> None:
    """A long cycle with a result independent of its start, and a short one with a dependent result."""

    def one(ask: Callable[[int], Value]) -> Value:
        ask(0)
        return number(1)

    def two_or_three(ask: Callable[[int], Value]) -> Value:
        return union_of([number(2)] if ask(0) == NOTHING else [number(2), number(3)])

    rules = cycle(SIZE, one) | {0: same_as(1, 1_000), 1_000: same_as(1_001), 1_001: two_or_three}
    queries = Queries(rules)
    assert queries.result(0) == union_of([number(1), number(2), number(3)])
    assert {key for key, count in queries.evaluated.items() if count > 1} == {0, 1_000, 1_001, SIZE - 1}
    assert queries.evaluated.total() < SIZE + 4 * 4


def test_result_that_keeps_changing_becomes_unknown() -> None:
    count = 0

    def next_number(ask: Callable[[int], Value]) -> Value:
        nonlocal count
        count += 1
        return union_of([ask(0), number(count)])

    queries = Queries(cycle(SIZE, next_number))
    assert queries.result(0) == UNKNOWN


def test_results_of_a_cycle_are_cached() -> None:
    queries = Queries(cycle(SIZE, lambda ask: union_of([ask(0), number(1)])))
    queries.result(SIZE // 2)
    before = queries.evaluated.total()
    assert {str(queries.result(at)) for at in range(SIZE)} == {str(number(1))}
    assert queries.evaluated.total() == before


def function_cycle(size: int) -> str:
    """Returns functions that pass a value around a cycle, and also store it in globals."""

    def function(at: int) -> str:
        following, other = (at + 1) % size, at * 7 % size
        return f"function f{at}(x) {{ self.g{at} = x; return x.next ? f{following}(x) : self.g{other}; }}"

    functions = "\n".join(map(function, range(size)))
    return f"(function () {{\n{functions}\nf0(self.g0).browser.test.log(1);\n}})();"


def count_evaluations(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    counted = 0
    evaluate = View.partial

    def counting(view: View, *asked: object) -> Value:
        nonlocal counted
        counted += 1
        return evaluate(view, *asked)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(View, "partial", counting)
        facts = checking_package(analyze)(text.encode(), "a.js")
    assert facts.omission is None
    return counted


def test_cycle_through_globals_takes_linear_work(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (count_evaluations(function_cycle(size), monkeypatch) for size in (40, 160))
    assert large < 5 * small


@pytest.mark.parametrize("step", [7, 11, 500])
def test_cycle_that_takes_too_much_work_is_tried_a_few_times(step: int) -> None:
    size, steps = 2_000, 20_000
    budget = Budget(0)

    def costly(equation: Equation) -> Equation:
        def compute(ask: Callable[[int], Value]) -> Value:
            budget.spend(1)
            return equation(ask)

        return compute

    queries = Queries({at: costly(same_as((at + 1) % size, at * step % size)) for at in range(size)})
    queries.fixpoint = Fixpoint(budget.spend)
    failed = 0
    for at in range(size):
        budget.limit = budget.spent + steps
        try:
            queries.result(at)
        except BudgetExceeded:
            queries.fixpoint.abandon()
            failed += 1
    assert 0 < failed < 10
    assert budget.spent < 10 * steps
