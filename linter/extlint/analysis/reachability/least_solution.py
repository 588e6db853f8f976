"""Finds the least solution of equations between sets, such as call paths, which may form cycles.

An equation is evaluated on demand. If it is requested during its own evaluation, its partial result is
returned, at first the least one; the equations that used it are evaluated again once there is a greater one.
That is done in rounds that evaluate each equation at most once: functions that call one another take a few
evaluations each, however many ways lead around the cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from typing import Generic, TypeVar

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
