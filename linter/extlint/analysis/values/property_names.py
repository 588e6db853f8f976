"""Resolves the names of members, properties and pattern keys."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentPattern,
    FieldDefinition,
    MemberExpression,
    Pair,
    PairPattern,
    SubscriptExpression,
)
from extlint.analysis.values.constants import unescape
from extlint.analysis.values.evaluator import Evaluator

PLAIN_KEYS = frozenset(
    {
        "private_property_identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    }
)
"""The types of nodes that are themselves a name."""


def key_of(evaluator: Evaluator, node: Node) -> str | None:
    """Returns the name of a member expression, pattern part or literal property, or None if unknown."""
    key = _key(node)
    if key is None:
        return None
    if key.type in PLAIN_KEYS:
        return unescape(evaluator.tree.source(key))
    if key.type == "computed_property_name":
        inner = key.first()
        return None if inner is None else evaluator.text(inner)
    return evaluator.text(key)


def _key(node: Node) -> Node | None:
    match node:
        case MemberExpression():
            return node.property
        case SubscriptExpression():
            return node.index
        case Pair() | PairPattern():
            return node.key
        case FieldDefinition():
            return node.name
        case AssignmentPattern(type="object_assignment_pattern"):
            return node.left
    return node if node.type.startswith("shorthand_property_identifier") else node.field("name")
