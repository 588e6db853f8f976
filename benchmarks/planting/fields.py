"""Fields that are read from a call's result, found only by the shapes of the code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from planting.sites import Site

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.tree import SyntaxTree

_TRANSPARENT = frozenset({"non_null_expression", "parenthesized_expression"})
_THROUGH = _TRANSPARENT | {"as_expression", "await_expression"}
_ITERATION_METHODS = frozenset("every filter find findIndex findLast flatMap forEach map some".split())

Read: TypeAlias = tuple[Node, bool]
"""The node of a field's name, and whether it is a field of an array item."""


def reads_of(site: Site) -> Iterator[Read]:
    """Yields the names of fields of the call's result, and whether each is a field of an array item.

    These are followed: `await`, `.then`, a callback's first parameter, a variable that is never
    reassigned, patterns, `for … of`, an index and the array methods that take a function.
    """
    outer = site.call
    while outer.parent is not None and outer.parent.type in _THROUGH:
        outer = outer.parent
    up = outer.parent
    listed = site.arguments
    if up is None or listed is None:
        return
    if up.type == "member_expression" and outer.is_field("object"):
        if _key(site.tree, up) == "then" and up.parent is not None and up.parent.type == "call_expression":
            yield from _callback_reads(site.tree, up.parent.field("arguments"), 0, False)
        elif outer is not site.call:
            yield from _reads(site.tree, outer, False)
    elif up.type == "variable_declarator" and outer is not site.call:
        yield from _pattern_reads(site.tree, up.field("name"), False)
    elif outer is not site.call:
        yield from _reads(site.tree, outer, False)
    if listed.named():
        yield from _callback_reads(site.tree, listed, len(listed.named()) - 1, False)


def _callback_reads(tree: SyntaxTree, listed: Node | None, index: int, item: bool) -> Iterator[Read]:
    arguments = [] if listed is None else listed.named()
    if index < len(arguments) and arguments[index].type in {"arrow_function", "function_expression"}:
        function = arguments[index]
        first = function.field("parameter")
        if first is None and (parameters := function.field("parameters")) is not None:
            first = parameters.first()
        yield from _pattern_reads(tree, first, item)


def _pattern_reads(tree: SyntaxTree, pattern: Node | None, item: bool) -> Iterator[Read]:
    if pattern is None:
        return
    pattern = pattern.field("pattern") or pattern
    if pattern.type == "identifier":
        for use in _uses(tree, pattern):
            yield from _reads(tree, use, item)
    elif pattern.type == "object_pattern":
        for each in pattern.named():
            key = each.field("key") or each.field("left") or each
            if key.type in {"property_identifier", "shorthand_property_identifier_pattern"}:
                yield key, item
    elif pattern.type == "array_pattern" and not item:
        first = pattern.first()
        if first is not None and tree.text[pattern.start : first.start].count(b",") == 0:
            yield from _pattern_reads(tree, first, True)


def _uses(tree: SyntaxTree, name: Node) -> list[Node]:
    """Returns the reads of a variable in its block or function.

    Returns an empty list if its name is written or declared again there.
    """
    scope = name.scope
    text = tree.text[name.start : name.end]
    found = []
    for match in re.finditer(
        rb"(?<![\w$.])" + re.escape(text) + rb"(?![\w$])", tree.text[scope.start : scope.end]
    ):
        leaf = tree.leaf_at(scope.start + match.start())
        up = leaf.parent
        if leaf.start == name.start or leaf.end - leaf.start != len(text) or up is None:
            continue
        if leaf.type == "shorthand_property_identifier_pattern":
            return []
        if leaf.type != "identifier":
            continue
        if up.type in {"array_pattern", "formal_parameters"}:
            return []
        if up.type in _WRITE_FIELDS and any(leaf.is_field(field) for field in _WRITE_FIELDS[up.type]):
            return []
        found.append(leaf)
    return found


_WRITE_FIELDS: Mapping[str, tuple[str, ...]] = {
    "arrow_function": ("parameter",),
    "assignment_expression": ("left",),
    "augmented_assignment_expression": ("left",),
    "catch_clause": ("parameter",),
    "for_in_statement": ("left",),
    "pair_pattern": ("value",),
    "required_parameter": ("pattern",),
    "update_expression": ("argument",),
    "variable_declarator": ("name",),
}


def _reads(tree: SyntaxTree, value: Node, item: bool) -> Iterator[Read]:
    """Yields the fields that are read directly from a value."""
    while value.parent is not None and value.parent.type in _TRANSPARENT:
        value = value.parent
    up = value.parent
    if up is None:
        return
    if up.type == "member_expression" and value.is_field("object"):
        key = up.field("property")
        called = up.parent is not None and up.parent.type == "call_expression" and up.is_field("function")
        if called and not item and up.parent is not None and _key(tree, up) in _ITERATION_METHODS:
            yield from _callback_reads(tree, up.parent.field("arguments"), 0, True)
        elif not called and key is not None and key.type == "property_identifier" and not _is_written(up):
            yield from [(key, item)] if item or _key(tree, up) != "length" else []
    elif up.type == "subscript_expression" and value.is_field("object") and not item:
        index = up.field("index")
        if index is not None and index.type == "number":
            yield from _reads(tree, up, True)
    elif up.type == "for_in_statement" and value.is_field("right") and up.has_token("of") and not item:
        yield from _pattern_reads(tree, up.field("left"), True)
    elif up.type == "variable_declarator" and value.is_field("value"):
        yield from _pattern_reads(tree, up.field("name"), item)


def _is_written(member: Node) -> bool:
    up = member.parent
    if up is None:
        return False
    if up.type in {"assignment_expression", "augmented_assignment_expression"}:
        return member.is_field("left")
    return up.type in {"update_expression", "unary_expression", "pair_pattern", "array_pattern"}


def _key(tree: SyntaxTree, member: Node) -> str:
    key = member.field("property")
    return "" if key is None else tree.source(key)
