"""Comparisons with null and undefined: `browser.management != null`, `void 0 === browser.management`."""

from __future__ import annotations

from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.guards.forms.comparisons import compared_literal
from extlint.analysis.guards.forms.facts import Facts
from extlint.analysis.guards.forms.members import operand_facts
from extlint.analysis.guards.forms.query import ConditionQuery
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import BinaryExpression
from extlint.analysis.syntax.shapes import EQUAL, innermost, swapped
from extlint.analysis.values.evaluator import Evaluator

_NULLISH = frozenset({Kind.NULL, Kind.UNDEFINED})


def implied(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the members compared with null or undefined, as present or missing.

    Returns None for any other expression.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        if _is_nullish(query.evaluator, against):
            members = operand_facts(query, innermost(subject))
            if members:
                return query.if_requested(members, present=not equal)
    return None


def only_tests(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is compared with null or undefined."""
    found = compared_literal(evaluator, operand, parent)
    return found is not None and found.kind in _NULLISH


def _is_nullish(evaluator: Evaluator, item: Node) -> bool:
    value = evaluator.value(item)
    return isinstance(value, Literal) and value.kind in _NULLISH
