"""The call paths to a place, from caller to caller, each with the guards on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec.structs import replace

from extlint.script.call_graph.callers import entry_points_of
from extlint.script.call_graph.entry_points import EntryPoints, ExternalName
from extlint.script.facts.destination import CONTEXT_OF, Destination
from extlint.script.facts.script_facts import NO_GUARDS, FailureHandling, Guards
from extlint.script.guards.forms.facts import public_guards
from extlint.script.guards.guard_reader import GuardReader
from extlint.script.reachability.destinations import DestinationFinder, Receivers, unknown_receiver
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import CallOrNewExpression
from extlint.script.syntax.shapes import outermost
from extlint.script.values.evaluator import Evaluator

Paths: TypeAlias = frozenset[Guards]
"""The guards on each path to a place. Without any path nothing that is seen leads there."""

ExternalCallers: TypeAlias = "Callable[[ExternalName], tuple[Paths, bool]]"
"""The paths to all uses of a name in other scripts, and whether none is left out."""

NO_PATH: Paths = frozenset()
UNGUARDED: Paths = frozenset({NO_GUARDS})
"""A path on which nothing was tested."""

MAX_PATHS = 32
"""Paths to one place that are kept apart; where there are more, only what all have in common is."""

_MAX_DEPTH = 25
_MAX_STEPS = 4_000


def no_external_callers(name: ExternalName) -> tuple[Paths, bool]:  # noqa: ARG001
    """The callers in other scripts where there are none."""
    return NO_PATH, True


class CallPaths:
    """Finds the paths to places of one script."""

    def __init__(
        self,
        evaluator: Evaluator,
        external_callers: ExternalCallers = no_external_callers,
        receivers: Receivers = unknown_receiver,
    ) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)
        self._external_callers = external_callers
        self.destinations = DestinationFinder(evaluator, receivers)
        self._known: dict[int, Paths] = {}
        self._open: dict[int, int] = {}
        self._steps = 0

    def to(self, item: Node) -> Paths:
        """The paths to an expression; none if only the expression itself leads there."""
        return frozenset(map(public_guards, self.search(item)[0]))

    def search(self, item: Node) -> tuple[Paths, bool]:
        """The paths to an expression, and whether none was left out because it is being searched already."""
        if not self._open:
            self._steps = 0
        found, lowest = self._to(item)
        return found, lowest == _MAX_DEPTH

    def through(self, entry: EntryPoints) -> tuple[Paths, bool]:
        """The paths through one of several entry points, and whether none was left out; see `search`."""
        if not self._open:
            self._steps = 0
        found, lowest = self._through(entry)
        return found or NO_PATH, lowest == _MAX_DEPTH

    def _to(self, item: Node) -> tuple[Paths, int]:
        """The paths to an expression, and the depth of the outermost open search on which they depend."""
        local, entered = self._guards.within_function(item)
        if entered is None:
            return frozenset({local}), _MAX_DEPTH
        found, lowest = self._to_code(entered)
        return combined(frozenset({local}), found), lowest

    def _to_code(self, entered: Node) -> tuple[Paths, int]:
        if entered.id in self._known:
            return self._known[entered.id], _MAX_DEPTH
        if entered.id in self._open:
            return NO_PATH, self._open[entered.id]
        depth = len(self._open)
        self._steps += 1
        if depth >= _MAX_DEPTH or self._steps > _MAX_STEPS:
            return UNGUARDED, _MAX_DEPTH
        self._open[entered.id] = depth
        try:
            found, lowest = self._to_function(entered)
            found = deferred(found)
            for entry in entry_points_of(self._evaluator, entered):
                passed, low = self._through(entry)
                lowest = min(lowest, low)
                if passed is not None:
                    found = combined(found, passed)
        finally:
            del self._open[entered.id]
        if lowest >= depth or found == UNGUARDED:
            self._known[entered.id] = found
            lowest = _MAX_DEPTH
        return found, lowest

    def _through(self, entry: EntryPoints) -> tuple[Paths | None, int]:
        """The paths through one of several entry points; None if none is seen."""
        found = NO_PATH
        lowest = _MAX_DEPTH
        is_seen = bool(entry.uses)
        for use in self._executing(entry.uses):
            paths, low = self._to_function(use)
            lowest = min(lowest, low)
            found = union(found, paths if entry.direct and _is_call(use) else deferred(paths))
            if found == UNGUARDED:
                return found, lowest
        for name in entry.names:
            paths, is_complete = self._external_callers(name)
            lowest = lowest if is_complete else -1
            is_seen = is_seen or bool(paths)
            found = union(found, paths)
        return (found if is_seen else None), lowest

    def _to_function(self, item: Node) -> tuple[Paths, int]:
        """The paths to a function where it stands, which may be run in another world; see `_to`."""
        paths, lowest = self._to(item)
        world = CONTEXT_OF.get(self.destinations.of(item))
        return (
            paths if world is None else combined(deferred(paths), frozenset({Guards(runs_in=world)}))
        ), lowest

    def _executing(self, uses: tuple[Node, ...]) -> list[Node]:
        """The uses of a function less those that only inspect it, if another use takes its text."""
        destinations = [self.destinations.of(use) for use in uses]
        if CONTEXT_OF.keys().isdisjoint(destinations):
            return list(uses)
        return [
            use
            for use, destination in zip(uses, destinations, strict=True)
            if destination is not Destination.NONE
        ]


def _is_call(use: Node) -> bool:
    """Whether a use is a call, so that what is thrown is thrown there."""
    whole = outermost(use)
    return isinstance(whole.parent, CallOrNewExpression) and whole.parent.callee.same(whole)


def deferred(paths: Paths) -> Paths:
    """The paths to what runs later, so that nothing around its use catches what it throws."""
    if not any(each.failure for each in paths):
        return paths
    return weakest(replace(each, failure=FailureHandling.NONE) for each in paths)


def union(first: Paths, second: Paths) -> Paths:
    """The paths of both."""
    return weakest((*first, *second))


def combined(first: Paths, second: Paths) -> Paths:
    """The paths that consist of one of each, one after the other."""
    if second == UNGUARDED:
        return first
    if first == UNGUARDED:
        return second
    return weakest(
        Guards(
            one.tested | two.tested,
            max(one.failure, two.failure),
            one.missing | two.missing,
            runs_in=two.runs_in or one.runs_in,
        )
        for one in first
        for two in second
    )


def weakest(paths: Iterable[Guards]) -> Paths:
    """The paths less those on which everything holds that holds on another one, and more."""
    kept: list[Guards] = []
    for each in sorted(set(paths), key=_strength):
        if not any(_is_stronger(each, other) for other in kept):
            kept.append(each)
    if len(kept) <= MAX_PATHS:
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


def _strength(path: Guards) -> int:
    """How much holds on a path."""
    return len(path.tested) + len(path.missing) + path.failure + (path.runs_in is not None)


def _is_stronger(path: Guards, other: Guards) -> bool:
    return (
        other.tested <= path.tested
        and other.missing <= path.missing
        and other.failure <= path.failure
        and other.runs_in in {None, path.runs_in}
    )
