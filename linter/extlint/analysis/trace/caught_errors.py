"""Finds errors that code catches and sends as they are.

    load().catch((error) => sendResponse({ error }));

Any value can be thrown, so that the package must not have code that throws anything but errors.
"""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.values import InstanceValue, ObjectValue, Value
from extlint.analysis.scope.model import Identifier
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Pair
from extlint.analysis.syntax.shapes import (
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_MEMBERS = frozenset({"message", "name", "stack", "toString"})
"""The members of errors that code reads."""

_HANDLERS = {"catch": 0, "then": 1}
"""The methods of promises that take a handler of errors, with its position."""


def with_caught_errors(evaluator: Evaluator, node: Node, value: Value) -> Value:
    """Returns the value of an argument in which caught errors are objects of `Error`."""
    inner = innermost(node)
    if _is_caught_error(evaluator, inner):
        return InstanceValue("Error", span=inner.span)
    if not isinstance(value, ObjectValue) or inner.type != "object":
        return value
    fields = dict(value.fields)
    for each in inner.named():
        part = innermost(each.value) if isinstance(each, Pair) else each
        name = evaluator.tree.source(each.key if isinstance(each, Pair) else each)
        if name in fields and _is_caught_error(evaluator, part):
            fields[name] = replace(fields[name], value=InstanceValue("Error", span=part.span))
    return value if fields == value.fields else replace(value, fields=fields)


def _is_caught_error(evaluator: Evaluator, name: Node) -> bool:
    """Whether a name is that of a caught error, which code uses only as an error."""
    binding = evaluator.names.variable(name) if name.type in _NAMES else None
    if binding is None or len(binding.writes) != 1 or len(binding.declarations) != 1:
        return False
    return _is_handled(evaluator, binding.writes[0]) and all(
        _is_used_as_error(evaluator, each.item) for each in binding.uses
    )


def _is_handled(evaluator: Evaluator, declared: Identifier) -> bool:
    """Whether a variable is that of a `catch` clause, or of a function for the failure of a promise."""
    if declared.kind == "catch":
        return True
    function = enclosing_function(declared.item) if declared.kind == "parameter" else None
    first = [pattern_of(each) for each in parameter_items(function)[:1]] if function else []
    if function is None or not any(each.same(declared.item) for each in first):
        return False
    whole = outermost(function)
    taker = call_with_argument(whole)
    if not isinstance(taker, CallExpression) or not isinstance(taker.callee, AccessExpression):
        return False
    method = key_of(evaluator, taker.callee)
    return method in _HANDLERS and index_of(taker.arguments, whole) == _HANDLERS[method]


def _is_used_as_error(evaluator: Evaluator, use: Node) -> bool:
    whole = outermost(use)
    up = whole.parent
    if use.type == "shorthand_property_identifier" or isinstance(up, Pair):
        return True
    if isinstance(up, AccessExpression) and whole.is_field("object"):
        return key_of(evaluator, up) in _MEMBERS
    call = call_with_argument(whole)
    return (
        isinstance(call, CallExpression)
        and call.parent is not None
        and (call.parent.type in ("expression_statement", "arrow_function"))
    )
