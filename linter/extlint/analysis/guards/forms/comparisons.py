"""Comparisons with constants, whichever side has the tested operand, and conversions to a boolean.

Examples: `browser.management != null`, `condition === true`, `mode === "panel"`, `Boolean(condition)`.
"""

from __future__ import annotations

from extlint.analysis.facts.values import Kind, Literal, is_nullish
from extlint.analysis.guards.forms.facts import ConditionQuery, Facts
from extlint.analysis.guards.forms.members import operand_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, BinaryExpression, CallExpression
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, SWAPPED, innermost, swapped
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of

_FOUND = frozenset({("!=", -1), ("!==", -1), (">", -1), (">=", 0)})
_NOT_FOUND = frozenset({("==", -1), ("===", -1), ("<", 0), ("<=", -1)})
_METHODS_OF_PATTERNS = frozenset({"exec", "test"})


_COMPARED = frozenset({Kind.NUMBER, Kind.STRING})


def compared_literal(evaluator: Evaluator, operand: Node, parent: Node) -> Literal | None:
    """Returns the literal that an operand is compared with for equality by its parent, or None."""
    if not isinstance(parent, BinaryExpression) or parent.operator not in EQUALITY:
        return None
    value = evaluator.value(parent.right if operand.is_field("left") else parent.left)
    return value if isinstance(value, Literal) else None


def is_position(
    evaluator: Evaluator, comparison: BinaryExpression, against: Node, is_swapped: bool
) -> bool | None:
    """Whether a comparison of a position with a number is true if something is found.

    None if it is about something else.
    """
    value = evaluator.value(against)
    if not isinstance(value, Literal) or value.kind is not Kind.NUMBER:
        return None
    operator = comparison.operator
    compared = (SWAPPED.get(operator, operator) if is_swapped else operator, value.value)
    return True if compared in _FOUND else False if compared in _NOT_FOUND else None


def search_by(evaluator: Evaluator, call: CallExpression) -> tuple[str, Node, Node] | None:
    """Returns the method of a call with one argument, the text that it searches, and what it searches for."""
    callee, arguments = call.callee, call.arguments
    method = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
    if method is None or not isinstance(callee, AccessExpression) or len(arguments) != 1:
        return None
    text, term = callee.object, arguments[0]
    return (
        (method, term, innermost(text)) if method in _METHODS_OF_PATTERNS else (method, text, innermost(term))
    )


def implied_by_null(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the members compared with null or undefined, as present or missing.

    Returns None for any other expression.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        if is_nullish(query.evaluator.value(against)):
            members = operand_facts(query, innermost(subject))
            if members:
                return query.if_requested(members, present=not equal)
    return None


def only_compares_with_null(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is compared with null or undefined."""
    found = compared_literal(evaluator, operand, parent)
    return found is not None and is_nullish(found)


def implied_by_comparison(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the implications of a value that is compared with a boolean, text or number, or None."""
    if not isinstance(expression, BinaryExpression):
        return None
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        value = query.evaluator.value(against)
        if not isinstance(value, Literal):
            continue
        if value.kind in _COMPARED:
            found = query.implied_by_comparison(innermost(subject), value, equal)
        elif value.kind is Kind.BOOLEAN and query.present:
            found = query.implied(innermost(subject), bool(value.value) is equal)
        else:
            continue
        if found:
            return found
    return None


def implied_by_call(query: ConditionQuery, call: Node) -> Facts | None:
    """Returns the implications of the condition that is passed to `Boolean`, or None for any other call."""
    inner = boolean_argument(query.evaluator, call)
    return None if inner is None else query.implied(inner, query.outcome)


def only_converts(evaluator: Evaluator, operand: Node, parent: Node) -> bool:
    """Whether an operand is passed to `Boolean`."""
    call = parent.parent if parent.type == "arguments" else None
    inner = None if call is None else boolean_argument(evaluator, call)
    return inner is not None and inner.same(operand)


def boolean_argument(evaluator: Evaluator, call: Node) -> Node | None:
    """Returns the `x` of `Boolean(x)`, or None."""
    if not isinstance(call, CallExpression) or call.callee.type != "identifier":
        return None
    return call.first_argument if evaluator.tree.source(call.callee) == "Boolean" else None
