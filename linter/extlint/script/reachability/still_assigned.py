"""Whether a variable may still hold the function that it was given, at a place that reads it."""

from __future__ import annotations

from extlint.script.scope.bindings import Binding
from extlint.script.scope.reaching_definitions import certainly_before, reaching
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator

_EQUAL = frozenset({"==", "==="})


def may_still_hold(evaluator: Evaluator, binding: Binding, given: Node, use: Node) -> bool:
    """Whether a variable may hold at `use` the function that it is given at `given`.

    It may not once another value was written, nor where `typeof` says that it is no function.
    """
    if not any(each.item.same(given) for each in reaching(binding, use)):
        return False
    inside = use
    for up in use.ancestors():
        if up.type in FUNCTIONS:
            break
        if inside.is_field("alternative") and _asks_for_function(evaluator, up, binding):
            return False
        inside = up
    return not any(_replaces(evaluator, binding, each.item, use) for each in binding.writes)


def _replaces(evaluator: Evaluator, binding: Binding, write: Node, use: Node) -> bool:
    """Whether a write before a place takes place wherever the variable holds a function."""
    inside = write
    for up in write.ancestors():
        if up.type in FUNCTIONS or up.contains(use):
            return False
        if up.type == "if_statement":
            is_meant = inside.is_field("consequence") and _asks_for_function(evaluator, up, binding)
            return is_meant and up.end <= use.start and certainly_before(up, use)
        inside = up
    return False


def _asks_for_function(evaluator: Evaluator, branching: Node, binding: Binding) -> bool:
    """Whether a condition is `typeof variable === "function"`."""
    condition = branching.field("condition")
    test = None if condition is None else innermost(condition)
    operator = None if test is None else test.field("operator")
    left, right = (None, None) if test is None else (test.field("left"), test.field("right"))
    if operator is None or operator.type not in _EQUAL or left is None or right is None:
        return False
    asked = innermost(left).field("argument") if innermost(left).has("typeof") else None
    if asked is None or evaluator.tree.source(right)[1:-1] != "function":
        return False
    return asked.type == "identifier" and evaluator.names.variable(asked) is binding
