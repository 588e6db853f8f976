"""Fixpoint iteration over values that may depend on one another, and on themselves.

`x = x || y` queries `x` in order to evaluate `x`. Such a query gets a tentative value, at first
`NOTHING`, and the queries of such a cycle are repeated until no value changes. A value that
keeps changing becomes unknown.

A query with a tentative value records the values it depended on. When repeated, it first repeats those
queries: if all return the same values as before, so does it, and nothing is evaluated. So the cost of a cycle
grows with its queries and with the values that change, not with its queries times the rounds.

The number of queries that may wait for each other is limited. Exceeding it does not fail a query: all of
them are broken off, one in the middle is evaluated by itself, and once its value is known, the others are
repeated and have only half as far to go. So the result of a query does not depend on its caller. Only
in a cycle that is longer than the limit does a query fail.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from extlint.analysis.facts.values import NOTHING, UNKNOWN, Value
from extlint.analysis.syntax.tree import BudgetExceeded
from extlint.analysis.values.stack import MAX_WAITING, are_more_waiting_than, begin_waiting, end_waiting

MAX_DEPTH = 700
"""The most queries that may wait for each other before some of them are broken off.

In bundles of React, up to 600 form one cycle.
"""

MAX_BROKEN_OFF = 100
"""The most queries that may be broken off at a time, each because of the next; beyond that, a query fails."""

_MAX_CHANGING_ROUNDS = 3
"""The rounds after which a value that still changes becomes unknown."""

_MAX_ROUNDS = 8

_NONE_OPEN = 1_000_000_000
"""An index greater than that of any open query, for values that depend on none of them."""


Query: TypeAlias = tuple[Hashable, Callable[[], Value]]
"""The key of a query, and the function that evaluates it."""


_Dependency: TypeAlias = tuple[Hashable, Callable[[], Value], Value]
"""A query made by another one, and the tentative value that it returned."""


class _BrokenOff(Exception):  # noqa: N818
    """Breaks off all open queries, because `first` must be evaluated before them."""

    def __init__(self, first: Query) -> None:
        super().__init__()
        self.first = first


def _spend_nothing(_steps: int) -> None:
    pass


class Fixpoint:
    """Caches the values of queries, each identified by its key.

    `spend` counts a step of work for each value that is checked again.
    """

    def __init__(self, spend: Callable[[int], None] = _spend_nothing) -> None:
        self._spend = spend
        self._known: dict[Hashable, Value] = {}
        self.known: Callable[[Hashable], Value | None] = self._known.get
        """Returns the final value of a query, or None if it has none."""
        self._open: dict[Hashable, int] = {}
        self._queries: list[Query] = []
        self._broken_off: dict[Hashable, Query] = {}
        self._interrupted: set[Hashable] = set()
        """The queries that were open when some were broken off, or when their budget was exceeded."""
        self._partial_values: dict[Hashable, Value] = {}
        self._requested: list[Hashable] = []
        self._tentative: dict[Hashable, tuple[Value, int]] = {}
        """The values that depend on an open query, each with the index of that among the open ones."""
        self._dependencies: list[_Dependency] = []
        """The queries and tentative values that the innermost open query has depended on up to now."""
        self._records: dict[Hashable, tuple[list[_Dependency], Value]] = {}
        """The last dependencies of the queries without a final value, and the value derived from them."""
        self._oldest = _NONE_OPEN
        self._changed = False
        self._round = 0
        self.has_hit_depth_limit = False
        """Whether a query has no value because too many others wait for it, and it for them."""

    @property
    def is_evaluating(self) -> bool:
        """Whether a query is under evaluation."""
        return bool(self._open)

    def query(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """Returns the value of a query, evaluated by `find`, which may make further queries."""
        if key in self._known:
            return self._known[key]
        if key in self._tentative:
            value, oldest = self._tentative[key]
            self._oldest = min(self._oldest, oldest)
            self._dependencies.append((key, find, value))
            return value
        if key in self._open:
            self._oldest = min(self._oldest, self._open[key])
            if key not in self._partial_values:
                self._partial_values[key] = NOTHING
                self._requested.append(key)
            value = self._partial_values[key]
            self._dependencies.append((key, find, value))
            return value
        place = len(self._open)
        if not place:
            return self._query_outermost(key, find)
        if place >= MAX_DEPTH or are_more_waiting_than(MAX_WAITING):
            for first in (self._queries[place // 2], (key, find)):
                if first[0] not in self._broken_off and len(self._broken_off) <= MAX_BROKEN_OFF:
                    raise _BrokenOff(first)
            self.has_hit_depth_limit = True
            return UNKNOWN
        return self._answer(key, find)

    def _query_outermost(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """Returns the value of a query that no other waits for, however many it waits for itself.

        If it takes too much work and leaves more values open than it finds, its cycle is too hard.
        Then all of these become unknown, so that no later query tries to resolve the same cycle.
        """
        self._broken_off[key] = key, find
        known = len(self._known)
        try:
            while True:
                try:
                    value = self._answer(*next(reversed(self._broken_off.values())))
                except _BrokenOff as broken_off:
                    self.abandon()
                    self._broken_off[broken_off.first[0]] = broken_off.first
                else:
                    self._broken_off.popitem()
                    if not self._broken_off:
                        return value
        except BudgetExceeded:
            unfinished = self._interrupted - self._known.keys()
            if len(self._known) - known < len(unfinished):
                self._known.update(dict.fromkeys(unfinished, UNKNOWN))
            raise
        finally:
            self._interrupted.clear()
            self._broken_off.clear()
            self._records.clear()

    def _answer(self, key: Hashable, find: Callable[[], Value]) -> Value:
        place = len(self._open)
        outer, self._oldest = self._oldest, _NONE_OPEN
        changed, self._changed = self._changed, False
        requested_count, tentative = len(self._requested), len(self._tentative)
        value = self._evaluate_once(key, place, find)
        if self._oldest >= place:
            if self._oldest == place:
                value = self._iterate(key, place, find, value, tentative)
                self._forget_requested(requested_count)
            self._known[key] = value
            self._records.pop(key, None)
            self._oldest = outer
        else:
            self._tentative[key] = (value, self._oldest)
            self._dependencies.append((key, find, value))
            self._oldest = min(self._oldest, outer)
        self._changed = self._changed or changed
        return value

    def abandon(self) -> None:
        """Drops all open queries, and values that depend on them, after an exception. Final values remain."""
        self._open.clear()
        self._partial_values.clear()
        self._requested.clear()
        self._tentative.clear()
        self._oldest = _NONE_OPEN
        self._changed = False
        self._round = 0

    def settle(self, key: Hashable, value: Value) -> None:
        """Makes a value final that is not evaluated."""
        self._known[key] = value

    def forget(self, key: Hashable) -> None:
        """Drops the final value of a query, so that it is evaluated again."""
        self._known.pop(key, None)

    def _evaluate_once(self, key: Hashable, place: int, find: Callable[[], Value]) -> Value:
        self._open[key] = place
        self._queries.append((key, find))
        outer_dependencies, self._dependencies = self._dependencies, []
        begin_waiting()
        try:
            record = self._records.get(key)
            value = find() if record is None else self._find_or_reuse(find, *record)
            if self._dependencies:
                self._records[key] = self._dependencies, value
        except (BudgetExceeded, _BrokenOff):
            self._interrupted.add(key)
            raise
        finally:
            self._dependencies = outer_dependencies
            end_waiting()
            del self._queries[place:]
            self._open.pop(key, None)
        so_far = self._partial_values.get(key, value)
        if so_far == UNKNOWN and self._round > _MAX_CHANGING_ROUNDS:
            return UNKNOWN
        if so_far != value:
            self._partial_values[key] = value = value if self._round < _MAX_CHANGING_ROUNDS else UNKNOWN
            self._changed = True
        return value

    def _find_or_reuse(
        self, find: Callable[[], Value], dependencies: list[_Dependency], previous: Value
    ) -> Value:
        """Returns the value of a query, reusing the previous one if its dependencies are unchanged."""
        if self._has_same_dependencies(dependencies):
            return previous
        self._dependencies.clear()
        found = find()
        return previous if found == previous else found

    def _has_same_dependencies(self, dependencies: list[_Dependency]) -> bool:
        """Whether the values that a query depended on are still the same; repeats these dependencies."""
        self._spend(1)
        for key, find, answer in dependencies:  # noqa: SIM110, a generator would take more of the stack
            if self.query(key, find) is not answer:
                return False
        return True

    def _iterate(
        self, key: Hashable, place: int, find: Callable[[], Value], value: Value, tentative: int
    ) -> Value:
        """Repeats a query until nothing changes; the values that depend on it are then final."""
        outer_round = self._round
        for again in range(1, _MAX_ROUNDS):
            if not self._changed:
                break
            self._drop_tentative(tentative)
            self._changed, self._round = False, again
            value = self._evaluate_once(key, place, find)
        self._round = outer_round
        if self._changed:
            self._drop_tentative(tentative)
            self._changed = False
            return UNKNOWN
        for other in list(self._tentative)[tentative:]:
            self._known[other] = self._tentative.pop(other)[0]
            self._records.pop(other, None)
        return value

    def _drop_tentative(self, tentative: int) -> None:
        for other in list(self._tentative)[tentative:]:
            del self._tentative[other]

    def _forget_requested(self, start: int) -> None:
        for key in self._requested[start:]:
            del self._partial_values[key]
        del self._requested[start:]
