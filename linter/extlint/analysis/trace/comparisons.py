"""Finds equality comparisons of API results."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.values import ArrayValue, Literal, Value, with_span
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    SwitchCase,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import EQUALITY
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of


def compared_values(evaluator: Evaluator, expression: Node, up: Node) -> Iterator[tuple[Value, bool]]:
    """Yields the values that an expression's parent compares with it, and whether strictly."""
    match up:
        case BinaryExpression(operator=operator):
            if operator in EQUALITY:
                other = up.right if expression.is_field("left") else up.left
                yield _value_at(evaluator, other), operator in {"!==", "==="}
        case SwitchStatement():
            for case in up.body.named():
                if isinstance(case, SwitchCase):
                    yield _value_at(evaluator, case.value), True
        case Node(type="arguments", parent=CallExpression() as call) if len(call.arguments) == 1:
            for each in _searched_items(evaluator, call):
                yield each, True


def _value_at(evaluator: Evaluator, expression: Node) -> Value:
    return with_span(evaluator.possible.value(expression), expression.span)


def _searched_items(evaluator: Evaluator, call: CallExpression) -> Iterator[Value]:
    """Yields the items of the list that `[…].includes(x)` searches."""
    callee = call.callee
    if not isinstance(callee, AccessExpression) or key_of(evaluator, callee) != "includes":
        return
    array = evaluator.possible.value(callee.object)
    if isinstance(array, ArrayValue) and not array.open:
        for each in array.items:
            if isinstance(each, Literal):
                yield each
