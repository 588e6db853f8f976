"""Whether a member is named only to see whether it exists, or with something to take in its place."""

from __future__ import annotations

from extlint.script.guards.forms.table import is_only_operand
from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import outermost
from extlint.script.values.evaluator import Evaluator


def only_tested(evaluator: Evaluator, item: Node) -> bool:
    """Whether a member is read for nothing but to see whether it exists."""
    whole = outermost(item)
    up = whole.parent
    while up is not None and _combines(up):
        if whole.is_field("left") and up.has("&&"):
            return True
        evaluator.tree.spend(1)
        whole = outermost(up)
        up = whole.parent
    if up is None:
        return False
    match up.type:
        case "unary_expression" if up.has("!"):
            return True
        case "if_statement" | "while_statement" | "do_statement" | "ternary_expression" | "for_statement":
            return whole.is_field("condition")
    return is_only_operand(evaluator, whole, up)


def _combines(up: Node) -> bool:
    operator = up.field("operator") if up.type == "binary_expression" else None
    return operator is not None and operator.type in {"&&", "||", "??"}


def is_alternative(item: Node) -> bool:
    """Whether something else is taken where the member is missing (`x.y ?? z`, `x.y?.()`, `{y = z}`)."""
    if item.type == "object_assignment_pattern":
        return True
    if item.type == "pair_pattern":
        value = item.field("value")
        return value is not None and value.type == "assignment_pattern"
    whole = outermost(item)
    up = whole.parent
    if up is None:
        return False
    if up.type == "binary_expression" and whole.is_field("left"):
        return up.has("??") or up.has("||")
    if up.type in {"call_expression", "member_expression", "subscript_expression"}:
        first = up.named()[0] if up.named() else None
        return first is not None and first.same(whole) and is_optional(up)
    if up.type == "augmented_assignment_expression":
        return whole.is_field("left")
    return False


def is_optional(item: Node) -> bool:
    """Whether a call or an access is made only if what stands before it is there (`f?.()`, `x?.y`)."""
    return item.has("optional_chain") or item.has("?.")
