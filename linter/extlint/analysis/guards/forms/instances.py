"""Tests by class: `browser.management instanceof Object`."""

from __future__ import annotations

from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.analysis.guards.forms.members import operand_facts
from extlint.analysis.guards.forms.query import ConditionQuery
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import BinaryExpression
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator


def implied(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the operand of `instanceof` as present; the negation proves nothing."""
    if not isinstance(expression, BinaryExpression):
        return None
    if query.outcome and query.present:
        return operand_facts(query, innermost(expression.left))
    return NOTHING_IMPLIED


def only_tests(evaluator: Evaluator, operand: Node, parent: Node) -> bool:  # noqa: ARG001
    """Whether an expression is `operand instanceof …`."""
    return isinstance(parent, BinaryExpression) and parent.operator == "instanceof"
