"""Finds the enclosing variables that a function uses, which are missing where only its text is sent."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Function, TryStatement, UnaryExpression
from extlint.analysis.syntax.shapes import call_with_argument, index_of, outermost, pattern_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import uses_as_argument

_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_ERASED = "other"
"""The kind of TypeScript declarations that a build may reduce to values."""


def captured_variables(evaluator: Evaluator, function: Function) -> Iterator[tuple[Node, bool]]:
    """Returns the first use of each such variable, and whether an enclosing function declares it.

    Variables that the function tests with `typeof`, or uses in a `try`, are left out.
    """
    tested: set[str] = set()
    found: dict[str, tuple[Node, bool]] = {}
    waiting: list[Node] = [function]
    while waiting:
        node = waiting.pop()
        evaluator.tree.spend(1)
        if node.type in _NAMES:
            name = evaluator.tree.source(node)
            if isinstance(node.parent, UnaryExpression) and node.parent.operator == "typeof":
                tested.add(name)
            elif name not in found and _is_captured(evaluator, node, function):
                binding = evaluator.names.variable(node)
                is_local = binding is not None and binding.scope.type != "program"
                found[name] = node, is_local
        waiting += reversed(node.named())
    return (each for name, each in found.items() if name not in tested)


def may_be_called_here(evaluator: Evaluator, function: Function) -> bool:
    """Whether a function is passed to another one that does more with it than pass it on once."""
    places = [outermost(function), *map(outermost, uses_as_argument(evaluator, function))]
    return any(_is_used_otherwise(evaluator, each) for each in places)


def _is_used_otherwise(evaluator: Evaluator, argument: Node) -> bool:
    call = call_with_argument(argument)
    to = None if call is None else evaluator.definition_of(call.callee)
    if call is None or not isinstance(to, Function):
        return False
    index = index_of(call.arguments, argument)
    if index is None or index >= len(to.parameters):
        return False
    binding = evaluator.names.variable(pattern_of(to.parameters[index]))
    return binding is not None and len(binding.uses) > 1


def _is_captured(evaluator: Evaluator, name: Node, function: Function) -> bool:
    used = evaluator.names.classify(name.start)
    if used is None or used.role is not Role.REFERENCE or _is_tried(name, function):
        return False
    binding = evaluator.names.variable(name)
    if binding is None or not binding.declarations:
        return False
    return not any(each.kind == _ERASED or function.contains(each.item) for each in binding.declarations)


def _is_tried(name: Node, function: Function) -> bool:
    """Whether a `try` of the function catches a failure at a name."""
    child = name
    for up in name.ancestors():
        if up.same(function):
            return False
        if isinstance(up, TryStatement) and up.handler is not None and child.is_field("body"):
            return True
        child = up
    return False
