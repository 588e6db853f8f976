"""Determines whether a member is read only to see whether it exists, or with a fallback."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentPattern,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    PairPattern,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import TESTING, innermost, is_optional, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script


def is_only_tested(evaluator: Evaluator, item: Node) -> bool:
    """Whether a member is read only to see whether it exists."""
    known = _known(evaluator)
    passed = []
    whole = outermost(item)
    while whole.id not in known and (around := _expression_with_value(whole)) is not None:
        passed.append(whole.id)
        evaluator.tree.spend(1)
        whole = outermost(around)
    if whole.id not in known:
        known[whole.id] = _is_tested_by_parent(evaluator, whole)
    found = known[whole.id]
    known.update(dict.fromkeys(passed, found))
    return found


@once_per_script
def _known(_evaluator: Evaluator) -> dict[int, bool]:
    """Whether expressions are only tested, by the ids of their nodes."""
    return {}


def _expression_with_value(whole: Node) -> Node | None:
    """Returns the expression that may have the value of another one (`a || b`, not the `a` of `a && b`)."""
    up = whole.parent
    if isinstance(up, BinaryExpression) and up.is_logical:
        return up if up.operator != "&&" or whole.is_field("right") else None
    return up if up is not None and _is_choice(whole, up) else None


def _is_tested_by_parent(evaluator: Evaluator, whole: Node) -> bool:
    up = whole.parent
    if up is None:
        return False
    if up.type in TESTING:
        return whole.is_field("condition")
    if isinstance(up, BinaryExpression | UnaryExpression) and up.operator in {"&&", "!"}:
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


def optional_owner(expression: Node) -> Node | None:
    """Returns the last part of a chain that may be missing: `a.b` in `a.b?.f` and in `a.b?.f().then`.

    Returns None if no access or call in the chain is optional.
    """
    part = innermost(expression)
    while isinstance(part, AccessExpression | CallExpression) and (owner := part.first()) is not None:
        if is_optional(part):
            return owner
        part = innermost(owner)
    return None
