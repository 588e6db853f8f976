"""Determines whether a call with a function argument calls it immediately or later."""

from __future__ import annotations

from enum import Enum

from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    CallExpression,
    CallOrNewExpression,
    NewExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.api_results import HELPERS, ITERATION_METHODS
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of

_TIMERS = frozenset(
    "queueMicrotask requestAnimationFrame requestIdleCallback setImmediate setInterval setTimeout".split()
)
_GLOBAL_OBJECTS = frozenset({"globalThis", "self", "window"})
_REQUESTS = frozenset({"FileReader", "Image", "WebSocket", "XMLHttpRequest"})
"""Browser classes whose event handlers run later, unless a request is synchronous."""

_HANDLERS = frozenset("onabort onerror onload onloadend onopen onreadystatechange ontimeout".split())
_MAX_CHAIN = 50
"""The most calls of a promise chain that are followed."""


class CallTime(Enum):
    """The time at which a function passed as an argument is called."""

    NOW = "before the call that takes it returns, if at all"
    LATER = "after all that is running has returned"
    UNKNOWN = "at any time"


def call_time(evaluator: Evaluator, taker: CallOrNewExpression, index: int) -> CallTime:
    """Returns when a call invokes the argument at an index, according to the language, browser or API."""
    callee = taker.callee
    if isinstance(taker, NewExpression):
        is_executor = index == 0 and evaluator.names.is_global(callee, {"Promise"})
        return CallTime.NOW if is_executor else CallTime.UNKNOWN
    name = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
    if name in PROMISE_METHODS:
        return CallTime.LATER  # for any promise; identifying it may take much work
    found = evaluator.api(callee)
    if found is not None:
        is_direct = len(found.path) > 1 and found.path[-1] not in HELPERS and not found.has_stand_in
        return CallTime.LATER if is_direct else CallTime.UNKNOWN
    if index == 0 and evaluator.names.is_global(callee, _TIMERS):
        return CallTime.LATER
    if not isinstance(callee, AccessExpression):
        return CallTime.UNKNOWN
    if name in _TIMERS and index == 0 and evaluator.tree.source(callee.object) in _GLOBAL_OBJECTS:
        return CallTime.LATER
    return CallTime.NOW if name in ITERATION_METHODS and index == 0 else CallTime.UNKNOWN


def runs_as_handler(evaluator: Evaluator, assignment: AssignmentExpression) -> bool:
    """Whether a function becomes the handler of an event that certainly fires later: `reader.onload = f`."""
    member = assignment.left
    if not isinstance(member, AccessExpression) or key_of(evaluator, member) not in _HANDLERS:
        return False
    binding = evaluator.names.variable(member.object) if member.object.type == "identifier" else None
    if binding is None or len(binding.writes) != 1:
        return False
    source = binding.writes[0].source
    initializer = source.value if isinstance(source, VariableDeclarator) else None
    if not isinstance(initializer, NewExpression):
        return False
    if not evaluator.names.is_global(initializer.callee, _REQUESTS):
        return False
    uses = (each.item.parent for each in binding.uses if each.role is Role.REFERENCE)
    return all(
        len(call.arguments) < 3 or call.arguments[2].type == "true"
        for member in uses
        if isinstance(member, AccessExpression) and key_of(evaluator, member) == "open"
        for call in [member.parent]
        if isinstance(call, CallExpression)
    )


def takes_time(evaluator: Evaluator, expression: Node) -> bool:
    """Whether a promise comes from the API, the network or such a promise, so that it settles later."""
    for _ in range(_MAX_CHAIN):
        expression = innermost(expression)
        if isinstance(expression, AwaitExpression):
            expression = expression.argument
        elif isinstance(expression, AccessExpression):
            expression = expression.object
        elif not isinstance(expression, CallExpression):
            return False
        else:
            callee = expression.callee
            if not isinstance(callee, AccessExpression) or key_of(evaluator, callee) not in PROMISE_METHODS:
                return evaluator.api(callee) is not None or evaluator.names.is_global(callee, {"fetch"})
            expression = callee.object
    return False
