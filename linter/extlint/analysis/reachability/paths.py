"""Sets of paths to a place, each with the guards on it, and the solution of equations between such sets.

Finds the least solution of equations between sets, such as call paths, which may form cycles.

An equation is evaluated on demand. If it is requested during its own evaluation, its partial result is
returned, at first the least one; the equations that used it are evaluated again once there is a greater one.
That is done in rounds that evaluate each equation at most once: functions that call one another take a few
evaluations each, however many ways lead around the cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Set
from typing import Generic, TypeAlias, TypeVar

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import NO_GUARDS, FailureHandling, Guards

Paths: TypeAlias = frozenset[Guards]
"""The guards on each path to a place. Without any path, no known code leads there."""

NO_PATH: Paths = frozenset()
UNGUARDED: Paths = frozenset({NO_GUARDS})
"""A path without any test."""

MAX_PATHS = 32
"""The maximum number of distinct paths to one place; of more, only the common guards are kept."""


def deferred(paths: Paths) -> Paths:
    """Returns the paths to code that runs later, so that nothing around its use catches its exceptions."""
    if not any(each.failure for each in paths):
        return paths
    return weakest(replace(each, failure=FailureHandling.NONE) for each in paths)


def union(first: Paths, second: Paths) -> Paths:
    """Returns the paths of both sets."""
    return weakest((*first, *second))


def combined(first: Paths, second: Paths) -> Paths:
    """Returns the paths that consist of one of each set, one after the other."""
    if second == UNGUARDED:
        return first
    if first == UNGUARDED:
        return second
    return weakest(one.combined(two) for one in first for two in second)


def weakest(paths: Iterable[Guards]) -> Paths:
    """Returns the paths, without those that have all guards of another path, and more."""
    minimal: list[Guards] = []
    for each in sorted(set(paths), key=_strength):
        if not any(_is_stronger(each, other) for other in minimal):
            minimal.append(each)
    if len(minimal) <= MAX_PATHS:
        return frozenset(minimal)
    return frozenset(
        {
            Guards(
                frozenset.intersection(*(each.tested for each in minimal)),
                min(each.failure for each in minimal),
                frozenset.intersection(*(each.missing for each in minimal)),
                runs_in=minimal[0].runs_in if len({each.runs_in for each in minimal}) == 1 else None,
            )
        }
    )


def _strength(path: Guards) -> int:
    """Returns the number of facts that hold on a path."""
    return len(path.tested) + len(path.missing) + path.failure + (path.runs_in is not None)


def _is_stronger(path: Guards, other: Guards) -> bool:
    return (
        other.tested <= path.tested
        and other.missing <= path.missing
        and other.failure <= path.failure
        and other.runs_in in {None, path.runs_in}
    )


_Answer = TypeVar("_Answer")

MAX_ROUNDS = 100
"""The maximum number of rounds, after which the requested result becomes the greatest one."""


class LeastSolution(Generic[_Answer]):
    """Solves equations, each identified by a key, and stores the results."""

    def __init__(
        self, least: _Answer, greatest: _Answer, join: Callable[[_Answer, _Answer], _Answer]
    ) -> None:
        """`join` returns the least result that includes both of its arguments."""
        self._least = least
        self._greatest = greatest
        self._join = join
        self._found: dict[Hashable, _Answer] = {}
        self._stable: set[Hashable] = set()
        """The equations that hold for the current results."""
        self._users: dict[Hashable, set[Hashable]] = {}
        """The equations whose evaluation used each equation."""
        self._open: dict[Hashable, None] = {}
        """The equations under evaluation, the innermost last."""
        self._evaluated: set[Hashable] = set()
        """The equations that were evaluated in this round."""
        self.evaluations = 0
        """The number of evaluations since the outermost equation was requested."""

    def is_current(self, key: Hashable) -> bool:
        """Whether an equation can currently be solved without an evaluation."""
        return key in self._stable or key in self._evaluated

    def solve(self, key: Hashable, equation: Callable[[], _Answer]) -> _Answer:
        """Returns the result of an equation, which may call this method for others.

        Exceptions raised by `equation` are passed on, and do not influence later results.
        """
        if not self._open:
            if key not in self._stable:
                self._solve_outermost(key, equation)
        else:
            user = next(reversed(self._open))
            self._users.setdefault(key, set()).add(user)
            if not self.is_current(key):
                self._evaluate(key, equation)
            elif key not in self._stable:
                self._stable.discard(user)
                self._invalidate_users(user)
        return self._found.get(key, self._least)

    def _solve_outermost(self, key: Hashable, equation: Callable[[], _Answer]) -> None:
        self.evaluations = 0
        try:
            for _ in range(MAX_ROUNDS):
                self._evaluated.clear()
                self._evaluate(key, equation)
                if key in self._stable:
                    break
            else:
                self._found[key] = self._greatest
                self._stable.add(key)
        finally:
            self._evaluated.clear()
        self._users.clear()

    def _evaluate(self, key: Hashable, equation: Callable[[], _Answer]) -> None:
        self._stable.add(key)
        self._evaluated.add(key)
        self._open[key] = None
        self.evaluations += 1
        before = self._found.get(key, self._least)
        found = before
        is_done = False
        try:
            found = self._join(before, equation())
            is_done = True
        finally:
            self._open.popitem()
            if not is_done:
                self._stable.discard(key)
                self._invalidate_users(key, excluded=self._open.keys())
        if found != before:
            self._found[key] = found
            self._invalidate_users(key)

    def _invalidate_users(self, key: Hashable, excluded: Set[Hashable] = frozenset()) -> None:
        """Schedules all direct and indirect users of an equation for the next round, except `excluded`."""
        changed = [key]
        while changed:
            users = self._users.pop(changed.pop(), set()) - excluded
            changed += users & self._stable
            self._stable -= users
