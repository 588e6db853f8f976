"""Finds the conditions that decide whether part of a node runs, and the branches that leave their block."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AugmentedAssignment,
    BinaryExpression,
    ConditionalExpression,
    ForStatement,
    IfStatement,
    WhileStatement,
)

BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})
"""The nodes that contain statements which run one after the other."""

_EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})


def conditions_of(child: Node, parent: Node) -> list[tuple[Node, bool]]:
    """Returns the conditions that decide whether `child` runs in `parent`, each with its required outcome."""
    match parent:
        case IfStatement() | ConditionalExpression():
            if child.is_field("consequence"):
                return [(parent.condition, True)]
            return [(parent.condition, False)] if child.is_field("alternative") else []
        case WhileStatement() | ForStatement() if child.is_field("body"):
            condition = parent.condition
            return [] if condition is None else [(condition, True)]
        case BinaryExpression() if child.is_field("right") and parent.is_logical:
            return [(parent.left, parent.operator == "&&")]
        case AugmentedAssignment() if child.is_field("right") and parent.is_logical:
            return [(parent.left, parent.operator == "&&=")]
    return []


def exits_block(branch: Node) -> bool:
    """Whether a branch ends by leaving the block that contains it."""
    waiting = [branch]
    while waiting:
        each = waiting.pop()
        if each.type == "statement_block":
            statements = each.named()
            if not statements:
                return False
            waiting.append(statements[-1])
        elif isinstance(each, IfStatement):
            if each.alternative is None:
                return False
            waiting += [each.consequence, *each.alternative.named()]
        elif each.type not in _EXITS:
            return False
    return True
