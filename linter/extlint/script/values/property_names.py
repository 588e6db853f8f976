"""The names that members, properties and pattern keys go by."""

from __future__ import annotations

from extlint.script.syntax.node import Node
from extlint.script.values.constants import text_of, unescape
from extlint.script.values.evaluator import Evaluator


def key_of(evaluator: Evaluator, item: Node) -> str | None:
    """The name that a member expression, a pattern or a property of a literal goes by, if it is known."""
    key = item.field("property") or item.field("index") or item.field("key") or item.field("name")
    if key is None:
        if item.type.startswith("shorthand_property_identifier"):
            return _name(evaluator, item)
        left = item.field("left") if item.type == "object_assignment_pattern" else None
        return None if left is None else _name(evaluator, left)
    if key.type in {"property_identifier", "private_property_identifier"}:
        return _name(evaluator, key)
    if key.type == "computed_property_name":
        inner = key.first()
        return None if inner is None else text_of(evaluator.partial(inner))
    return text_of(evaluator.partial(key))


def _name(evaluator: Evaluator, item: Node) -> str:
    """A name as the program sees it, escapes resolved."""
    return unescape(evaluator.tree.source(item))
