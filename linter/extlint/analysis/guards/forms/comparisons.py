"""Reads comparisons, whichever side has the tested operand."""

from __future__ import annotations

from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, BinaryExpression, CallExpression
from extlint.analysis.syntax.shapes import EQUALITY, SWAPPED, innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

_FOUND = frozenset({("!=", -1), ("!==", -1), (">", -1), (">=", 0)})
_NOT_FOUND = frozenset({("==", -1), ("===", -1), ("<", 0), ("<=", -1)})
_METHODS_OF_PATTERNS = frozenset({"exec", "test"})


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
