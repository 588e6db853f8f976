"""A query that exceeds its budget loses only its own result, and the script is reported as incomplete."""

from __future__ import annotations

import pytest
from thorough import is_thorough

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.omissions import Reason
from extlint.analysis.syntax import tree
from extlint.analysis.syntax.tree import MAX_STEPS_PER_QUERY, Budget, BudgetExceeded

EXPENSIVE_CALL = "browser.test.log({" + ",".join(f"a{each}: f({each})" for each in range(1_000)) + "});"
"""A call that exceeds its budget if a script is allowed few steps."""


@pytest.fixture
def _few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_STEPS", 10_000)
    monkeypatch.setattr(tree, "MAX_STEPS_PER_BYTE", 3)


SCRIPTS = {
    "a hard question": EXPENSIVE_CALL,
    "several": EXPENSIVE_CALL * 5,
    "one in a function": f"function f() {{ {EXPENSIVE_CALL} }}",
    "one behind a name": f"const api = browser.test; {EXPENSIVE_CALL.replace('browser.test', 'api')}",
    "one in an export": f"export const a = {EXPENSIVE_CALL}",
}


@pytest.mark.usefixtures("_few_steps")
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_code_around_an_expensive_query_is_found(script: str) -> None:
    facts = analyze(f"browser.before();\n{script}\nbrowser.after();\n".encode(), "a.js")
    assert facts.omission is not None
    assert facts.omission.reason is Reason.WORK
    called = {each.path for each in facts.calls}
    assert called >= {("before",), ("after",)}
    assert {each.path for each in facts.references} >= called


EXPENSIVE_CONDITION = "const a0 = x;" + "".join(f"const a{at} = a{at - 1} || x;" for at in range(1, 900))
"""Variables that make evaluating the last one, `a899`, too expensive."""

CALL = "browser.test.log(1);"

EXPENSIVE_TO_REACH = {
    "behind a condition": f"if (a899) {CALL}",
    "after an early exit": f"function f() {{ if (a899) return; {CALL} }} f();",
    "in a case": f"switch (a899) {{ case browser.a: {CALL} }}",
    "in a function that is called behind a condition": f"function f() {{ {CALL} }} if (a899) f();",
    "in one that is called by another": f"function f() {{ {CALL} }} function g() {{ if (a899) f(); }} g();",
}


@pytest.mark.usefixtures("_few_steps")
@pytest.mark.parametrize("script", EXPENSIVE_TO_REACH.values(), ids=EXPENSIVE_TO_REACH.keys())
def test_guards_of_a_call_are_a_separate_query(script: str) -> None:
    """The call is found, and is assumed to be covered by any guard."""
    facts = analyze((EXPENSIVE_CONDITION + script).encode(), "a.js")
    assert facts.omission is not None
    assert ("test", "log") in {each.path for each in facts.calls}
    guards = next(each.guards for each in facts.references if each.path == ("test", "log"))
    assert (guards.unknown, guards.browser_tested, guards.conditional) == (True, True, True)
    assert guards.is_tested(("test",))
    assert guards.is_granted({"tabs"})


@pytest.mark.usefixtures("_few_steps")
def test_one_unguarded_caller_makes_the_guards_known() -> None:
    script = f"function f() {{ {CALL} }} if (a899) f(); f();"
    facts = analyze((EXPENSIVE_CONDITION + script).encode(), "a.js")
    assert [each.guards.unknown for each in facts.references if each.path[-1] == "log"] == [False]


