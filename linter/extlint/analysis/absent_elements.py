"""Code that never runs because a page does not have an element: behind a test of it, or in its listener."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from extlint.analysis.call_graph.definitions import declared_variable, outermost_wrapper
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.guards.forms.members import variable_fact
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    Function,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator

_MAX_DEPTH = 8


class AbsentElements:
    """The elements that the page of a script does not have, by the offsets of the arguments of lookups."""

    def __init__(self, evaluator: Evaluator, guards: GuardReader, lookups: Collection[int]) -> None:
        self._evaluator = evaluator
        self._guards = guards
        self._lookups = lookups
        self._prevented: dict[int, bool] = {}
        """Whether functions are never called without the elements, by their ids; true until it is known."""

    @cached_property
    def _facts(self) -> frozenset[ApiPath | None]:
        """The facts that one of the elements exists."""
        calls = (lookup_at(self._evaluator, each) for each in self._lookups)
        return frozenset(fact for each in calls if each is not None for fact in self._facts_of(each)) - {None}

    def _facts_of(self, lookup: CallExpression) -> Iterator[ApiPath | None]:
        yield variable_fact(self._evaluator, lookup)
        up = outermost(lookup).parent
        if isinstance(up, VariableDeclarator):
            binding = self._evaluator.names.variable(up.name)
            if binding is not None and len(binding.writes) == 1:
                yield variable_fact(self._evaluator, up.name)

    def prevent(self, item: Node, depth: int = 0) -> bool:
        """Whether an expression runs only if the page has one of the elements, or if that is unknown."""
        if depth > _MAX_DEPTH or not self._facts.isdisjoint(self._guards.guards_at(item).tested):
            return True
        return any(
            self._is_never_called(each, depth) for each in item.ancestors() if isinstance(each, Function)
        )

    def _is_never_called(self, function: Function, depth: int) -> bool:
        if function.id not in self._prevented:
            self._prevented[function.id] = True
            self._prevented[function.id] = self._prevent_calls_of(function, depth)
        return self._prevented[function.id]

    def _prevent_calls_of(self, function: Function, depth: int) -> bool:
        """Whether a function is only a listener of the elements, or only called where nothing runs."""
        whole = outermost_wrapper(self._evaluator, function)
        if self._is_listener(whole):
            return True
        binding = declared_variable(self._evaluator, whole)
        if binding is None or len(binding.writes) != 1:
            return False
        uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        return bool(uses) and all(self._is_listener(each) or self.prevent(each, depth + 1) for each in uses)

    def _is_listener(self, item: Node) -> bool:
        """Whether an expression is only assigned to a property of an element, or passed to its method."""
        whole = outermost(item)
        taking, up = call_with_argument(whole), whole.parent
        target = taking.callee if isinstance(taking, CallExpression) else None
        if isinstance(up, AssignmentExpression) and whole.is_field("right"):
            target = up.left
        place = None if target is None else innermost(target)
        return isinstance(place, AccessExpression) and self._is_absent(place.object)

    def _is_absent(self, expression: Node) -> bool:
        return variable_fact(self._evaluator, innermost(expression)) in self._facts


def lookup_at(evaluator: Evaluator, at: int) -> CallExpression | None:
    """Returns the call whose first argument begins at an offset, or None."""
    argument = evaluator.tree.leaf_at(at)
    while argument.parent is not None and argument.parent.start == at:
        argument = argument.parent
    call = None if argument.parent is None else argument.parent.parent
    return call if isinstance(call, CallExpression) and argument.start == call.arguments[0].start else None
