"""What a condition stands for whose value came by a promise or callback."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import (
    arguments_of,
    call_of,
    index_of,
    innermost,
    outermost,
    parameter_items,
)
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import handed_on, uses_of
from extlint.script.values.property_names import key_of

_METHODS = frozenset({"catch", "finally", "then"})


def settling(evaluator: Evaluator, made: Node) -> list[tuple[Node, Node]] | None:
    """What `new Promise((resolve) => …)` is fulfilled with: the expressions, and where that happens.

    None if they cannot all be told.
    """
    constructor, arguments = made.field("constructor"), arguments_of(made)
    if constructor is None or evaluator.tree.source(constructor) != "Promise" or not arguments:
        return None
    executor = innermost(arguments[0])
    listed = parameter_items(executor) if executor.type in FUNCTIONS else []
    binding = evaluator.names.variable(listed[0].field("pattern") or listed[0]) if listed else None
    if binding is None:
        return None
    found = []
    for use in binding.uses:
        call = call_of(use.item) if use.role is Role.REFERENCE else None
        given = arguments_of(call)[:1] if call is not None else [*giving_to(evaluator, use.item, 0)]
        if not given:
            return None
        found.append((given[0], use.item))
    return found


def promise_before(evaluator: Evaluator, call: Node) -> tuple[Node, str] | None:
    """The promise whose method `then`, `catch` or `finally` a call is, with the method's name."""
    function = call.field("function")
    target = None if function is None else function.field("object")
    if function is None or target is None or function.type != "member_expression":
        return None
    name = key_of(evaluator, function)
    return (target, name) if name in _METHODS else None


def passed_by_callers(evaluator: Evaluator, parameter: Node) -> list[Node] | None:
    """The expressions whose later value a parameter of a callback is; None if they cannot all be told."""
    function = next((up for up in parameter.ancestors() if up.type in FUNCTIONS), None)
    index = None if function is None else index_of(parameter_items(function), parameter)
    if function is None or index is None or (parameter.field("pattern") or parameter).type != "identifier":
        return None
    handed = handed_on(evaluator, function)
    if len(handed) < len(uses_of(evaluator, function)):
        return None
    handed = handed or [function]
    found = [[*giving_to(evaluator, each, index)] for each in handed]
    return [each[0] for each in found] if all(found) else None


def giving_to(evaluator: Evaluator, callback: Node, index: int) -> Iterator[Node]:
    """The promise, or the call of the API, that passes its value to a callback."""
    whole = outermost(callback)
    listed = whole.parent
    call = listed.parent if listed is not None and listed.type == "arguments" else None
    function = None if call is None else call.field("function")
    if call is None or function is None or index > 0:
        return
    if function.type == "member_expression" and key_of(evaluator, function) == "then":
        target = function.field("object")
        if target is not None and arguments_of(call)[0].same(whole):
            yield target
    elif evaluator.api(function) is not None and arguments_of(call)[-1].same(whole):
        yield call
