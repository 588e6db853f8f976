"""The ways by which a place is reached, from caller to caller, each with what was tested on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec.structs import replace

from extlint.script.call_graph.callers import Entrance, Name, entrances_of
from extlint.script.facts.destination import RUNS_IN, Fate
from extlint.script.facts.script_facts import NO_GUARDS, FailureHandling, Guards
from extlint.script.guards.forms.facts import public_guards
from extlint.script.guards.guard_reader import GuardReader
from extlint.script.reachability.destinations import Fates, Receivers, hide
from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import outermost
from extlint.script.values.evaluator import Evaluator

Ways: TypeAlias = frozenset[Guards]
"""What holds on each way to a place. Without any way nothing that is seen leads there."""

Others: TypeAlias = "Callable[[Name], tuple[Ways, bool]]"
"""The ways to all uses that other scripts make of a name, and whether none is left aside."""

NO_WAY: Ways = frozenset()
OPEN: Ways = frozenset({NO_GUARDS})
"""A way on which nothing was tested."""

MAX_WAYS = 32
"""Ways to one place that are told apart."""

_MAX_DEPTH = 25
_MAX_STEPS = 4_000


def nobody(name: Name) -> tuple[Ways, bool]:  # noqa: ARG001
    """What uses a name where there are no other scripts."""
    return NO_WAY, True


class CallPaths:
    """Finds the ways to places of one script."""

    def __init__(self, evaluator: Evaluator, others: Others = nobody, receivers: Receivers = hide) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)
        self._others = others
        self.fates = Fates(evaluator, receivers)
        self._known: dict[int, Ways] = {}
        self._open: dict[int, int] = {}
        self._steps = 0

    def to(self, item: Node) -> Ways:
        """The ways to an expression; none if all that leads there is led to by it."""
        return frozenset(map(public_guards, self.unfinished(item)[0]))

    def unfinished(self, item: Node) -> tuple[Ways, bool]:
        """The ways to an expression, and whether no way was left aside that is being asked for."""
        if not self._open:
            self._steps = 0
        found, lowest = self._to(item)
        return found, lowest == _MAX_DEPTH

    def through(self, entrance: Entrance) -> tuple[Ways, bool]:
        """The ways through the places of an entrance, and whether no way was left aside; see `unfinished`."""
        if not self._open:
            self._steps = 0
        found, lowest = self._through(entrance)
        return found or NO_WAY, lowest == _MAX_DEPTH

    def _to(self, item: Node) -> tuple[Ways, int]:
        """The ways to an expression, and how far out the ways are open that were left aside for it."""
        local, entered = self._guards.within_function(item)
        if entered is None:
            return frozenset({local}), _MAX_DEPTH
        found, lowest = self._into(entered)
        return _both(frozenset({local}), found), lowest

    def _into(self, entered: Node) -> tuple[Ways, int]:
        if entered.id in self._known:
            return self._known[entered.id], _MAX_DEPTH
        if entered.id in self._open:
            return NO_WAY, self._open[entered.id]
        depth = len(self._open)
        self._steps += 1
        if depth >= _MAX_DEPTH or self._steps > _MAX_STEPS:
            return OPEN, _MAX_DEPTH
        self._open[entered.id] = depth
        found, lowest = self._to_function(entered)
        found = _later(found)
        for entrance in entrances_of(self._evaluator, entered):
            passed, low = self._through(entrance)
            lowest = min(lowest, low)
            if passed is not None:
                found = _both(found, passed)
        del self._open[entered.id]
        if lowest >= depth or found == OPEN:
            self._known[entered.id] = found
            lowest = _MAX_DEPTH
        return found, lowest

    def _through(self, entrance: Entrance) -> tuple[Ways | None, int]:
        """The ways through one of an entrance's places; None if none is seen."""
        found = NO_WAY
        lowest = _MAX_DEPTH
        is_seen = bool(entrance.uses)
        for use in self._running(entrance.uses):
            ways, low = self._to_function(use)
            lowest = min(lowest, low)
            found = _either(found, ways if entrance.direct and _is_run(use) else _later(ways))
            if found == OPEN:
                return found, lowest
        for name in entrance.names:
            ways, is_whole = self._others(name)
            lowest = lowest if is_whole else -1
            is_seen = is_seen or bool(ways)
            found = _either(found, ways)
        return (found if is_seen else None), lowest

    def _to_function(self, item: Node) -> tuple[Ways, int]:
        """The ways to a function where it stands, which may go from there to another world; see `_to`."""
        ways, lowest = self._to(item)
        world = RUNS_IN.get(self.fates.of(item))
        return (ways if world is None else _both(_later(ways), frozenset({Guards(runs_in=world)}))), lowest

    def _running(self, uses: tuple[Node, ...]) -> list[Node]:
        """The uses of a function less those that only look at it, if its text is taken by another."""
        fates = [self.fates.of(use) for use in uses]
        if RUNS_IN.keys().isdisjoint(fates):
            return list(uses)
        return [use for use, fate in zip(uses, fates, strict=True) if fate is not Fate.NOTHING]


def _is_run(use: Node) -> bool:
    """Whether a use is a call, so that what is thrown comes out there."""
    whole = outermost(use)
    up = whole.parent
    return up is not None and (
        (up.type == "call_expression" and whole.is_field("function"))
        or (up.type == "new_expression" and whole.is_field("constructor"))
    )


def _later(ways: Ways) -> Ways:
    """The ways to what runs later, so that nobody catches what it throws."""
    if not any(each.failure for each in ways):
        return ways
    return _least(replace(each, failure=FailureHandling.NONE) for each in ways)


def _either(first: Ways, second: Ways) -> Ways:
    return _least((*first, *second))


def _both(first: Ways, second: Ways) -> Ways:
    """The ways that consist of one of each."""
    if second == OPEN:
        return first
    if first == OPEN:
        return second
    return _least(
        Guards(
            one.tested | two.tested,
            max(one.failure, two.failure),
            one.missing | two.missing,
            runs_in=two.runs_in or one.runs_in,
        )
        for one in first
        for two in second
    )


def _least(ways: Iterable[Guards]) -> Ways:
    """The ways less those on which more was tested than on another."""
    kept: list[Guards] = []
    for each in sorted(set(ways), key=_known_of):
        if not any(_holds_more(each, other) for other in kept):
            kept.append(each)
    if len(kept) <= MAX_WAYS:
        return frozenset(kept)
    return frozenset(
        {
            Guards(
                frozenset.intersection(*(each.tested for each in kept)),
                min(each.failure for each in kept),
                frozenset.intersection(*(each.missing for each in kept)),
                runs_in=kept[0].runs_in if len({each.runs_in for each in kept}) == 1 else None,
            )
        }
    )


def _known_of(way: Guards) -> int:
    """How much is known of a way."""
    return len(way.tested) + len(way.missing) + way.failure + (way.runs_in is not None)


def _holds_more(way: Guards, other: Guards) -> bool:
    return (
        other.tested <= way.tested
        and other.missing <= way.missing
        and other.failure <= way.failure
        and other.runs_in in {None, way.runs_in}
    )
