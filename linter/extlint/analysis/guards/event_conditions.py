"""Conditions that test which event it is: `message.type === "open"`, `event.target.id === "a"`.

They compare values that the API passes to a listener with texts, numbers and the like, or test anything of
the page and its events. So they test neither the browser nor its API. For any other condition this is
unknown.
"""

from __future__ import annotations

from extlint.analysis.facts.values import Api, ApiResult, Literal, options_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    EQUALITY,
    ORDER,
    call_with_argument,
    enclosing_function,
    innermost,
    outermost,
)
from extlint.analysis.values.api_results import is_passed_by_event
from extlint.analysis.values.elements import element_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import uses_of
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_LOGICAL = frozenset({"&&", "||"})
_MAX_DEPTH = 12
_NAME_BYTES = 20
_ADD = "addEventListener"
_QUESTIONS = frozenset({"confirm", "prompt"})
_ENVIRONMENTS = frozenset({"extension", "management", "permissions", "runtime", "storage", "system"})
"""Namespaces whose results may describe the browser or what it supports."""

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
        case BinaryExpression(operator=operator, left=left, right=right) if operator in EQUALITY | ORDER:
            return (_is_data(evaluator, left) and _is_constant(evaluator, right)) or (
                _is_data(evaluator, right) and _is_constant(evaluator, left)
            )
        case UnaryExpression(operator="!", argument=argument):
            return depends_only_on_event(evaluator, argument, depth + 1)
    return _is_page_value(evaluator, item)


def _is_data(evaluator: Evaluator, expression: Node) -> bool:
    """Whether a value that is compared with a constant certainly is data: of an event, the page or a call."""
    item = innermost(expression)
    if isinstance(item, AccessExpression) and key_of(evaluator, item) == "length":
        return not isinstance(evaluator.value(item.object), Api)
    return is_event_value(evaluator, item) or _is_result(evaluator, item)


def _is_result(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression certainly is a part of a result of the API that does not describe the browser."""
    if not isinstance(item, AccessExpression) and item.type != "identifier":
        return False
    options = options_of(evaluator.value(item))
    return bool(options) and all(
        isinstance(each, ApiResult) and each.path[0] not in _ENVIRONMENTS for each in options
    )


def is_event_value(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression certainly is a value that an event passes to a listener, or a part of one.

    Parts of the page count, too.
    """
    item = innermost(expression)
    if _is_page_value(evaluator, item):
        return True
    if not isinstance(item, AccessExpression) and item.type != "identifier":
        return False
    return is_passed_by_event(evaluator.value(item))


def _is_constant(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression certainly is a text, a number, a boolean, null or undefined."""
    options = options_of(evaluator.value(innermost(expression)))
    return bool(options) and all(isinstance(each, Literal) for each in options)


def _is_page_value(evaluator: Evaluator, item: Node, depth: int = 0) -> bool:
    """Whether an expression is an event of the page, an element that is looked up, or a part of these.

    The user's answer to a question counts, too.
    """
    for _ in range(_MAX_DEPTH):
        is_part = isinstance(item, AccessExpression)  # the owner of a property decides, at less cost
        if not is_part and (element_of(evaluator, item) is not None or _is_answer(evaluator, item)):
            return True
        if isinstance(item, CallExpression):
            item = innermost(item.callee)
            if not isinstance(item, AccessExpression):
                return False
        if not isinstance(item, AccessExpression):
            break
        item = innermost(item.object)
    if item.type != "identifier":
        return False
    variable = evaluator.names.variable(item)
    write = variable.writes[0] if variable is not None and len(variable.writes) == 1 else None
    if write is not None and isinstance(write.source, VariableDeclarator) and depth < _MAX_DEPTH:
        value = write.source.value
        return value is not None and _is_page_value(evaluator, innermost(value), depth + 1)
    return _is_page_event(evaluator, item)


def _is_answer(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the user's answer to a question: `confirm("Reset?")`."""
    if not isinstance(item, CallExpression) or item.callee.end - item.callee.start > _NAME_BYTES:
        return False
    name = evaluator.tree.source(item.callee).removeprefix("window.")
    return name in _QUESTIONS and evaluator.names.resolve(name, item) is None


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
        name = key_of(evaluator, left) if isinstance(left, AccessExpression) else evaluator.tree.source(left)
        return listener.is_field("right") and _HANDLER.fullmatch(name or "") is not None
    call = call_with_argument(listener)
    callee = None if call is None else innermost(call.callee)
    if isinstance(callee, AccessExpression):
        return key_of(evaluator, callee) == _ADD and evaluator.api(callee) is None
    return callee is not None and evaluator.tree.source(callee) == _ADD
