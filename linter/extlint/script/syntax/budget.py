"""How much work the analysis of one script may take, so that its time is bounded.

Work is counted in steps. A question has a budget of its own, so that one that is too hard costs its own
answer alone: it may take a share of what is left of the total, which is linear in the length of the script.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

MAX_STEPS = 3_000_000
"""The total of an empty script."""

MAX_STEPS_PER_BYTE = 6
"""What each byte of a script adds to the total. Real scripts need two in the mean."""

MIN_STEPS_OF_QUESTION = 2_000
"""The least budget of a question, as long as anything is left."""

MAX_STEPS_OF_QUESTION = 360_000
"""The largest budget of a question. What takes more is nothing that a script's author sees through either."""

_SHARE = 8
"""A question may take one such part of what is left."""

_PART = 3 / 4
"""What a question can do without may take so much of what that has left."""


class BudgetExceeded(Exception):  # noqa: N818
    """A question takes too much work."""


class Budget:
    """The steps that are left for one script, and for the question about it that is being answered."""

    def __init__(self, length: int) -> None:
        self.spent = 0
        self.total = MAX_STEPS + MAX_STEPS_PER_BYTE * length
        self.limit = self.total

    def spend(self, steps: int) -> None:
        """Counts steps. Raises BudgetExceeded when the question has none left."""
        self.spent += steps
        if self.spent > self.limit:
            raise BudgetExceeded

    def question(self) -> _Limited:
        """Gives a question its own budget. What it spends does not count for the question around it."""
        share = min(MAX_STEPS_OF_QUESTION, (self.total - self.spent) // _SHARE)
        share = max(MIN_STEPS_OF_QUESTION, share)
        return _Limited(self, min(self.total, self.spent + share))

    @contextmanager
    def part(self) -> Iterator[None]:
        """Leaves something for the rest of a question, of which a part is answered now."""
        outer = self.limit
        own = self.limit = self.spent + int(max(outer - self.spent, 0) * _PART)
        try:
            yield
        finally:
            self.limit = min(self.total, outer + self.limit - own)

    def common(self) -> _Limited:
        """For work that is done once for all questions: it counts for none of them, but for the total."""
        return _Limited(self, self.total)


class _Limited:
    """A limit that holds as long as this is open, and takes nothing of the one before."""

    __slots__ = ("_budget", "_limit", "_outer", "_start")

    def __init__(self, budget: Budget, limit: int) -> None:
        self._budget = budget
        self._limit = limit
        self._outer = self._start = 0

    def __enter__(self) -> None:
        budget = self._budget
        self._outer, self._start, budget.limit = budget.limit, budget.spent, self._limit

    def __exit__(self, *_: object) -> None:
        budget = self._budget
        budget.limit = min(budget.total, self._outer + budget.spent - self._start)
