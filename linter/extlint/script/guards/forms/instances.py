"""Tests by class: `browser.management instanceof Object`."""

from __future__ import annotations

from extlint.script.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.script.guards.forms.members import operand_facts
from extlint.script.guards.forms.query import ConditionQuery
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import BinaryExpression
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator


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
