"""Determines how a script uses a call's promise, and whether it calls the callback instead of passing it."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import PromiseUse
from extlint.analysis.facts.values import Kind, Literal, options_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, AwaitExpression, CallExpression
from extlint.analysis.syntax.shapes import call_of, innermost, outermost
from extlint.analysis.values.api_results import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import chained_calls
from extlint.analysis.values.property_names import key_of


def promise_use(evaluator: Evaluator, call: CallExpression) -> PromiseUse:
    """Returns how a script immediately uses the promise of a call."""
    whole = outermost(call)
    up = whole.parent
    if isinstance(up, AwaitExpression):
        around = outermost(up).parent
        match around:
            case None | Node(type="expression_statement"):
                return PromiseUse.NONE
            case Node(type="arrow_function" | "return_statement"):
                return PromiseUse.RETURNED
        return PromiseUse.AWAITED
    is_chained = isinstance(up, AccessExpression) and whole.is_field("object") and call_of(up) is not None
    if is_chained and isinstance(up, AccessExpression) and key_of(evaluator, up) in PROMISE_METHODS:
        optional = up.has_token("optional_chain") or up.has_token("?.")
        return PromiseUse.NONE if optional else PromiseUse.CHAINED
    return PromiseUse.NONE


def is_caught(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a script calls `catch` on the promise of a call, perhaps after other methods of promises."""
    for method, _ in chained_calls(evaluator, call):
        if method == "catch" or method not in PROMISE_METHODS:
            return method == "catch"
    return False


def is_callback_called(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the last argument is a call that certainly returns undefined: `tabs.query({}, show())`."""
    last = call.arguments[-1] if call.arguments else None
    if last is None or not isinstance(innermost(last), CallExpression):
        return False
    options = options_of(evaluator.value(last))
    return all(isinstance(each, Literal) and each.kind is Kind.UNDEFINED for each in options)
