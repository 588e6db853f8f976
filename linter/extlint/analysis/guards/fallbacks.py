"""Determines whether a program has an alternative to the result of a call, in case that is empty."""

from __future__ import annotations

from itertools import islice

from extlint.analysis.guards.forms.comparisons import boolean_argument
from extlint.analysis.guards.tested_uses import parameter_for
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_of, enclosing_function, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import uses_of
from extlint.analysis.values.property_index import key_of, members_named
from extlint.text.patterns import lazy

MAX_USES = 200
"""The maximum number of places to follow for one call; a value that reaches more is assumed to have a
fallback.
"""

_COMPARING = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in"})

_EMPTY = lazy(r"/\^(?:\\s\*)?\$/\w*")
"""A regular expression that matches the empty text."""

_CONDITIONAL = frozenset(
    {
        "do_statement",
        "for_statement",
        "if_statement",
        "switch_statement",
        "ternary_expression",
        "while_statement",
    }
)
_METHODS = frozenset({"method_definition", "pair", "field_definition", "public_field_definition"})


def has_fallback(evaluator: Evaluator, call: Node) -> bool:
    """Whether the result of a call is tested somewhere, or has an alternative next to it (`f(x) || y`).

    The result is followed into variables and parameters, and out of functions to their calls.
    """
    waiting, visited = [call], {call.id}
    while waiting:
        further = _flows_to(evaluator, waiting.pop())
        if further is None or len(visited) > MAX_USES:
            return True
        for each in further:
            if each.id not in visited:
                visited.add(each.id)
                waiting.append(each)
        evaluator.tree.spend(len(further) + 1)
    return False


def _flows_to(evaluator: Evaluator, item: Node) -> list[Node] | None:
    """Returns the expressions that have the value next, or None if this one tests whether it is empty."""
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return []
    if up.type in _CONDITIONAL and (whole.is_field("condition") or whole.is_field("value")):
        return None
    match up:
        case Node(type="await_expression" | "ternary_expression"):
            return [up]
        case UnaryExpression():
            return None if up.operator == "!" else []
        case BinaryExpression():
            return _flow_through_operator(whole, up)
        case Node(type="member_expression"):
            return _flow_through_method(evaluator, up)
        case VariableDeclarator():
            return _reads(evaluator, up.name)
        case AssignmentExpression() if whole.is_field("right"):
            return [up, *_reads(evaluator, up.left)]
        case AugmentedAssignment() if whole.is_field("left"):
            return None if up.is_logical else []
        case Node(type="arguments", parent=Node() as call):
            if boolean_argument(evaluator, call) is not None:
                return None
            return _reads(evaluator, parameter_for(evaluator, whole, up))
        case Node(type="arrow_function") if whole.is_field("body"):
            return _calls(evaluator, up)
        case Node(type="return_statement"):
            function = enclosing_function(up)
            return [] if function is None else _calls(evaluator, function)
    return []


def _flow_through_operator(whole: Node, up: BinaryExpression) -> list[Node] | None:
    operator = up.operator
    if not operator or operator in _COMPARING:
        return None
    if up.is_logical:
        return None if whole.is_field("left") else [up]
    return []


def _flow_through_method(evaluator: Evaluator, member: Node) -> list[Node] | None:
    """Returns the call of a string method, whose result is as empty as the string.

    Returns None if a member tests the string, or replaces the empty one.
    """
    name = key_of(evaluator, member)
    if name == "length" or member.has_token("optional_chain"):
        return None
    call = call_of(member)
    if call is not None and name in ("match", "replace", "search"):
        pattern = call.first_argument
        if name != "replace" or (pattern is not None and _EMPTY.fullmatch(evaluator.tree.source(pattern))):
            return None
    return [] if call is None else [call]


def _reads(evaluator: Evaluator, name: Node | None) -> list[Node]:
    if name is None or name.type != "identifier":
        return []
    binding = evaluator.names.variable(name)
    uses = [] if binding is None else binding.uses
    return [
        use.item
        for use in islice(uses, MAX_USES + 1)
        if use.role is Role.REFERENCE or use.kind == "augmented"
    ]


def _calls(evaluator: Evaluator, function: Node) -> list[Node]:
    """Returns the calls of a function by its own name, or by that of the property that holds it."""
    owner = function if function.type == "method_definition" else outermost(function).parent
    named = uses_of(evaluator, function)
    if owner is not None and owner.type in _METHODS:
        name = key_of(evaluator, owner)
        named = [] if name is None else list(islice(members_named(evaluator, name), MAX_USES + 1))
    calls: list[Node] = [call for each in named if (call := call_of(each)) is not None]
    own = call_of(function)
    return calls if own is None else [*calls, own]
