"""Which conditions decide whether a part of a syntax node runs, and what leaves the block that it is in."""

from __future__ import annotations

from extlint.script.syntax.node import Node

BODIES = frozenset({"program", "statement_block", "switch_case", "switch_default"})
"""What holds statements that run one after the other."""

_EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
_LOGICAL = frozenset({"&&", "||", "??"})


def conditions_of(child: Node, parent: Node) -> list[tuple[Node, bool]]:
    """The conditions that decide whether `child` runs inside `parent`, each with its needed outcome."""
    condition = parent.field("condition")
    match parent.type:
        case "if_statement" | "ternary_expression" if condition is not None:
            if child.is_field("consequence"):
                return [(condition, True)]
            return [(condition, False)] if child.is_field("alternative") else []
        case "while_statement" | "for_statement" if condition is not None:
            return [(condition, True)] if child.is_field("body") else []
        case "binary_expression" if child.is_field("right"):
            left, operator = parent.field("left"), parent.field("operator")
            if left is not None and operator is not None and operator.type in _LOGICAL:
                return [(left, operator.type == "&&")]
        case "augmented_assignment_expression" if child.is_field("right"):
            left = parent.field("left")
            if left is not None and (parent.has("??=") or parent.has("||=") or parent.has("&&=")):
                return [(left, parent.has("&&="))]
    return []


def is_logical(binary: Node) -> bool:
    """Whether a binary expression is `&&`, `||` or `??`."""
    return binary.has("&&") or binary.has("||") or binary.has("??")


def leaves(branch: Node) -> bool:
    """Whether a branch ends by leaving the block that it stands in."""
    waiting = [branch]
    while waiting:
        each = waiting.pop()
        if each.type == "statement_block":
            statements = each.named()
            if not statements:
                return False
            waiting.append(statements[-1])
        elif each.type == "if_statement":
            consequence, otherwise = each.field("consequence"), each.field("alternative")
            if consequence is None or otherwise is None:
                return False
            waiting += [consequence, *otherwise.named()]
        elif each.type not in _EXITS:
            return False
    return True
