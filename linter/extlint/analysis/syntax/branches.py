"""Finds the conditions that decide whether part of a node runs, and the branches that leave their block."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.syntax.node import DECLARED_FUNCTIONS, Node, node_of
from extlint.analysis.syntax.nodes import (
    AugmentedAssignment,
    BinaryExpression,
    CatchClause,
    ConditionalExpression,
    ForStatement,
    IfStatement,
    TryStatement,
    WhileStatement,
)

BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})
"""The nodes that contain statements which run one after the other."""

_EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
_MAY_EXIT = _EXITS | {"if_statement", "statement_block", "try_statement"}


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
    """Whether a statement always leaves the block that contains it."""
    waiting = [branch]
    while waiting:
        each = waiting.pop()
        match each:
            case IfStatement(alternative=Node() as otherwise):
                waiting += [each.consequence, *otherwise.named()]
            case TryStatement():
                waiting += [each.body] if each.handler is None else [each.body, each.handler]
            case CatchClause():
                waiting.append(each.body)
            case Node(type="statement_block"):
                statements = [inner for inner in each.named() if inner.type not in DECLARED_FUNCTIONS]
                left = next((inner for inner in statements if inner.type in _EXITS), None)
                if not statements:
                    return False
                waiting.append(left or statements[-1])
            case _ if each.type not in _EXITS:
                return False
    return True


def possible_exits(body: Node) -> Iterator[Node]:
    """Returns the statements of a body for which `exits_block` may be true, in order."""
    return (
        node_of(child, body, body.kinds)
        for child in body.node.named_children
        if body.kinds[child.kind_id][1] in _MAY_EXIT
    )
