"""Determines whether a variable may still hold the function assigned to it, at a place that reads it."""

from __future__ import annotations

from extlint.script.scope.model import Binding
from extlint.script.scope.reaching_definitions import certainly_runs_before, reaching_writes
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    BinaryExpression,
    ConditionalExpression,
    Function,
    IfStatement,
    UnaryExpression,
)
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator

_EQUAL = frozenset({"==", "==="})


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
    if not isinstance(test, BinaryExpression) or test.operator not in _EQUAL:
        return False
    left = innermost(test.left)
    if not isinstance(left, UnaryExpression) or left.operator != "typeof":
        return False
    if evaluator.tree.source(test.right)[1:-1] != "function" or left.argument.type != "identifier":
        return False
    return evaluator.names.variable(left.argument) is binding
