"""Reads comparisons, whichever side has the tested operand."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.values import Literal
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import BinaryExpression
from extlint.analysis.values.evaluator import Evaluator

EQUAL = frozenset({"==", "==="})
EQUALITY = EQUAL | {"!=", "!=="}
ORDER = frozenset({"<", "<=", ">", ">="})
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The operator that results from swapping the operands of another one."""


def swapped(comparison: BinaryExpression) -> Iterator[tuple[Node, Node, bool]]:
    """Yields the operands as they are written, with false, and then in reverse order, with true."""
    left, right = comparison.left, comparison.right
    yield left, right, False
    yield right, left, True


def compared_literal(evaluator: Evaluator, operand: Node, parent: Node) -> Literal | None:
    """Returns the literal that an operand is compared with for equality by its parent, or None."""
    if not isinstance(parent, BinaryExpression) or parent.operator not in EQUALITY:
        return None
    value = evaluator.value(parent.right if operand.is_field("left") else parent.left)
    return value if isinstance(value, Literal) else None
