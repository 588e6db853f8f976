"""Recognizes calls of asynchronous functions whose rejection is handled: `open().catch(() => openTab())`."""

from __future__ import annotations

from extlint.analysis.guards.error_handling.error_handlers import ReportingCode, names_in
from extlint.analysis.guards.error_handling.try_catch import MAX_HANDLER_BYTES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Function
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.api_results import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import chained_calls


def is_rejection_handled(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a call's promise has a handler that does something other than reporting the error.

    A member of the API that is missing throws at once, and so does a function that is not asynchronous.
    """
    for method, chained in chained_calls(evaluator, call):
        if method not in PROMISE_METHODS:
            return False
        if method == "catch":
            handler = chained.first_argument
            return handler is not None and _recovers(evaluator, handler) and _is_asynchronous(evaluator, call)
    return False


def _recovers(evaluator: Evaluator, handler: Node) -> bool:
    function = innermost(handler)
    if not isinstance(function, Function):
        return False
    body = function.body
    if body.end - body.start > MAX_HANDLER_BYTES:
        return True
    names = (names_in(evaluator.tree, each) for each in function.parameters)
    reporting = ReportingCode(evaluator.tree, frozenset().union(*names))
    if body.type != "statement_block":
        return not reporting.is_reporting_expression(body)
    return not all(map(reporting.is_reporting_statement, body.named()))


def _is_asynchronous(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the called function has a name, and is asynchronous, or unknown and not a member of the API."""
    named: Node = innermost(call.callee)
    while isinstance(named, AccessExpression):
        named = innermost(named.object)
    if named.type not in {"identifier", "this"} or evaluator.api(call.callee) is not None:
        return False
    definition = evaluator.definition_of(call.callee)
    return not isinstance(definition, Function) or definition.has_token("async")
