"""Tests for a property by its name: `"management" in browser`, `Object.hasOwn(browser, "management")`."""

from __future__ import annotations

from extlint.script.guards.forms.facts import Facts
from extlint.script.guards.forms.members import property_facts
from extlint.script.guards.forms.query import ConditionQuery
from extlint.script.syntax.node import Node
from extlint.script.values.property_names import key_of

_OWNERSHIP_TESTS = frozenset({"Object.hasOwn", "Reflect.has"})
_KEY_LISTS = frozenset({"Object.getOwnPropertyNames", "Object.keys", "Reflect.ownKeys"})
_MAX_NAME_BYTES = 64


def implied_by_in(query: ConditionQuery, expression: Node) -> Facts | None:
    """The property that `in` asks for; None if the expression is not whole."""
    key, owner = expression.field("left"), expression.field("right")
    if key is None or owner is None:
        return None
    return query.if_asked(property_facts(query, key, owner), present=query.outcome)


def implied_by_call(query: ConditionQuery, call: Node) -> Facts | None:
    """The property that a call asks for; None if it asks for none."""
    found = _operands(query, call)
    if found is None:
        return None
    return query.if_asked(property_facts(query, *found), present=query.outcome)


def _operands(query: ConditionQuery, call: Node) -> tuple[Node, Node] | None:
    """The name and the object of which a call asks whether it has a property of that name.

    `x.hasOwnProperty("y")`, `Object.hasOwn(x, "y")`, `Reflect.has(x, "y")`, `Object.keys(x).includes("y")`.
    """
    function, listed = call.field("function"), call.field("arguments")
    if function is None or listed is None or function.type != "member_expression":
        return None
    owner, method, arguments = function.field("object"), key_of(query.evaluator, function), listed.named()
    if owner is None:
        return None
    if method == "hasOwnProperty" and len(arguments) == 1:
        return arguments[0], owner
    if method == "call" and owner.type == "member_expression" and len(arguments) == 2:
        is_ownership_test = key_of(query.evaluator, owner) == "hasOwnProperty"
        return (arguments[1], arguments[0]) if is_ownership_test else None
    if method == "includes" and owner.type == "call_expression" and len(arguments) == 1:
        lister, of = owner.field("function"), owner.field("arguments")
        if lister is not None and of is not None and _name(query, lister) in _KEY_LISTS and of.first():
            return arguments[0], of.named()[0]
    if _name(query, function) in _OWNERSHIP_TESTS and len(arguments) == 2:
        return arguments[1], arguments[0]
    return None


def _name(query: ConditionQuery, function: Node) -> str:
    return query.evaluator.tree.source(function) if function.end - function.start < _MAX_NAME_BYTES else ""
