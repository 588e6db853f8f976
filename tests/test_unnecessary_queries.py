"""Results that are not computed because nothing uses them, however much code is behind them."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.values import UNKNOWN
from extlint.analysis.follow import evaluator_of
from extlint.analysis.timing.continuations import takes_time
from extlint.analysis.values.condition_values import truth_of
from extlint.analysis.values.fixpoint import Fixpoint

AWAIT = "await_expression"

UNCERTAIN_FUNCTION = "function f{at}() {{ return unknown() || f{next}(); }}\n"
"""Queries for all possible values of a call continue here; those without use for unknown values stop."""

FORWARDING_FUNCTION = "function f{at}() {{ return f{next}(); }}\n"

CERTAIN = {
    "a message": "chrome.runtime.sendMessage({a: f0()});",
    "a message to a tab": "chrome.tabs.sendMessage(1, f0(), {frameId: 0});",
    "a stored value": "chrome.storage.local.set({a: f0()});",
    "a member that others write": (
        "class A { constructor() { this.state = {}; } run() { chrome.tabs.remove(this.state.a); } }"
        "other.state = f0();"
    ),
}


class Counter:
    """Counts the computed results."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        answer = Fixpoint._answer

        def counted(*given: object) -> object:
            self.count += 1
            return answer(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(Fixpoint, "_answer", counted)


def program(use: str, function: str, count: int) -> bytes:
    """Returns a script with the given number of functions that each call the next."""
    functions = "".join(function.format(at=at, next=at + 1) for at in range(count))
    return f"{functions}function f{count}() {{ return unknown(); }}\n{use}\n".encode()


def computed_results(monkeypatch: pytest.MonkeyPatch, use: str, function: str, count: int) -> int:
    with monkeypatch.context() as patched:
        counter = Counter(patched)
        analyze(program(use, function, count), "a.js")
    return counter.count


@pytest.mark.parametrize("use", CERTAIN.values(), ids=CERTAIN)
def test_queries_stop_at_unknown_values(monkeypatch: pytest.MonkeyPatch, use: str) -> None:
    few, many = (computed_results(monkeypatch, use, UNCERTAIN_FUNCTION, count) for count in (2, 40))
    assert few == many > 0


def test_value_of_an_unused_field_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is followed into a variable, which nothing reads."""
    use = "function g() { const a = {tabs: chrome.tabs, b: f0()}; }"
    few, many = (computed_results(monkeypatch, use, FORWARDING_FUNCTION, count) for count in (2, 40))
    assert few == many > 0


def test_async_result_is_computed_only_while_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No promise is created from it first, because that would be a promise of all possible values."""
    text = program("async function g() { return f0(); } async () => await g();", UNCERTAIN_FUNCTION, 40)
    evaluator = evaluator_of(text, "a.js")
    assert evaluator is not None
    awaited = next(up for up in evaluator.tree.leaf_at(text.rindex(b"g()")).ancestors() if up.type == AWAIT)
    counter = Counter(monkeypatch)
    assert evaluator.value(awaited) == UNKNOWN
    assert counter.count < 10


@pytest.mark.parametrize(("template", "truth"), [("`a${f0()}`", True), ("`${f0()}`", None), ("``", False)])
def test_truth_of_a_template_string(
    monkeypatch: pytest.MonkeyPatch, template: str, truth: bool | None
) -> None:
    text = program(f"use({template})", FORWARDING_FUNCTION, 40)
    evaluator = evaluator_of(text, "a.js")
    assert evaluator is not None
    leaf = evaluator.tree.leaf_at(text.rindex(template.encode()))
    found = next(up for up in (leaf, *leaf.ancestors()) if up.type == "template_string")
    counter = Counter(monkeypatch)
    assert truth_of(evaluator, found) is truth
    assert evaluator.api(found) is None
    assert truth is not True or counter.count == 0


@pytest.mark.parametrize(("start", "takes"), [("fetch('a')", True), ("new Promise(f0)", False)])
def test_promise_chain_members_are_not_treated_as_the_api(
    monkeypatch: pytest.MonkeyPatch, start: str, takes: bool
) -> None:
    chain = start + ".then((a) => f0(a)).catch(f0)" * 10
    text = program(f"{chain};", FORWARDING_FUNCTION, 40)
    evaluator = evaluator_of(text, "a.js")
    assert evaluator is not None
    leaf = evaluator.tree.leaf_at(text.index(start.encode()))
    whole = next(up for up in leaf.ancestors() if up.type == "expression_statement").named()[0]
    counter = Counter(monkeypatch)
    assert takes_time(evaluator, whole) is takes
    assert counter.count < 10
