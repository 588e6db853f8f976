"""Comparisons, whichever side is the operand that is tested."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.script.facts.values import Literal
from extlint.script.syntax.node import Node
from extlint.script.values.evaluator import Evaluator

EQUAL = frozenset({"==", "==="})
EQUALITY = EQUAL | {"!=", "!=="}
ORDER = frozenset({"<", "<=", ">", ">="})
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""What an operator becomes where its operands change sides."""


def swapped(comparison: Node) -> Iterator[tuple[Node, Node, bool]]:
    """Each operand with the other one: first as they are written, then with true, the right one first."""
    left, right = comparison.field("left"), comparison.field("right")
    if left is not None and right is not None:
        yield left, right, False
        yield right, left, True


def compared_literal(evaluator: Evaluator, operand: Node, parent: Node) -> Literal | None:
    """The literal that an operand is compared with for equality, if its parent does that."""
    operator = parent.field("operator") if parent.type == "binary_expression" else None
    if operator is None or operator.type not in EQUALITY:
        return None
    other = parent.field("right") if operand.is_field("left") else parent.field("left")
    value = None if other is None else evaluator.value(other)
    return value if isinstance(value, Literal) else None
