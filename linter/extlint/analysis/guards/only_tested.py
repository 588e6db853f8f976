"""Determines whether a member is read only to see whether it exists, or with a fallback."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentPattern,
    AugmentedAssignment,
    BinaryExpression,
    PairPattern,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.values.evaluator import Evaluator

_CONDITIONAL = frozenset(
    {"do_statement", "for_statement", "if_statement", "ternary_expression", "while_statement"}
)


def is_only_tested(evaluator: Evaluator, item: Node) -> bool:
    """Whether a member is read only to see whether it exists."""
    whole = outermost(item)
    up = whole.parent
    while up is not None:
        if isinstance(up, BinaryExpression) and up.is_logical:
            if whole.is_field("left") and up.operator == "&&":
                return True
        elif not _is_choice(whole, up):
            break
        evaluator.tree.spend(1)
        whole = outermost(up)
        up = whole.parent
    if up is None:
        return False
    if up.type in _CONDITIONAL:
        return whole.is_field("condition")
    if isinstance(up, UnaryExpression) and up.operator == "!":
        return True
    if not (isinstance(up, BinaryExpression | UnaryExpression) or up.type == "arguments"):
        return False  # no form has its operand anywhere else
    from extlint.analysis.guards.forms.table import is_only_operand

    return is_only_operand(evaluator, whole, up)


def choice_of(item: Node) -> Node:
    """Returns the outermost expression that may have the value of a member (`c ? member : other`).

    This includes `?.` that a compiler wrote in older syntax (`v == null ? void 0 : v.member`).
    """
    whole = outermost(item)
    up = whole.parent
    while up is not None and _is_choice(whole, up):
        whole = outermost(up)
        up = whole.parent
    return whole


def _is_choice(whole: Node, up: Node) -> bool:
    match up:
        case BinaryExpression():
            return up.is_logical and whole.is_field("right")
        case Node(type="ternary_expression"):
            return not whole.is_field("condition")
        case Node(type="sequence_expression"):
            return whole.is_last()
    return False


def has_alternative(item: Node) -> bool:
    """Whether there is a fallback in case the member is missing (`x.y ?? z`, `x.y?.()`, `{y = z}`)."""
    if item.type == "object_assignment_pattern":
        return True
    if isinstance(item, PairPattern):
        return isinstance(item.value, AssignmentPattern)
    whole = choice_of(item)
    up = whole.parent
    if isinstance(up, BinaryExpression):
        return up.operator in {"??", "||"} and whole.is_field("left")
    if isinstance(up, AugmentedAssignment):
        return whole.is_field("left")
    if up is not None and up.type in {"call_expression", "member_expression", "subscript_expression"}:
        first = up.first()
        return first is not None and first.same(whole) and is_optional(up)
    return False


def is_optional(item: Node) -> bool:
    """Whether a call or an access happens only if the object before it exists (`f?.()`, `x?.y`)."""
    return item.has_token("optional_chain") or item.has_token("?.")
