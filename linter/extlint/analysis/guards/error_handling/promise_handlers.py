"""Determines how a failure is handled in code that a promise runs: `open().catch(() => openTab())`."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import FailureHandling
from extlint.analysis.guards.error_handling.error_handlers import ReportingCode, names_in
from extlint.analysis.guards.error_handling.try_catch import MAX_HANDLER_BYTES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Function, NewExpression
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import catching_call
from extlint.analysis.values.property_names import key_of


def handling_of_callee(evaluator: Evaluator, call: CallExpression) -> FailureHandling:
    """Returns how a failure in the function that a call runs is handled, by its promise.

    A member of the API that is missing throws at once, and so does a function that is not asynchronous.
    """
    return _handling(evaluator, call) if _is_asynchronous(evaluator, call) else FailureHandling.NONE


def handling_of_callback(evaluator: Evaluator, function: Node) -> FailureHandling:
    """Returns how a failure in a function that a promise runs is handled, by its later methods."""
    call = call_with_argument(outermost(function))
    callee = None if call is None else innermost(call.callee)
    runs = isinstance(callee, AccessExpression) and key_of(evaluator, callee) in PROMISE_METHODS
    is_executor = isinstance(call, NewExpression) and evaluator.names.is_global(call.callee, {"Promise"})
    return _handling(evaluator, call) if call is not None and (runs or is_executor) else FailureHandling.NONE


def _handling(evaluator: Evaluator, promise: Node) -> FailureHandling:
    """Returns how the failure of a promise is handled, unless its handler only reports it."""
    call = catching_call(evaluator, promise)
    is_catch = call is not None and key_of(evaluator, call.callee) == "catch"
    handlers = () if call is None else call.arguments[:1] if is_catch else call.arguments[1:2]
    return _handling_by(evaluator, handlers[0]) if handlers else FailureHandling.NONE


def _handling_by(evaluator: Evaluator, handler: Node) -> FailureHandling:
    function = evaluator.definition_of(handler)
    if not isinstance(function, Function):
        return FailureHandling.NONE
    body = function.body
    statements = body.named() if body.type == "statement_block" else [body]
    if not statements:
        return FailureHandling.SWALLOWED
    names = (names_in(evaluator.tree, each) for each in function.parameters)
    reporting = ReportingCode(evaluator.tree, frozenset().union(*names))
    is_reporting = (
        reporting.is_reporting_statement
        if body.type == "statement_block"
        else reporting.is_reporting_expression
    )
    only_reports = body.end - body.start <= MAX_HANDLER_BYTES and all(map(is_reporting, statements))
    return FailureHandling.NONE if only_reports else FailureHandling.RECOVERED


def _is_asynchronous(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the called function is asynchronous, or has a name, is unknown and not a member of the API."""
    definition = evaluator.definition_of(call.callee)
    if isinstance(definition, Function):
        return definition.has_token("async")
    named: Node = innermost(call.callee)
    while isinstance(named, AccessExpression):
        named = innermost(named.object)
    return named.type in {"identifier", "this"} and evaluator.api(call.callee) is None
