"""Tests by type: `typeof browser.management !== "undefined"`, `typeof f === "function"`, `typeof x < "u"`."""

from __future__ import annotations

from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import API_ROOT
from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.guards.forms.members import global_facts, operand_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import BinaryExpression, UnaryExpression
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, innermost, swapped
from extlint.analysis.values.evaluator import Evaluator

_OBJECT = "object"


def implied(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the operand of `typeof` as present or missing.

    Returns None if it is not compared with the name of a type.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    for subject, against, is_swapped in swapped(expression):
        operand = operand_of_typeof(subject)
        value = None if operand is None else query.evaluator.value(against)
        if operand is None or not isinstance(value, Literal) or value.kind is not Kind.STRING:
            continue
        present = _is_present(expression.operator, value.value, query.outcome, is_swapped)
        if present is None and expression.operator in EQUALITY:
            of = {GLOBAL_OBJECT, API_ROOT} if value.value == _OBJECT else {GLOBAL_OBJECT}
            members = frozenset(each for each in _operand_facts(query, operand) if each[0] in of)
            present = False
        else:
            members = NOTHING_IMPLIED if present is None else _operand_facts(query, operand)
        if members and present is not None:
            return query.if_requested(members, present=present)
    return None


def _is_present(operator: str, type_name: object, outcome: bool, is_swapped: bool) -> bool | None:
    """Returns whether the outcome of a comparison implies that a value of a type is present.

    Returns None if it does not.
    """
    if operator in EQUALITY:
        equal = (operator in EQUAL) is outcome
        return not equal if type_name == "undefined" else True if equal else None
    if operator in {"<", ">"} and type_name == "u":  # minifiers write `!== "undefined"` this way
        return ((operator == "<") is not is_swapped) is outcome
    return None


def implied_by_value(query: ConditionQuery, operand: Node) -> Facts:
    """Returns the operand of a `typeof` whose value is compared, as present or missing."""
    type_name = None if query.compared is None else query.compared.value
    present = _is_present("===", type_name, query.outcome, is_swapped=False)
    return (
        NOTHING_IMPLIED
        if present is None
        else query.if_requested(_operand_facts(query, operand), present=present)
    )


def _operand_facts(query: ConditionQuery, operand: Node) -> Facts:
    """Returns what the operand is, which may be any global: without one, `typeof` does not fail."""
    found = operand_facts(query, operand)
    if operand.type != "identifier":
        return found
    name, names = query.evaluator.tree.source(operand), query.evaluator.names
    binding = names.variable(operand)
    if binding is None:
        return found or global_facts(query, name)
    is_global = not query.present and binding is names.global_variable(name)
    return found | global_facts(query, name) if is_global else found


def only_tests(evaluator: Evaluator, operand: Node, parent: Node) -> bool:  # noqa: ARG001
    """Whether an expression is `typeof operand`."""
    return isinstance(parent, UnaryExpression) and parent.operator == "typeof"


def operand_of_typeof(expression: Node) -> Node | None:
    """Returns the `x` of `typeof x` without parentheses, or None for any other expression."""
    match innermost(expression):
        case UnaryExpression(operator="typeof", argument=operand):
            return innermost(operand)
    return None
