"""Tests for a property by its name: `"management" in browser`, `Object.hasOwn(browser, "management")`."""

from __future__ import annotations

from extlint.analysis.guards.forms.facts import ConditionQuery, Facts
from extlint.analysis.guards.forms.members import property_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import BinaryExpression, CallExpression, MemberExpression
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.options import api_of
from extlint.analysis.values.property_index import key_of

_OWNERSHIP_TESTS = frozenset({"Object.hasOwn", "Reflect.has"})
_KEY_LISTS = frozenset({"Object.getOwnPropertyNames", "Object.keys", "Reflect.ownKeys"})
_VALUE_LISTS = frozenset({"Object.values"})
_MAX_NAME_BYTES = 64


def implied_by_in(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the property that `in` tests for, or None for any other expression."""
    if not isinstance(expression, BinaryExpression):
        return None
    return query.if_requested(property_facts(query, expression.left, expression.right), present=query.outcome)


def implied_by_call(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the property that a call tests for, or None for any other call."""
    found = operands_of_test(query.evaluator, call)
    if found is None:
        return _implied_by_value(query, call)
    return query.if_requested(property_facts(query, *found), present=query.outcome)


def _implied_by_value(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the constant of an API that `Object.values(x).includes("a")` tests for, or None.

    Browsers name a constant like its value, in capital letters.
    """
    listed = _listed(query.evaluator, call, _VALUE_LISTS)
    of = None if listed is None else api_of(query.evaluator.value(listed))
    value = query.text(call.arguments[0]) if isinstance(call, CallExpression) and call.arguments else None
    if of is None or value is None:
        return None
    return query.if_requested(frozenset({(*of.path, value.upper())}), present=query.outcome)


def operands_of_test(evaluator: Evaluator, test: Node) -> tuple[Node, Node] | None:
    """Returns the name and the object in a test whether the object has a property of that name, or None.

    `"y" in x`, `x.hasOwnProperty("y")`, `Object.hasOwn(x, "y")`, `Reflect.has(x, "y")`, and
    `Object.keys(x).includes("y")`.
    """
    if isinstance(test, BinaryExpression) and test.operator == "in":
        return test.left, test.right
    if not isinstance(test, CallExpression) or not isinstance(test.callee, MemberExpression):
        return None
    callee, arguments = test.callee, test.arguments
    owner, method = callee.object, key_of(evaluator, callee)
    if method == "hasOwnProperty" and len(arguments) == 1:
        return arguments[0], owner
    if method == "call" and isinstance(owner, MemberExpression) and len(arguments) == 2:
        is_ownership_test = key_of(evaluator, owner) == "hasOwnProperty"
        return (arguments[1], arguments[0]) if is_ownership_test else None
    if (listed := _listed(evaluator, test, _KEY_LISTS)) is not None:
        return arguments[0], listed
    if _name(evaluator, callee) in _OWNERSHIP_TESTS and len(arguments) == 2:
        return arguments[1], arguments[0]
    return None


def _listed(evaluator: Evaluator, test: Node, lists: frozenset[str]) -> Node | None:
    """Returns the object whose list, by one of the functions, a test searches with `includes`, or None."""
    callee = test.callee if isinstance(test, CallExpression) and len(test.arguments) == 1 else None
    owner = callee.object if isinstance(callee, MemberExpression) else None
    if callee is None or not isinstance(owner, CallExpression) or key_of(evaluator, callee) != "includes":
        return None
    return owner.first_argument if _name(evaluator, owner.callee) in lists else None


def _name(evaluator: Evaluator, function: Node) -> str:
    return evaluator.tree.source(function) if function.end - function.start < _MAX_NAME_BYTES else ""
