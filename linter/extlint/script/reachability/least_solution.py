"""The least solution of equations between sets, like call paths, that may depend on one another in circles.

An equation is evaluated when it is asked for. One that is asked for during its own evaluation has the answer
found so far, at first the least one; what used it is evaluated again once there is a greater one. That is
done in rounds, each of which evaluates an equation at most once: functions that call one another take a few
evaluations each, however many ways lead around the circle.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from typing import Generic, TypeVar

_Answer = TypeVar("_Answer")

MAX_ROUNDS = 100
"""Rounds after which the answer that is asked for becomes the greatest one."""


class LeastSolution(Generic[_Answer]):
    """Solves equations, each known by a key of its own, and keeps what was found."""

    def __init__(
        self, least: _Answer, greatest: _Answer, joined: Callable[[_Answer, _Answer], _Answer]
    ) -> None:
        """`joined` is the least answer that two are part of."""
        self._least = least
        self._greatest = greatest
        self._joined = joined
        self._found: dict[Hashable, _Answer] = {}
        self._stable: set[Hashable] = set()
        """The equations that hold for what was found so far."""
        self._users: dict[Hashable, set[Hashable]] = {}
        """The equations in whose evaluation one was used."""
        self._open: dict[Hashable, None] = {}
        """The equations under evaluation, the innermost last."""
        self._evaluated: set[Hashable] = set()
        """The equations that were evaluated in this round."""
        self.evaluations = 0
        """How many equations were evaluated since the outermost was asked for."""

    def holds(self, key: Hashable) -> bool:
        """Whether to solve an equation takes no evaluation, for now."""
        return key in self._stable or key in self._evaluated

    def solve(self, key: Hashable, equation: Callable[[], _Answer]) -> _Answer:
        """The answer of an equation, which may call this for others.

        What `equation` raises is passed on, and has no influence on what is found later.
        """
        if not self._open:
            if key not in self._stable:
                self._solve_outermost(key, equation)
        else:
            user = next(reversed(self._open))
            self._users.setdefault(key, set()).add(user)
            if not self.holds(key):
                self._evaluate(key, equation)
            elif key not in self._stable:
                self._stable.discard(user)
                self._unsettle(user)
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
            found = self._joined(before, equation())
            is_done = True
        finally:
            self._open.popitem()
            if not is_done:
                self._stable.discard(key)
                self._unsettle(key, but=self._open.keys())
        if found != before:
            self._found[key] = found
            self._unsettle(key)

    def _unsettle(self, key: Hashable, but: Set[Hashable] = frozenset()) -> None:
        """Has what used an equation evaluated in the next round, and what used that, but for some."""
        changed = [key]
        while changed:
            users = self._users.pop(changed.pop(), set()) - but
            changed += users & self._stable
            self._stable -= users
