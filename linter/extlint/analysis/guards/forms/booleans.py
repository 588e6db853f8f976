"""Conditions that are converted to a boolean, or compared with a literal.

Examples: `Boolean(condition)`, `condition === true`, `mode === "panel"`.
"""

from __future__ import annotations

from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.guards.forms.facts import Facts
from extlint.analysis.guards.forms.query import ConditionQuery
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import BinaryExpression, CallExpression
from extlint.analysis.syntax.shapes import EQUAL, innermost, swapped
from extlint.analysis.values.evaluator import Evaluator

_COMPARED = frozenset({Kind.NUMBER, Kind.STRING})


def implied_by_comparison(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the implications of a value that is compared with a boolean, text or number, or None."""
    if not isinstance(expression, BinaryExpression):
        return None
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        value = query.evaluator.value(against)
        if not isinstance(value, Literal):
            continue
        if value.kind in _COMPARED:
            found = query.implied_by_comparison(innermost(subject), value, equal)
        elif value.kind is Kind.BOOLEAN and query.present:
            found = query.implied(innermost(subject), bool(value.value) is equal)
        else:
            continue
        if found:
            return found
    return None


def implied_by_call(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the implications of the condition that is passed to `Boolean`, or None for any other call."""
    inner = boolean_argument(query.evaluator, call)
    return None if inner is None else query.implied(inner, query.outcome)


def only_converts(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is passed to `Boolean`."""
    call = parent.parent if parent.type == "arguments" else None
    inner = None if call is None else boolean_argument(evaluator, call)
    return inner is not None and inner.same(operand)


def boolean_argument(evaluator: Evaluator, call: Node) -> Node | None:
    """Returns the `x` of `Boolean(x)`, or None."""
    if not isinstance(call, CallExpression) or call.callee.type != "identifier":
        return None
    return call.first_argument if evaluator.tree.source(call.callee) == "Boolean" else None
