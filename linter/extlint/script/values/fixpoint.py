"""Fixpoint iteration over values that may depend on one another, and on themselves.

`x = x || y` asks for `x` in order to answer `x`. Such a question gets a tentative answer, at first
`NOTHING`, and the questions of such a cycle are asked again until no answer changes. An answer that
keeps changing becomes unknown.

A question whose answer is tentative keeps what it was told. Asked again, it first asks the same others: where
all of them say the same as before, so does it, and nothing is evaluated. So what a cycle takes grows with its
questions and with the answers that change, not with its questions times the rounds.

Only so many questions may wait for each other. One that would make it more is no reason to give up: all of
them are broken off, one in the middle is asked by itself, and once its answer is known, the others are asked
again and need only half of the way. So what a question is asked for by has no influence on its answer. Only
in a cycle that is longer than that a question has no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from extlint.script.facts.values import NOTHING, UNKNOWN, Value
from extlint.script.values.stack import MAX_WAITING, begin_waiting, end_waiting, more_wait_than

MAX_DEPTH = 700
"""How many questions may wait for each other's answers before some of them are broken off.

In bundles of React they are up to 600 in one cycle.
"""

MAX_BROKEN_OFF = 100
"""How many questions may be broken off at a time, each because of the next; beyond that one has no answer."""

_MAX_CHANGING_ROUNDS = 3
"""Rounds after which an answer that still changes becomes unknown."""

_MAX_ROUNDS = 8

_NONE_OPEN = 1_000_000_000
"""More than any place among the open questions, where an answer depends on none."""


Question: TypeAlias = tuple[Hashable, Callable[[], Value]]
"""The key of a question, and what finds its answer."""


_Told: TypeAlias = tuple[Hashable, Callable[[], Value], Value]
"""A question that another one asked, and the tentative answer that it was given."""


class _BrokenOff(Exception):  # noqa: N818
    """All open questions are broken off, because `first` is to be answered before them."""

    def __init__(self, first: Question) -> None:
        super().__init__()
        self.first = first


def _spend_nothing(_steps: int) -> None:
    pass


class Fixpoint:
    """Keeps the answers to questions, each known by a key of its own.

    `spend` counts a step of work for each answer that is looked at again.
    """

    def __init__(self, spend: Callable[[int], None] = _spend_nothing) -> None:
        self._spend = spend
        self._known: dict[Hashable, Value] = {}
        self._open: dict[Hashable, int] = {}
        self._questions: list[Question] = []
        self._broken_off: dict[Hashable, Question] = {}
        self._so_far: dict[Hashable, Value] = {}
        self._asked: list[Hashable] = []
        self._tentative: dict[Hashable, tuple[Value, int]] = {}
        """The answers that depend on an open question, each with the place of that among those open."""
        self._told: list[_Told] = []
        """What the question that was opened last was told so far, final answers aside."""
        self._records: dict[Hashable, tuple[list[_Told], Value]] = {}
        """What the questions without a final answer were told the last time, and what they made of it."""
        self._oldest = _NONE_OPEN
        self._changed = False
        self._round = 0
        self.too_deep = False
        """Whether a question has no answer because too many others wait for it, and it for them."""

    @property
    def is_asking(self) -> bool:
        """Whether a question waits for its answer."""
        return bool(self._open)

    def known(self, key: Hashable) -> Value | None:
        """The final answer to a question, if it has one."""
        return self._known.get(key)

    def ask(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """The answer to a question, found by `find`, which may ask further questions."""
        if key in self._known:
            return self._known[key]
        if key in self._tentative:
            value, oldest = self._tentative[key]
            self._oldest = min(self._oldest, oldest)
            self._told.append((key, find, value))
            return value
        if key in self._open:
            self._oldest = min(self._oldest, self._open[key])
            if key not in self._so_far:
                self._so_far[key] = NOTHING
                self._asked.append(key)
            value = self._so_far[key]
            self._told.append((key, find, value))
            return value
        place = len(self._open)
        if not place:
            return self._outermost(key, find)
        if place >= MAX_DEPTH or more_wait_than(MAX_WAITING):
            for first in (self._questions[place // 2], (key, find)):
                if first[0] not in self._broken_off and len(self._broken_off) <= MAX_BROKEN_OFF:
                    raise _BrokenOff(first)
            self.too_deep = True
            return UNKNOWN
        return self._answer(key, find)

    def _outermost(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """The answer to a question that no other waits for, however many it waits for itself."""
        self._broken_off[key] = key, find
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
        finally:
            self._broken_off.clear()
            self._records.clear()

    def _answer(self, key: Hashable, find: Callable[[], Value]) -> Value:
        place = len(self._open)
        outer, self._oldest = self._oldest, _NONE_OPEN
        changed, self._changed = self._changed, False
        asked, tentative = len(self._asked), len(self._tentative)
        value = self._once(key, place, find)
        if self._oldest >= place:
            if self._oldest == place:
                value = self._iterate(key, place, find, value, tentative)
                self._forget(asked)
            self._known[key] = value
            self._records.pop(key, None)
            self._oldest = outer
        else:
            self._tentative[key] = (value, self._oldest)
            self._told.append((key, find, value))
            self._oldest = min(self._oldest, outer)
        self._changed = self._changed or changed
        return value

    def abandon(self) -> None:
        """Drops all open questions, and what depends on them, after an exception. Final answers stay."""
        self._open.clear()
        self._so_far.clear()
        self._asked.clear()
        self._tentative.clear()
        self._oldest = _NONE_OPEN
        self._changed = False
        self._round = 0

    def forget(self, key: Hashable) -> None:
        """Asks anew the next time."""
        self._known.pop(key, None)

    def _once(self, key: Hashable, place: int, find: Callable[[], Value]) -> Value:
        self._open[key] = place
        self._questions.append((key, find))
        told, self._told = self._told, []
        begin_waiting()
        try:
            value = self._found(key, find)
        finally:
            self._told = told
            end_waiting()
            del self._questions[place:]
            self._open.pop(key, None)
        so_far = self._so_far.get(key, value)
        if so_far == UNKNOWN and self._round > _MAX_CHANGING_ROUNDS:
            return UNKNOWN
        if so_far != value:
            self._so_far[key] = value = value if self._round < _MAX_CHANGING_ROUNDS else UNKNOWN
            self._changed = True
        return value

    def _found(self, key: Hashable, find: Callable[[], Value]) -> Value:
        """What `find` returns, which is what it returned before if it would be told the same as then."""
        record = self._records.get(key)
        if record is None:
            value = find()
        elif self._would_be_told(record[0]):
            value = record[1]
        else:
            self._told.clear()
            found = find()
            value = record[1] if found == record[1] else found
        if self._told:
            self._records[key] = self._told, value
        return value

    def _would_be_told(self, told: list[_Told]) -> bool:
        """Whether the answers that a question was given are still the same; that is what it is told now."""
        self._spend(1)
        for key, find, answer in told:  # noqa: SIM110, a generator would take more of the stack
            if self.ask(key, find) is not answer:
                return False
        return True

    def _iterate(
        self, key: Hashable, place: int, find: Callable[[], Value], value: Value, tentative: int
    ) -> Value:
        """Asks again until nothing changes; the answers that depend on this one are then final."""
        outer_round = self._round
        for again in range(1, _MAX_ROUNDS):
            if not self._changed:
                break
            self._drop(tentative)
            self._changed, self._round = False, again
            value = self._once(key, place, find)
        self._round = outer_round
        if self._changed:
            self._drop(tentative)
            self._changed = False
            return UNKNOWN
        for other in list(self._tentative)[tentative:]:
            self._known[other] = self._tentative.pop(other)[0]
            self._records.pop(other, None)
        return value

    def _drop(self, tentative: int) -> None:
        for other in list(self._tentative)[tentative:]:
            del self._tentative[other]

    def _forget(self, asked: int) -> None:
        for key in self._asked[asked:]:
            del self._so_far[key]
        del self._asked[asked:]
