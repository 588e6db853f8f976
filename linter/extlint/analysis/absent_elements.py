"""Code that never runs because a page does not have an element: behind a test of it, or in its listener."""

from __future__ import annotations

from collections.abc import Collection

from extlint.analysis.call_graph.definitions import declared_variable, outermost_wrapper
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    Function,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.excluded_options import tests_before

_MAX_DEPTH = 8
_NULLISH = frozenset({"null", "undefined"})


class AbsentElements:
    """The elements that the page of a script does not have, by the offsets of the arguments of lookups."""

    def __init__(self, evaluator: Evaluator, lookups: Collection[int]) -> None:
        self._evaluator = evaluator
        self._lookups = lookups
        self._prevented: dict[int, bool] = {}
        """Whether functions are never called without the elements, by their ids; true until it is known."""

    def prevent(self, item: Node, depth: int = 0) -> bool:
        """Whether an expression runs only if the page has one of the elements, or if that is unknown."""
        if depth > _MAX_DEPTH:
            return True
        tests = tests_before(item, self._evaluator.tree.root)
        return any(self._fails(innermost(test), outcome) for test, outcome in tests) or any(
            self._is_never_called(each, depth) for each in item.ancestors() if isinstance(each, Function)
        )

    def _fails(self, test: Node, outcome: bool) -> bool:
        """Whether a test cannot have an outcome without the elements."""
        match test:
            case UnaryExpression(operator="!"):
                return self._fails(innermost(test.argument), not outcome)
            case BinaryExpression(operator="&&" | "||"):
                found = (self._fails(innermost(each), outcome) for each in (test.left, test.right))
                return any(found) if (test.operator == "&&") is outcome else all(found)
            case BinaryExpression(operator="==" | "===" | "!=" | "!=="):
                is_null = innermost(test.right).type in _NULLISH and self._is_absent(test.left)
                return is_null and test.operator.startswith("!") is outcome
        return outcome and self._is_absent(test)

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
        inner = innermost(expression)
        binding = self._evaluator.names.variable(inner) if inner.type == "identifier" else None
        if binding is not None and len(binding.writes) == 1:
            source = binding.writes[0].source
            value = source.value if isinstance(source, VariableDeclarator) else None
            inner = inner if value is None else innermost(value)
        return (
            isinstance(inner, CallExpression)
            and bool(inner.arguments)
            and inner.arguments[0].start in self._lookups
        )
