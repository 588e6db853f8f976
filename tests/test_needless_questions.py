"""Results that are not computed because nothing uses them, however much code is behind them."""

from __future__ import annotations

import pytest

from extlint.script.analyse import analyse
from extlint.script.facts.values import UNKNOWN
from extlint.script.follow import evaluator_of
from extlint.script.timing.deferral import takes_time
from extlint.script.values.condition_values import truth_of
from extlint.script.values.fixpoint import Fixpoint

AWAIT = "await_expression"

FOR_SOME_VALUES = "function f{at}() {{ return unknown() || f{next}(); }}\n"
"""Queries for all possible values of a call continue here; those without use for unknown values stop."""

FOR_ANY_VALUE = "function f{at}() {{ return f{next}(); }}\n"

CERTAIN = {
    "a message": "chrome.runtime.sendMessage({a: f0()});",
    "a message to a tab": "chrome.tabs.sendMessage(1, f0(), {frameId: 0});",
    "what is stored": "chrome.storage.local.set({a: f0()});",
    "a member that others write": (
        "class A { constructor() { this.state = {}; } run() { chrome.tabs.remove(this.state.a); } }"
        "other.state = f0();"
    ),
}


class Counter:
    """Counts the computed results."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers = 0
        answer = Fixpoint._answer

        def counted(*given: object) -> object:
            self.answers += 1
            return answer(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(Fixpoint, "_answer", counted)


def program(use: str, function: str, count: int) -> bytes:
    """Returns a script with the given number of functions that each call the next."""
    functions = "".join(function.format(at=at, next=at + 1) for at in range(count))
    return f"{functions}function f{count}() {{ return unknown(); }}\n{use}\n".encode()


def answers(monkeypatch: pytest.MonkeyPatch, use: str, function: str, count: int) -> int:
    with monkeypatch.context() as patched:
        counter = Counter(patched)
        analyse(program(use, function, count), "a.js")
    return counter.answers


@pytest.mark.parametrize("use", CERTAIN.values(), ids=CERTAIN)
def test_nothing_is_asked_after_what_is_unknown(monkeypatch: pytest.MonkeyPatch, use: str) -> None:
    few, many = (answers(monkeypatch, use, FOR_SOME_VALUES, count) for count in (2, 40))
    assert few == many > 0


def test_what_is_put_into_an_object_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is followed into a variable, which nothing reads."""
    use = "function g() { const a = {tabs: chrome.tabs, b: f0()}; }"
    few, many = (answers(monkeypatch, use, FOR_ANY_VALUE, count) for count in (2, 40))
    assert few == many > 0


def test_what_an_async_function_returns_is_asked_for_as_far_as_it_is_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No promise is created from it first, because that would be a promise of all possible values."""
    text = program("async function g() { return f0(); } async () => await g();", FOR_SOME_VALUES, 40)
    evaluator = evaluator_of(text, "a.js")
    assert evaluator is not None
    awaited = next(up for up in evaluator.tree.leaf_at(text.rindex(b"g()")).ancestors() if up.type == AWAIT)
    counter = Counter(monkeypatch)
    assert evaluator.certain.value(awaited) == UNKNOWN
    assert counter.answers < 10


@pytest.mark.parametrize(("template", "truth"), [("`a${f0()}`", True), ("`${f0()}`", None), ("``", False)])
def test_a_text_with_something_in_it_counts_as_true(
    monkeypatch: pytest.MonkeyPatch, template: str, truth: bool | None
) -> None:
    text = program(f"use({template})", FOR_ANY_VALUE, 40)
    evaluator = evaluator_of(text, "a.js")
    assert evaluator is not None
    leaf = evaluator.tree.leaf_at(text.rindex(template.encode()))
    found = next(up for up in (leaf, *leaf.ancestors()) if up.type == "template_string")
    counter = Counter(monkeypatch)
    assert truth_of(evaluator, found) is truth
    assert evaluator.api(found) is None
    assert truth is not True or counter.answers == 0


@pytest.mark.parametrize(("start", "takes"), [("fetch('a')", True), ("new Promise(f0)", False)])
def test_no_member_of_a_chain_of_promises_is_taken_for_the_api(
    monkeypatch: pytest.MonkeyPatch, start: str, takes: bool
) -> None:
    chain = start + ".then((a) => f0(a)).catch(f0)" * 10
    text = program(f"{chain};", FOR_ANY_VALUE, 40)
    evaluator = evaluator_of(text, "a.js")
    assert evaluator is not None
    leaf = evaluator.tree.leaf_at(text.index(start.encode()))
    whole = next(up for up in leaf.ancestors() if up.type == "expression_statement").named()[0]
    counter = Counter(monkeypatch)
    assert takes_time(evaluator, whole) is takes
    assert counter.answers < 10
