"""Summarizes return values of functions independently of their callers, for scripts that import them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    NOTHING,
    ApiResult,
    InstanceValue,
    Kind,
    Literal,
    Value,
    leads_to_api,
    options_of,
    union_of,
)
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AwaitExpression, CallExpression, Function
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.api_results import fulfillment_of, is_promise
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import completes_abruptly, return_values

_CONSTANTS = frozenset({"false", "identifier", "null", "number", "string", "true", "undefined"})

MAX_NAMES = 50
"""The maximum number of nodes of a returned expression to search for names."""


class FunctionResults:
    """Computes the summaries of the results of functions of one script.

    `summary_of` returns the summary of a value, at a depth.
    """

    def __init__(
        self, evaluator: Evaluator, api_places: ApiPlaces, summary_of: Callable[[Value, int], Value | None]
    ) -> None:
        self._evaluator = evaluator
        self._api_places = api_places
        self._summary_of = summary_of

    def result_summary(self, function: Function, depth: int) -> Value | None:
        """Returns the summary of the result of a function for any caller, or None if unknown.

        For functions that cannot return the API, only constants are summarized.
        """
        body = function.body
        plain = not self._api_places.may_be_returned_by(function)
        if function.type.startswith("generator") or function.has_token("*"):
            return None
        returned: Iterable[Node | None] | None = [body]
        if body.type == "statement_block":
            returned = return_values(self._evaluator, body)
            if returned is not None and not completes_abruptly(body):
                returned = [*returned, None]
        returned = list(returned or ())
        if plain and any(each is not None and each.type not in _CONSTANTS for each in returned):
            return None
        values: list[Value] = []
        for each in returned:
            value = Literal(Kind.UNDEFINED) if each is None else self._returned_summary(function, each, depth)
            if value is None:
                return None
            values.append(value)
        if not values:
            return None
        union = _single_summary(values)
        if union is None or not function.has_token("async"):
            return union
        return InstanceValue("Promise", True, fulfillment=fulfillment_of(union))

    def _returned_summary(self, function: Function, expression: Node, depth: int) -> Value | None:
        """Returns the summary of an expression of a function, or None if it differs between callers."""
        if expression.type == "identifier" and not self._is_independent_of_arguments(function, expression):
            return None
        value = self._evaluator.partial(expression)
        if isinstance(value, ApiResult):
            call = _awaited_expression(expression)
            if not isinstance(call, CallExpression):
                return None
            promise = self._evaluator.partial(call)
            if not isinstance(promise, ApiResult) or not is_promise(promise):
                return None
            return (
                replace(value, span=None, call=None)
                if self._is_independent_of_arguments(function, call.callee)
                else None
            )
        if value == NOTHING or not self._is_independent_of_arguments(function, expression):
            return None
        return self._summary_of(value, depth + 1)

    def _is_independent_of_arguments(self, function: Function, expression: Node) -> bool:
        """Whether an expression does not depend on the arguments of its enclosing functions."""
        around = (function, *function.ancestors())
        if not any(isinstance(each, Function) and each.parameters for each in around):
            return True
        waiting, visited_count = [expression], 0
        while waiting:
            each = waiting.pop()
            visited_count += 1
            if visited_count > MAX_NAMES:
                return False
            if each.type in {"identifier", "shorthand_property_identifier"}:
                name = self._evaluator.tree.source(each)
                binding = self._evaluator.names.resolve(name, each)
                if binding is not None and binding.scope.type != "program":
                    return False
            waiting += each.named()
        return True


def _single_summary(values: Iterable[Value]) -> Value | None:
    """Returns the union of summaries.

    Returns None if they are too different; null and undefined are omitted next to the API.
    """
    union = union_of(values)
    options = options_of(union)
    non_literals = [each for each in options if not isinstance(each, Literal)]
    if not non_literals or len(non_literals) == len(options) == 1:
        return union
    return non_literals[0] if len(non_literals) == 1 and leads_to_api(non_literals[0]) else None


def _awaited_expression(expression: Node) -> Node:
    """Returns the expression inside parentheses, type annotations and `await`."""
    expression = innermost(expression)
    while isinstance(expression, AwaitExpression):
        expression = innermost(expression.argument)
    return expression
