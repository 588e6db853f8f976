"""Conditions that test which event it is: `message.type === "open"`, `event.target.id === "a"`.

They compare values that the API passes to a listener with texts, numbers and the like, or test anything of
the page and its events. So they test neither the browser nor its API. For any other condition this is
unknown.
"""

from __future__ import annotations

from extlint.script.facts.values import ApiResult, Delivery, Literal, options_of
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    UnaryExpression,
)
from extlint.script.syntax.shapes import call_with_argument, enclosing_function, innermost, outermost
from extlint.script.values.elements import element_of
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import uses_of
from extlint.script.values.property_names import key_of
from extlint.text.patterns import lazy

_COMPARISONS = frozenset({"!=", "!==", "<", "<=", "==", "===", ">", ">="})
_LOGICAL = frozenset({"&&", "||"})
_MAX_DEPTH = 12
_ADD = "addEventListener"
_HANDLER = lazy(r"on[a-z]+")
"""Matches the property of an element that listens to an event."""


def depends_only_on_event(evaluator: Evaluator, condition: Node, depth: int = 0) -> bool:
    """Whether a condition certainly depends only on the values that an event passes, or on the page."""
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
    return _is_page_value(evaluator, item)


def is_event_value(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression certainly is a value that an event passes to a listener, or a part of one.

    Parts of the page count, too.
    """
    item = innermost(expression)
    if _is_page_value(evaluator, item):
        return True
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


def _is_page_value(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is an event of the page, an element that is looked up, or a part of these."""
    for _ in range(_MAX_DEPTH):
        if element_of(evaluator, item) is not None:
            return True
        if isinstance(item, CallExpression):
            item = innermost(item.callee)
            if not isinstance(item, AccessExpression):
                return False
        if not isinstance(item, AccessExpression):
            break
        item = innermost(item.object)
    return item.type == "identifier" and _is_page_event(evaluator, item)


def _is_page_event(evaluator: Evaluator, name: Node) -> bool:
    """Whether a variable is the parameter of a function that only listens to events of the page."""
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.writes) != 1 or binding.writes[0].kind != "parameter":
        return False
    function = enclosing_function(binding.writes[0].item)
    if function is None:
        return False
    places = [outermost(function), *(outermost(each) for each in uses_of(evaluator, function) or ())]
    used = [each for each in places if function.type != "function_declaration" or not each.same(function)]
    return bool(used) and all(_listens_to_page(evaluator, each) for each in used)


def _listens_to_page(evaluator: Evaluator, listener: Node) -> bool:
    up = listener.parent
    if isinstance(up, AssignmentExpression):
        left = innermost(up.left)
        is_handler = isinstance(left, AccessExpression) and _HANDLER.fullmatch(key_of(evaluator, left) or "")
        return listener.is_field("right") and bool(is_handler)
    call = call_with_argument(listener)
    callee = None if call is None else innermost(call.callee)
    if isinstance(callee, AccessExpression):
        return key_of(evaluator, callee) == _ADD and evaluator.api(callee) is None
    return callee is not None and evaluator.tree.source(callee) == _ADD
