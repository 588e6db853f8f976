"""Comparisons, whichever side is the operand that is tested."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.facts.values import Literal
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import BinaryExpression
from extlint.script.values.evaluator import Evaluator

EQUAL = frozenset({"==", "==="})
EQUALITY = EQUAL | {"!=", "!=="}
ORDER = frozenset({"<", "<=", ">", ">="})
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""What an operator becomes where its operands change sides."""


def swapped(comparison: BinaryExpression) -> Iterator[tuple[Node, Node, bool]]:
    """Each operand with the other one: first as they are written, then with true, the right one first."""
    left, right = comparison.left, comparison.right
    yield left, right, False
    yield right, left, True


def compared_literal(evaluator: Evaluator, operand: Node, parent: Node) -> Literal | None:
    """The literal that an operand is compared with for equality, if its parent does that."""
    if not isinstance(parent, BinaryExpression) or parent.operator not in EQUALITY:
        return None
    value = evaluator.certain.value(parent.right if operand.is_field("left") else parent.left)
    return value if isinstance(value, Literal) else None
