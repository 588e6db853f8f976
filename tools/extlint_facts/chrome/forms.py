"""The syntactic forms of the types in declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from tree_sitter import Node

from extlint_facts.chrome.syntax import UnknownFormError, part, text

Json: TypeAlias = dict[str, Any]
EVENTS = frozenset({"CustomChromeEvent", "events.Event"})


def type_parameters(node: Node) -> list[str]:
    """Returns the names of the type parameters of a declaration."""
    listed = node.child_by_field_name("type_parameters")
    return [] if listed is None else [text(part(each, "name")) for each in listed.named_children]


def members_of_union(node: Node) -> Iterator[Node]:
    """Yields the members of nested unions, in order."""
    for each in node.named_children:
        if each.type in ("parenthesized_type", "union_type"):
            yield from members_of_union(each)
        elif each.type != "comment":
            yield each


def may_be_undefined(node: Node) -> bool:
    """Whether a type is a union with undefined."""
    inner = node.named_children[0] if node.type == "type_annotation" else node
    return inner.type == "union_type" and any(is_undefined(each) for each in members_of_union(inner))


def is_event(node: Node) -> bool:
    """Whether a property or a constant is an event."""
    kind = node.child_by_field_name("type")
    inner = kind.named_children[0] if kind is not None else None
    if inner is None or inner.type != "generic_type":
        return False
    return text(part(inner, "name")).removeprefix("chrome.") in EVENTS


def is_void(node: Node) -> bool:
    """Whether a function with this return type returns nothing."""
    return text(node).lstrip(": ") in ("void", "Promise<void>")


def is_undefined(node: Node) -> bool:
    """Whether a type is exactly `undefined`."""
    return text(node) == "undefined"


def literal(node: Node) -> Json:
    """Returns the type of a literal; for a number, the type of all numbers. Raises UnknownFormError."""
    inner = node.named_children[0]
    if inner.type == "string":
        return {"type": "string", "enum": [string_text(inner)]}
    if inner.type in ("number", "unary_expression"):
        return {"type": "number"}
    if inner.type in ("true", "false"):
        return {"type": "boolean"}
    if inner.type == "null":
        return {"type": "null"}
    raise UnknownFormError(node)


def string_text(node: Node) -> str:
    """Returns the text of a string literal. Raises UnknownFormError if it contains an escape."""
    if any(each.type != "string_fragment" for each in node.named_children):
        raise UnknownFormError(node)
    return text(node)[1:-1]


def property_name(node: Node) -> str:
    """Returns the name of a property, quoted or not."""
    name = part(node, "name")
    return string_text(name) if name.type == "string" else text(name)


def without_repeats(listed: Iterable[Json]) -> list[Json]:
    """Returns the types without duplicates."""
    found: list[Json] = []
    for each in listed:
        if each not in found:
            found.append(each)
    return found
