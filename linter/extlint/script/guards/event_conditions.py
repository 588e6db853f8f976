"""Conditions that test which event it is: `message.type === "open"`, `change.status !== "complete"`.

They compare values that the API passes to a listener with texts, numbers and the like, so they test neither
the browser nor its features. For any other condition this is unknown.
"""

from __future__ import annotations

from extlint.script.facts.values import ApiResult, Delivery, Literal, options_of
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import AccessExpression, BinaryExpression, UnaryExpression
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator

_COMPARISONS = frozenset({"!=", "!==", "<", "<=", "==", "===", ">", ">="})
_LOGICAL = frozenset({"&&", "||"})
_MAX_DEPTH = 12


def depends_only_on_event(evaluator: Evaluator, condition: Node, depth: int = 0) -> bool:
    """Whether a condition certainly depends only on the values that an event passes."""
    item = innermost(condition)
    if depth > _MAX_DEPTH:
        return False
    match item:
        case BinaryExpression(operator=operator, left=left, right=right) if operator in _LOGICAL:
            return depends_only_on_event(evaluator, left, depth + 1) and depends_only_on_event(
                evaluator, right, depth + 1
            )
        case BinaryExpression(operator=operator, left=left, right=right) if operator in _COMPARISONS:
            return (is_event_value(evaluator, left) and _is_constant(evaluator, right)) or (
                is_event_value(evaluator, right) and _is_constant(evaluator, left)
            )
        case UnaryExpression(operator="!", argument=argument):
            return depends_only_on_event(evaluator, argument, depth + 1)
    return False


def is_event_value(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression certainly is a value that an event passes to a listener, or a part of one."""
    item = innermost(expression)
    if not isinstance(item, AccessExpression) and item.type != "identifier":
        return False
    options = options_of(evaluator.certain.value(item))
    return bool(options) and all(
        isinstance(each, ApiResult) and each.delivery is Delivery.LISTENER for each in options
    )


def _is_constant(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression certainly is a text, a number, a boolean, null or undefined."""
    options = options_of(evaluator.certain.value(innermost(expression)))
    return bool(options) and all(isinstance(each, Literal) for each in options)
