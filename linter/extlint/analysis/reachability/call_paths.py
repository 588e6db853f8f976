"""Finds the call paths to a place, from caller to caller, each with the guards on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from extlint.analysis.call_graph.callers import entry_points_of, uses_of_item
from extlint.analysis.call_graph.definitions import throws_in_place
from extlint.analysis.call_graph.entry_points import EntryPoints, ExternalName
from extlint.analysis.facts.context import CONTEXT_OF, Destination
from extlint.analysis.facts.script_facts import Guards
from extlint.analysis.guards.forms.facts import public_guards
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.destinations import DestinationFinder, Receivers
from extlint.analysis.reachability.paths import (
    NO_PATH,
    UNGUARDED,
    LeastSolution,
    Paths,
    combined,
    deferred,
    union,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallOrNewExpression, Function
from extlint.analysis.syntax.shapes import call_with_argument, index_of, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator

ExternalCallers: TypeAlias = "Callable[[ExternalName], Paths | None]"
"""Returns the paths to all uses of a name in other scripts, or None without any use."""

CallsOfArgument: TypeAlias = "Callable[[Node, int], Paths]"
"""Returns the guards where a function of another script calls an argument, by the callee and the index."""

_MAX_DEPTH = 25
_MAX_EVALUATIONS = 4_000


class CallPaths:
    """Finds the paths to places of one script."""

    def __init__(
        self,
        evaluator: Evaluator,
        external_callers: ExternalCallers,
        receivers: Receivers,
        calls_of_argument: CallsOfArgument,
        solution: LeastSolution[Paths],
        *,
        has_guards: bool = True,
    ) -> None:
        """`solution` is shared by all scripts whose functions may call one another.

        Without `has_guards`, the guards on a path are not determined, but only where it runs: one that runs
        in the script's own context represents all others.
        """
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)
        self._has_guards = has_guards
        self._external_callers = external_callers
        self._calls_of_argument = calls_of_argument
        self.destinations = DestinationFinder(evaluator, receivers)
        self._solution = solution
        self._depth = 0

    def to(self, item: Node) -> Paths:
        """Returns the paths to an expression, or an empty set if only the expression itself leads there."""
        return frozenset(map(public_guards, self._to(item)))

    def through(self, entry: EntryPoints) -> Paths | None:
        """Returns the paths through one of several entry points, or None if no entry point is known."""
        found = NO_PATH
        is_known = bool(entry.uses)
        for use in self._executing_uses(entry.uses):
            paths = self._to_function(use)
            is_called = entry.direct and _is_call(use)
            found = union(
                found, paths if is_called else combined(deferred(paths), self._through_argument(use))
            )
            if found == UNGUARDED:
                return found
        for name in entry.names:
            external = self._external_callers(name)
            if external is not None:
                is_known = True
                found = union(found, external)
        return found if is_known else None

    def is_serialized(self, item: Node) -> bool:
        """Whether the text of a function around an expression is taken, wherever else the function runs."""
        return any(
            self.destinations.of(use) in CONTEXT_OF
            for up in item.ancestors()
            if isinstance(up, Function)
            for use in (up, *(each for entry in entry_points_of(self._evaluator, up) for each in entry.uses))
        )

    def _to(self, item: Node) -> Paths:
        if not self._has_guards:
            entered = self._guards.enclosing_function(item)
            return UNGUARDED if entered is None else self._to_code(entered)
        local, entered = self._guards.within_function(item)
        if entered is None:
            return frozenset({local})
        return combined(frozenset({local}), self._to_code(entered))

    def _to_code(self, entered: Node) -> Paths:
        """Returns the paths to the body of a function, or to the value of a class field."""
        key = (self, entered.id)
        is_too_much = self._depth >= _MAX_DEPTH or self._solution.evaluations > _MAX_EVALUATIONS
        if is_too_much and not self._solution.is_current(key):
            return UNGUARDED
        self._depth += 1
        try:
            return self._solution.solve(key, partial(self._paths_into, entered))
        finally:
            self._depth -= 1

    def _paths_into(self, entered: Node) -> Paths:
        """Returns the paths that pass through one of each of the entry points, as far as those are known."""
        found = self._to_function(entered)
        if not throws_in_place(self._evaluator.tree, entered):
            found = combined(deferred(found), self._through_argument(entered))
        for entry in entry_points_of(self._evaluator, entered):
            passed = self.through(entry)
            if passed is not None:
                found = combined(found, passed)
        own = self._guards.own_tests_at(entered) if self._has_guards and isinstance(entered, Function) else ()
        return combined(found, frozenset({Guards(frozenset(own))})) if own else found

    def where_called(self, function: Node, index: int) -> Guards:
        """Returns the guards where a function calls its parameter with an index."""
        return public_guards(self._guards.where_called(function, index))

    def _through_argument(self, item: Node) -> Paths:
        """Returns the guards where a function is called that is passed to another one, or named there."""
        call = call_with_argument(outermost(item))
        listed = None if call is not None else uses_of_item(self._evaluator, item)
        if listed is not None:
            return self.through(listed) or UNGUARDED
        if call is None or not self._has_guards or self._evaluator.api(call.callee) is not None:
            return UNGUARDED
        index = index_of(call.arguments, outermost(item))
        definition = self._evaluator.definition_of(call.callee)
        if index is None:
            return UNGUARDED
        if isinstance(definition, Function):
            return frozenset({self.where_called(definition, index)})
        return self._calls_of_argument(innermost(call.callee), index)

    def _to_function(self, item: Node) -> Paths:
        """Returns the paths to a function where it is defined, which may run in another world."""
        paths = self._to(item)
        world = CONTEXT_OF.get(self.destinations.of(item))
        return paths if world is None else combined(deferred(paths), frozenset({Guards(runs_in=world)}))

    def _executing_uses(self, uses: tuple[Node, ...]) -> list[Node]:
        """Returns the uses of a function; if one takes its text, without those that only inspect it."""
        destinations = [self.destinations.of(use) for use in uses]
        if CONTEXT_OF.keys().isdisjoint(destinations):
            return list(uses)
        return [
            use
            for use, destination in zip(uses, destinations, strict=True)
            if destination is not Destination.NONE
        ]


def _is_call(use: Node) -> bool:
    """Whether a use is a call, so that exceptions are thrown there."""
    whole = outermost(use)
    return isinstance(whole.parent, CallOrNewExpression) and whole.parent.callee.same(whole)
