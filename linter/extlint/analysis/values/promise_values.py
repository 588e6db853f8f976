"""Finds the expressions behind a value delivered by a promise or a callback."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.scope.model import Identifier, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, MemberExpression, NewExpression
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import uses_as_argument, uses_of
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import key_of


def fulfilling_uses(evaluator: Evaluator, promise: Node) -> Sequence[Identifier]:
    """Returns the uses of `resolve` in `new Promise((resolve) => …)`, or none for another expression."""
    if not isinstance(promise, NewExpression) or evaluator.tree.source(promise.callee) != "Promise":
        return ()
    arguments = promise.arguments
    parameters = parameter_items(innermost(arguments[0])) if arguments else []
    binding = evaluator.names.variable(pattern_of(parameters[0])) if parameters else None
    return () if binding is None else binding.uses


def fulfillments(evaluator: Evaluator, promise: Node) -> list[tuple[Node, Node]] | None:
    """Returns the expressions that fulfill `new Promise((resolve) => …)`, and the uses doing so, or None.

    All of them must be known.
    """
    found = []
    for use in fulfilling_uses(evaluator, promise):
        call = call_of(use.item) if use.role is Role.REFERENCE else None
        values = call.arguments[:1] if call is not None else [*sources_of_argument(evaluator, use.item, 0)]
        if not values:
            return None
        found.append((values[0], use.item))
    return found or None


def chained_promise(evaluator: Evaluator, call: Node) -> tuple[Node, str] | None:
    """Returns the promise whose `then`, `catch` or `finally` is called, with the method's name, or None."""
    callee = call.callee if isinstance(call, CallExpression) else None
    if not isinstance(callee, MemberExpression):
        return None
    name = key_of(evaluator, callee)
    return (callee.object, name) if name in PROMISE_METHODS else None


def chained_calls(evaluator: Evaluator, promise: Node) -> Iterator[tuple[str | None, CallExpression]]:
    """Yields the calls of methods on a promise, each on the result of the one before, with its name."""
    whole = outermost(promise)
    while isinstance(method := whole.parent, AccessExpression) and whole.is_field("object"):
        call = call_of(method)
        if call is None:
            return
        yield key_of(evaluator, method), call
        whole = outermost(call)


def is_caught(evaluator: Evaluator, call: Node) -> bool:
    """Whether a script handles the failure of the promise of a call, perhaps after other methods of it."""
    return catching_call(evaluator, call) is not None


def catching_call(evaluator: Evaluator, promise: Node) -> CallExpression | None:
    """Returns the first call of a method that handles the failure of a promise, or None."""
    known, passed = _catching_calls(evaluator), [promise]
    found = None
    for method, chained in chained_calls(evaluator, promise):
        if method == "catch" or (method == "then" and len(chained.arguments) > 1):
            found = chained
        elif method in PROMISE_METHODS and chained.id not in known:
            passed.append(chained)
            continue
        elif method in PROMISE_METHODS:
            found = known[chained.id]
        break
    known.update(dict.fromkeys((each.id for each in passed), found))
    return found


@once_per_script
def _catching_calls(_: Evaluator) -> dict[int, CallExpression | None]:
    return {}


def sources_of_parameter(evaluator: Evaluator, parameter: Node) -> list[Node] | None:
    """Returns the expressions whose later value a callback's parameter receives.

    Returns None if not all are known.
    """
    function = enclosing_function(parameter)
    index = None if function is None else index_of(function.parameters, parameter)
    if function is None or index is None or pattern_of(parameter).type != "identifier":
        return None
    passed = uses_as_argument(evaluator, function)
    if len(passed) < len(uses_of(evaluator, function)):
        return None
    passed = passed or [function]
    found = [[*sources_of_argument(evaluator, each, index)] for each in passed]
    return [each[0] for each in found] if all(found) else None


def sources_of_argument(evaluator: Evaluator, callback: Node, index: int) -> Iterator[Node]:
    """Yields the promise, or the API call, that passes its value to a callback."""
    whole = outermost(callback)
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression) or index > 0:
        return
    callee = call.callee
    if isinstance(callee, MemberExpression) and key_of(evaluator, callee) == "then":
        if call.arguments[0].same(whole):
            yield callee.object
    elif evaluator.api(callee) is not None and call.arguments[-1].same(whole):
        yield call
