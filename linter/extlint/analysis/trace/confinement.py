"""Finds objects that the script can only read through names that are followed.

    define(target, "default", { value: browser });

If `define` is not a function of the script, no value that the script reads is this object. So no property
named `value` that it reads anywhere is the API because of it.
"""

from __future__ import annotations

from extlint.analysis.expressions.variables import variable_value
from extlint.analysis.facts.values import InstanceValue, Unknown, Value, options_of
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallOrNewExpression,
    MemberExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_with_argument, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

MAX_USES = 50
"""The most uses of one object that are examined."""

_READING = frozenset({"expression_statement", "unary_expression", "if_statement"})
_CALLING = frozenset({"apply", "bind", "call"})


def is_confined(evaluator: Evaluator, literal: Node) -> bool:
    """Whether an object literal is only named by variables of a function, or passed to unknown code."""
    if b"this" in evaluator.tree.text[literal.start : literal.end]:
        return False
    waiting, visited = [literal], set[int]()
    while waiting:
        use = waiting.pop()
        if use.id in visited:
            continue
        visited.add(use.id)
        names = _names_after(evaluator, use)
        if names is None or len(visited) + len(names) > MAX_USES:
            return False
        waiting += names
    return True


def _names_after(evaluator: Evaluator, use: Node) -> list[Node] | None:
    """Returns the references to an object after a use of it has been evaluated, or None if unknown."""
    whole = outermost(use)
    up, call = whole.parent, call_with_argument(whole)
    if up is None:
        return None
    if call is not None:
        return [] if _is_unknown_call(evaluator, call) else None
    if up.type in _READING or (isinstance(up, AccessExpression) and whole.is_field("object")):
        return []
    if isinstance(up, VariableDeclarator) and whole.is_field("value") and up.name.type == "identifier":
        binding = evaluator.names.variable(up.name)
        if binding is not None and (binding.scope.type != "program" or evaluator.tree.is_module):
            if any(each.role is not Role.REFERENCE for each in binding.uses):
                return None
            return [each.item for each in binding.uses]
    return None


def _is_unknown_call(evaluator: Evaluator, call: CallOrNewExpression) -> bool:
    """Whether no code in the script receives the arguments of a call."""
    callee = call.callee
    if isinstance(callee, MemberExpression) and key_of(evaluator, callee) in _CALLING:
        return False
    if not _is_unknown(evaluator.possible.value(callee)) or not _is_unknown(evaluator.possible.value(call)):
        return False
    if callee.type != "identifier" or evaluator.names.variable(callee) is None:
        return True
    return _is_unknown(variable_value(evaluator.possible, callee))


def _is_unknown(value: Value) -> bool:
    """Whether a value does not come from the script."""
    return all(
        isinstance(each, Unknown)
        or (isinstance(each, InstanceValue) and each.builtin and each.fulfillment is None)
        for each in options_of(value)
    )
