"""Evaluates the fulfillment of promises of modules in the code of bundlers."""

from __future__ import annotations

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.facts.values import UNKNOWN, FunctionValue, Value
from extlint.analysis.syntax.nodes import CallExpression
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import View
from extlint.analysis.values.functions import return_value


def awaited_then_value(view: View, call: CallExpression) -> Value:
    """Returns the value of `await anything.then(() => module)`, given the call of `then`."""
    first = call.first_argument
    if first is None:
        return UNKNOWN
    first = innermost(first)
    if isinstance(first, CallExpression):
        return bundle_of(view.evaluator).bound_require(first)
    value = view.partial(first)
    definition = view.evaluator.definition(value) if isinstance(value, FunctionValue) else None
    return UNKNOWN if definition is None else return_value(view, definition)