def test_part_leaves_budget_for_the_rest_of_the_query() -> None:
    new_budget = Budget(0)
    with new_budget.query(), pytest.raises(BudgetExceeded), new_budget.optional_part():
        new_budget.spend(MAX_STEPS_PER_QUERY)
    new_budget = Budget(0)
    with new_budget.query():
        with new_budget.optional_part():
            new_budget.spend(MAX_STEPS_PER_QUERY // 2)
            with new_budget.shared_work():
                new_budget.spend(MAX_STEPS_PER_QUERY)
        new_budget.spend(MAX_STEPS_PER_QUERY // 2)
        with pytest.raises(BudgetExceeded):
            new_budget.spend(1)


@pytest.mark.usefixtures("_few_steps")
def test_position_of_expensive_query_is_reported() -> None:
    before = b"browser.before();\n"
    facts = analyze(before + EXPENSIVE_CALL.encode(), "a.js")
    assert facts.omission is not None
    assert facts.omission.places == ((len(before), len(before) + len("browser")),)


def test_larger_budget_completes_the_script() -> None:
    facts = analyze(EXPENSIVE_CALL.encode(), "a.js")
    assert facts.complete
    assert len(facts.calls) == 1


def test_any_number_of_uses_is_found() -> None:
    count = 20_001 if is_thorough() else 4_001
    facts = analyze(b"browser.a;" * count, "a.js")
    assert facts.complete
    assert len(facts.references) == count


def test_root_mentions_do_not_define_a_global() -> None:
    facts = analyze(b"browser;" * (20_001 if is_thorough() else 4_001), "a.js")
    assert facts.complete
    assert facts.globals == {}


def count_steps(script: bytes) -> int:
    """Returns the number of steps that the analysis of a script takes."""
    budgets: list[Budget] = []
    with pytest.MonkeyPatch.context() as patch:
        begin = Budget.__init__

        def noted(self: Budget, length: int) -> None:
            begin(self, length)
            budgets.append(self)

        patch.setattr(Budget, "__init__", noted)
        analyze(script, "a.js")
    return sum(each.spent for each in budgets)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(b"browser.a();", id="uses"),
        pytest.param(b"browser;", id="mentions"),
        pytest.param(b"browser.test.log({a: f(1), b: f(2)});", id="arguments"),
    ],
)
def test_steps_grow_linearly_with_length(script: bytes) -> None:
    assert count_steps(script * 80) < 2.2 * count_steps(script * 40)


def test_query_has_its_own_budget() -> None:
    new_budget = Budget(1_000_000)
    with pytest.raises(BudgetExceeded), new_budget.query():
        new_budget.spend(MAX_STEPS_PER_QUERY + 1)
    with new_budget.query():
        new_budget.spend(MAX_STEPS_PER_QUERY)
    with pytest.raises(BudgetExceeded):
        new_budget.spend(new_budget.total)


def test_nested_queries_do_not_count_for_the_outer_query() -> None:
    new_budget = Budget(0)
    share = MAX_STEPS_PER_QUERY
    with new_budget.query():
        with new_budget.query():
            new_budget.spend(share // 2)
        with new_budget.shared_work():
            new_budget.spend(2 * share)
        new_budget.spend(share)
        with pytest.raises(BudgetExceeded):
            new_budget.spend(1)


def test_exhausted_budget_starts_no_query() -> None:
    new_budget = Budget(0)
    with pytest.raises(BudgetExceeded):
        new_budget.spend(new_budget.total + 1)
    with pytest.raises(BudgetExceeded), new_budget.query():
        new_budget.spend(1)


def test_calls_are_found_if_budget_is_spent_on_other_facts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tree, "MAX_STEPS", 10_000)
    monkeypatch.setattr(tree, "MAX_STEPS_PER_BYTE", 0)
    names = (f"let name{at} = 1; {{ let name{at} = 2; }}" for at in range(2_500))
    facts = analyze(f"{CALL}\n{{ {' '.join(names)} }}\n".encode(), "a.js")
    assert {each.path for each in facts.calls} == {("test", "log")}
    assert facts.omission is not None
    assert facts.omission.reason is Reason.WORK


def test_search_for_awaits_counts_for_no_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_STEPS", 60_000)
    monkeypatch.setattr(tree, "MAX_STEPS_PER_BYTE", 0)
    facts = analyze(f"{CALL}\nasync function f() {{ {'await g(); ' * 3_000} }}\n".encode(), "a.js")
    assert {each.path for each in facts.calls} == {("test", "log")}
    assert facts.omission is None


def _handler(own: int) -> str:
    calls = " ".join(f"if (m.a{at}) h{at}(m, r);" for at in range(6) if at != own)
    return f"function h{own}(m, r) {{ {calls} }}"


LISTENER = "chrome.runtime.onMessage.addListener((m, s, r) => h0(m, r));\n" + "\n".join(
    map(_handler, range(6))
)
"""A listener and functions that call one another, which cause many queries after the script is read."""


def test_any_step_limit_gives_a_partial_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_STEPS_PER_BYTE", 0)
    monkeypatch.setattr(tree, "MIN_STEPS_PER_QUERY", 10)
    for steps in range(100, 3_200, 100):
        monkeypatch.setattr(tree, "MAX_STEPS", steps)
        facts = analyze(LISTENER.encode(), "a.js")
        assert facts.omission is not None
        assert facts.omission.reason is Reason.WORK
