"""Bounds the work, and so the time, that the analysis of one script may take.

Work is counted in steps. Each query has its own budget, so that a query that is too hard costs only its own
result: it may use a share of the remaining total, which is linear in the length of the script.
"""

from __future__ import annotations

MAX_STEPS = 3_000_000
"""The total for an empty script."""

MAX_STEPS_PER_BYTE = 6
"""The steps that each byte of a script adds to the total. Real scripts use two on average."""

MIN_STEPS_PER_QUERY = 2_000
"""The smallest budget of a query, as long as any steps remain."""

MAX_STEPS_PER_QUERY = 360_000
"""The largest budget of a query. Code that takes more is not something its author understands either."""

_SHARE = 8
"""A query may use one part in this many of the remaining total."""

_PART = 3 / 4
"""The fraction of a query's remaining budget that an optional part of it may use."""


class BudgetExceeded(Exception):  # noqa: N818
    """A query takes too much work."""


class Budget:
    """The remaining steps for one script and for its current query."""

    def __init__(self, length: int) -> None:
        self.spent = 0
        self.total = MAX_STEPS + MAX_STEPS_PER_BYTE * length
        self.limit = self.total

    def spend(self, steps: int) -> None:
        """Counts steps. Raises BudgetExceeded if the query has no steps left."""
        self.spent += steps
        if self.spent > self.limit:
            raise BudgetExceeded

    def query(self) -> _Limited:
        """Gives a query its own budget. Its steps do not count towards the enclosing query."""
        share = min(MAX_STEPS_PER_QUERY, (self.total - self.spent) // _SHARE)
        share = max(MIN_STEPS_PER_QUERY, share)
        return _Limited(self, min(self.total, self.spent + share))

    def optional_part(self) -> _Part:
        """Limits an optional part of a query, so that some budget remains for the rest of it."""
        return _Part(self)

    def shared_work(self) -> _Limited:
        """Counts work that is shared by all queries towards the total only, not towards any query."""
        return _Limited(self, self.total)


class _Part:
    """The limit of an optional part, which applies while this context is open."""

    __slots__ = ("_budget", "_limit", "_outer")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._outer = budget.limit
        self._limit = budget.spent + int(max(budget.limit - budget.spent, 0) * _PART)

    def __enter__(self) -> None:
        self._budget.limit = self._limit

    def __exit__(self, *_: object) -> None:
        budget = self._budget
        budget.limit = min(budget.total, self._outer + budget.limit - self._limit)


class _Limited:
    """A limit that applies while this context is open and does not reduce the previous limit."""

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
