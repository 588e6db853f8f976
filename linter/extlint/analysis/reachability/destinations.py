"""Finds where the functions of a script end up: they may run in place, or only their text is taken.

A function whose text is taken (`String(f)`, `scripting.executeScript({func: f})`) runs in a different world
from the script that contains it.

A function that is assigned to a variable ends up where the variable is read, if it may still hold it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from extlint.analysis.call_graph.definitions import exported_as
from extlint.analysis.facts.context import Destination, Keys, overall_destination
from extlint.analysis.guards.only_tested import is_only_tested
from extlint.analysis.reachability.serialization import Serialization
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.scope.reaching_definitions import certainly_runs_before, reaching_writes
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    Function,
    IfStatement,
    Pair,
    UnaryExpression,
    VariableDeclarator,
    WhileStatement,
)
from extlint.analysis.syntax.shapes import (
    EQUAL,
    call_of,
    call_with_argument,
    index_of,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
    target_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES
from extlint.analysis.values.property_index import key_of


def may_still_hold(evaluator: Evaluator, binding: Binding, target: Node, use: Node) -> bool:
    """Whether a variable may hold at `use` the function that is assigned to it at `target`.

    It may not once another value was written, nor where `typeof` excludes a function.
    """
    if not any(each.item.same(target) for each in reaching_writes(binding, use)):
        return False
    inside = use
    for up in use.ancestors():
        if isinstance(up, Function):
            break
        if inside.is_field("alternative") and _tests_for_function(evaluator, up, binding):
            return False
        inside = up
    return not any(_replaces(evaluator, binding, each.item, use) for each in binding.writes)


def _replaces(evaluator: Evaluator, binding: Binding, write: Node, use: Node) -> bool:
    """Whether a write before a place happens wherever the variable holds a function."""
    inside = write
    for up in write.ancestors():
        if isinstance(up, Function) or up.contains(use):
            return False
        if isinstance(up, IfStatement):
            is_meant = inside.is_field("consequence") and _tests_for_function(evaluator, up, binding)
            return is_meant and up.end <= use.start and certainly_runs_before(up, use)
        inside = up
    return False


def _tests_for_function(evaluator: Evaluator, branching: Node, binding: Binding) -> bool:
    """Whether a condition is `typeof variable === "function"`."""
    if not isinstance(branching, IfStatement | ConditionalExpression):
        return False
    test = innermost(branching.condition)
    if not isinstance(test, BinaryExpression) or test.operator not in EQUAL:
        return False
    left = innermost(test.left)
    if not isinstance(left, UnaryExpression) or left.operator != "typeof":
        return False
    if evaluator.tree.source(test.right)[1:-1] != "function" or left.argument.type != "identifier":
        return False
    return evaluator.names.variable(left.argument) is binding


Receivers: TypeAlias = "Callable[[Node, int, Keys], Destination]"
"""Returns the destination of an argument of a function of the package, by the callee, the argument's
index and its keys.
"""

_MAX_DEPTH = 12
_MAX_STEPS = 1_000

_COMPARING = frozenset({"==", "===", "!=", "!==", "instanceof", "in"})


def unknown_receiver(callee: Node, index: int, keys: Keys) -> Destination:  # noqa: ARG001
    """Returns the destination of an argument of an unknown function."""
    return Destination.IN_PLACE


class DestinationFinder:
    """Finds the destinations of the functions of one script.

    `receivers` determines them for calls of functions that the script does not define.
    """

    def __init__(self, evaluator: Evaluator, receivers: Receivers = unknown_receiver) -> None:
        self._evaluator = evaluator
        self._receivers = receivers
        self._serialization = Serialization(evaluator)
        self._known: dict[tuple[int, Keys], Destination] = {}
        self._open: dict[tuple[int, Keys], int] = {}
        self._lowest = _MAX_DEPTH
        self._steps = 0

    def of(self, item: Node, keys: Keys = ()) -> Destination:
        """Returns the destination of the function that an expression is, or that it holds."""
        key = (item.id, keys)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            self._lowest = min(self._lowest, self._open[key])
            return Destination.NONE
        depth = len(self._open)
        self._steps = self._steps + 1 if depth else 0
        if depth >= _MAX_DEPTH or self._steps > _MAX_STEPS:
            return Destination.IN_PLACE
        outer, self._lowest = self._lowest, _MAX_DEPTH
        self._open[key] = depth
        try:
            found = self._of(outermost(item), keys)
        finally:
            del self._open[key]
        if found is Destination.IN_PLACE or self._lowest >= depth:
            self._known[key] = found
            self._lowest = _MAX_DEPTH
        self._lowest = min(outer, self._lowest)
        return found

    def of_argument(self, function: Node, index: int, keys: Keys) -> Destination:
        """Returns the destination of an argument of a function."""
        listed = parameter_items(function)
        if index >= len(listed):
            return Destination.IN_PLACE
        return self._of_pattern(pattern_of(listed[index]), keys)

    def _of(self, whole: Node, keys: Keys) -> Destination:
        up = whole.parent
        if up is None:
            return Destination.IN_PLACE
        if is_only_tested(self._evaluator, whole):
            return Destination.NONE
        match up:
            case BinaryExpression():
                return self._operand(up, keys)
            case AugmentedAssignment(operator="+=") if whole.is_field("right"):
                return Destination.IN_PLACE if keys else Destination.SERIALIZED
            case UnaryExpression():
                return Destination.NONE if up.operator in {"typeof", "!"} else Destination.IN_PLACE
            case ConditionalExpression():
                return Destination.NONE if whole.is_field("condition") else self.of(up, keys)
            case AwaitExpression():
                return self.of(up, keys)
            case AccessExpression() if whole.is_field("object"):
                return self._member(up, keys)
            case Pair(parent=Node() as literal) if whole.is_field("value"):
                name = key_of(self._evaluator, up)
                return Destination.IN_PLACE if name is None else self.of(literal, (name, *keys))
            case VariableDeclarator() if whole.is_field("value"):
                return self._of_pattern(up.name, keys)
            case AssignmentExpression() if whole.is_field("right"):
                return (
                    self._of_pattern(up.left, keys) if up.left.type == "identifier" else Destination.IN_PLACE
                )
            case IfStatement() | WhileStatement() | Node(type="expression_statement"):
                return Destination.NONE
            case Node(type="template_substitution", parent=Node() as template) if not keys:
                return self._serialization.as_text(template)
            case Node(type="object") if whole.type == "method_definition" and not whole.has_token("get"):
                name = key_of(self._evaluator, whole)
                return Destination.IN_PLACE if name is None else self.of(up, (name, *keys))
            case Node(type="object") if whole.type == "shorthand_property_identifier":
                return self.of(up, (self._evaluator.tree.source(whole), *keys))
            case Node(type="array"):
                return Destination.IN_PLACE if keys else self._serialization.of_array_item(up)
        call = call_with_argument(whole)
        return Destination.IN_PLACE if call is None else self._argument(whole, call, keys)

    def _operand(self, up: BinaryExpression, keys: Keys) -> Destination:
        if up.operator == "+" and not keys:
            return self._serialization.as_text(up)
        if up.is_logical:
            return self.of(up, keys)
        return Destination.NONE if up.operator in _COMPARING else Destination.IN_PLACE

    def _member(self, member: Node, keys: Keys) -> Destination:
        """Returns the destination through a property of a function's object, or a method of the function."""
        name = key_of(self._evaluator, member)
        if keys:
            if name is None:
                return Destination.IN_PLACE
            return self.of(member, keys[1:]) if name == keys[0] else Destination.NONE
        if name in {"length", "name"}:
            return Destination.NONE
        call = call_of(member) if name == "toString" else None
        return Destination.IN_PLACE if call is None else self._serialization.as_text(call)

    def _of_pattern(self, pattern: Node, keys: Keys) -> Destination:
        """Returns the destination of a function assigned to a pattern: a variable, or a part of an object."""
        if isinstance(pattern, AssignmentPattern):
            return self._of_pattern(pattern.left, keys)
        if pattern.type == "object_pattern":
            return self._of_object_pattern(pattern, keys)
        if pattern.type not in {"identifier", "shorthand_property_identifier_pattern"}:
            return Destination.IN_PLACE
        binding = self._evaluator.names.variable(pattern)
        return Destination.IN_PLACE if binding is None else self._of_variable(binding, pattern, keys)

    def _of_object_pattern(self, pattern: Node, keys: Keys) -> Destination:
        if not keys:
            return Destination.IN_PLACE
        for part in pattern.named():
            if part.type == "rest_pattern":
                return Destination.IN_PLACE
            name = key_of(self._evaluator, part)
            if name is None:
                return Destination.IN_PLACE
            if name == keys[0]:
                return self._of_pattern(target_of(part), keys[1:])
        return Destination.NONE

    def _of_variable(self, binding: Binding, target: Node, keys: Keys) -> Destination:
        uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        if len(uses) > MAX_USES:
            return Destination.IN_PLACE
        is_shared = binding.scope.type == "program" and not self._evaluator.tree.is_module
        named = [each.item for each in (*binding.declarations, *binding.uses)]
        is_exported = any(exported_as(self._evaluator, each) is not None for each in named)
        if is_shared or is_exported:
            return Destination.IN_PLACE

        def of_uses() -> Iterator[Destination]:
            for use in uses:
                if may_still_hold(self._evaluator, binding, target, use):
                    yield self.of(use, keys)

        return overall_destination(of_uses())

    def _argument(self, whole: Node, call: CallOrNewExpression, keys: Keys) -> Destination:
        arguments = call.arguments
        index = index_of(arguments, whole) or 0
        if any(each.type == "spread_element" for each in arguments[:index]):
            return Destination.IN_PLACE
        of_platform = self._serialization.of_platform_argument(call, index, keys)
        if of_platform is not None:
            return of_platform
        definition = self._evaluator.definition_of(call.callee)
        if isinstance(definition, Function) and isinstance(call, CallExpression):
            return self.of_argument(definition, index, keys)
        return Destination.IN_PLACE if definition is not None else self._receivers(call.callee, index, keys)
