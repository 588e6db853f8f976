"""Equations between call paths, solved on demand for the least solution."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.analysis.facts.script_facts import Guards
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, LeastSolution, Paths, combined, union

Terms = list[tuple[int | None, str]]
"""The callers of a function: other functions, or None for the top level, each with a test."""

TERMS = st.tuples(st.none() | st.integers(0, 5), st.sampled_from(["", "a", "b", "c"]))
SYSTEMS = st.lists(st.lists(TERMS, max_size=4), min_size=6, max_size=6)


def guarded_path(name: str) -> Paths:
    """Returns a path with a test of a member, or an unguarded path for an empty name."""
    return frozenset({Guards(frozenset({(name,)}))}) if name else UNGUARDED


def paths_of(terms: Terms, paths: dict[int, Paths]) -> Paths:
    """Returns the paths of a function whose callers have these paths."""
    found = NO_PATH
    for caller, test in terms:
        found = union(found, combined(guarded_path(test), UNGUARDED if caller is None else paths[caller]))
    return found


def solve_by_iteration(system: list[Terms]) -> dict[int, Paths]:
    """Returns the least solution, found by evaluating all equations until nothing changes."""
    paths = dict.fromkeys(range(len(system)), NO_PATH)
    for _ in range(100):
        after = {at: paths_of(terms, paths) for at, terms in enumerate(system)}
        if after == paths:
            return paths
        paths = after
    raise AssertionError("no solution in a hundred rounds")


class Solver:
    """Solves a system on demand. The equation `failing` raises an error when it is first evaluated."""

    def __init__(self, system: list[Terms], failing: int | None = None) -> None:
        self._system = system
        self._failing = failing
        self._solution = LeastSolution(NO_PATH, UNGUARDED, union)
        self.evaluated = Counter[int]()

    def solve(self, at: int) -> Paths:
        """Returns the paths of one function."""
        return self._solution.solve(at, partial(self._paths, at))

    def _paths(self, at: int) -> Paths:
        self.evaluated[at] += 1
        found = NO_PATH
        for caller, test in self._system[at]:
            before = UNGUARDED if caller is None else self.solve(caller)
            found = union(found, combined(guarded_path(test), before))
        if at == self._failing:
            self._failing = None
            raise TimeoutError
        return found


@given(SYSTEMS, st.permutations(range(6)))
def test_each_equation_has_its_least_solution(system: list[Terms], order: list[int]) -> None:
    solver = Solver(system)
    expected = solve_by_iteration(system)
    assert {at: solver.solve(at) for at in order} == expected
    before = solver.evaluated.total()
    assert {at: solver.solve(at) for at in order} == expected
    assert solver.evaluated.total() == before


@given(SYSTEMS, st.permutations(range(6)), st.integers(0, 5))
def test_error_does_not_affect_later_results(system: list[Terms], order: list[int], failing: int) -> None:
    solver = Solver(system, failing)
    with pytest.raises(TimeoutError):
        solver.solve(failing)
    assert {at: solver.solve(at) for at in order} == solve_by_iteration(system)


@pytest.mark.parametrize("first", [0, 1])
def test_repeated_failure_is_handled_by_the_caller(first: int) -> None:
    """The second function calls the first, which calls it back and then fails."""
    solution = LeastSolution(NO_PATH, UNGUARDED, union)
    evaluated = Counter[int]()

    def fails() -> Paths:
        evaluated[0] += 1
        solution.solve(1, uses)
        raise TimeoutError

    def uses() -> Paths:
        evaluated[1] += 1
        try:
            return solution.solve(0, fails)
        except TimeoutError:
            return UNGUARDED

    equations = [fails, uses]
    for at in (first, 1):
        try:
            assert solution.solve(at, equations[at]) == UNGUARDED
        except TimeoutError:
            assert at == 0
    assert max(evaluated.values()) <= 4


@pytest.mark.parametrize("count", [4, 8, 16, 32])
def test_mutual_recursion_takes_few_evaluations(count: int) -> None:
    """The number of paths through such a cycle exceeds `count` factorial."""
    callers: Terms = [(at, "a") for at in range(count)]
    solver = Solver([[(None, "b")], *([callers] * (count - 1))])
    assert solver.solve(count - 1) == frozenset({Guards(frozenset({("a",), ("b",)}))})
    assert max(solver.evaluated.values()) <= 3
