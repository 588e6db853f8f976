"""Finds values that an API call reads immediately, so that later mutations do not matter."""

from __future__ import annotations

from extlint.analysis.scope.identifiers import function_of
from extlint.analysis.scope.model import Binding
from extlint.analysis.scope.reaching_definitions import LOOPS
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, Function
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.options import carries_api

_LITERALS = frozenset({"array", "object", "pair", "spread_element"})
_MAX_DEPTH = 8


def reading_call(evaluator: Evaluator, at: Node) -> Node | None:
    """Returns the API call that reads a variable at a reference, as an argument or in a literal, or None."""
    expression = outermost(at)
    for _ in range(_MAX_DEPTH):
        call = call_with_argument(expression)
        if call is not None:
            is_read = isinstance(call, CallExpression) and carries_api(evaluator.partial(call.callee))
            return call if is_read else None
        up = expression.parent
        if up is None or up.type not in _LITERALS or expression.is_field("key"):
            return None
        expression = outermost(up)
    return None


def is_after_call(binding: Binding, use: Node, at: Node, call: Node) -> bool:
    """Whether a use affects an object only after a call has read the object."""
    here = function_of(at)
    if not all(function_of(each.item).same(here) for each in binding.writes):
        return False
    for up in use.ancestors():
        if up.same(here):
            break
        if isinstance(up, Function):
            if up.type.endswith("_declaration"):
                return False
            taker = call_with_argument(outermost(up))
            if taker is not None and taker.same(call):
                return up.start >= at.end and not _loops_back(binding, up, at)
            if up.start < call.end:
                return False
    return use.start >= call.end and not _loops_back(binding, use, at)


def _loops_back(binding: Binding, use: Node, at: Node) -> bool:
    """Whether a loop leads from a use back to a place, with the same object."""
    here = function_of(at)
    for up in at.ancestors():
        if up.same(here):
            return False
        if (
            up.type in LOOPS
            and up.contains(use)
            and not all(up.contains(each.item) for each in binding.writes)
        ):
            return True
    return False
