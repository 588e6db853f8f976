"""The names of files that a script of a page assigns to elements, or fetches."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    CallOrNewExpression,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.trace.loaded_addresses import LOADING
from extlint.analysis.values.elements import ANY_ELEMENT, element_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

FETCHED = "fetch"
"""Stands for the element of a fetched file."""

_WRAPPERS = frozenset({"parenthesized_expression", "ternary_expression"})
_ELEMENTS_OF_CLASSES = {"Audio": ("audio", "src"), "fetch": (FETCHED, "")}


class ElementAddress(Struct, frozen=True):
    """An address in an attribute of an element, which is `ANY_ELEMENT` if it is unknown."""

    element: str
    attribute: str


def element_address(evaluator: Evaluator, string: Node) -> ElementAddress | None:
    """Returns the attribute to which a string is assigned, if its element loads the file, or None."""
    part: Node = string
    while part.parent is not None and part.parent.type in _WRAPPERS:
        part = part.parent
    up = part.parent
    found: ElementAddress | None = None
    if isinstance(up, AssignmentExpression) and part.is_field("right"):
        left = innermost(up.left)
        if isinstance(left, AccessExpression):
            found = _attribute(evaluator, left.object, key_of(evaluator, left))
    elif up is not None and up.type == "arguments" and isinstance(up.parent, CallOrNewExpression):
        found = _in_call(evaluator, up.parent, part)
    return found


def _in_call(evaluator: Evaluator, call: CallOrNewExpression, part: Node) -> ElementAddress | None:
    callee, arguments = innermost(call.callee), call.arguments
    is_first = bool(arguments) and arguments[0].same(part)
    name = evaluator.tree.source(callee) if callee.type == "identifier" else ""
    if is_first and name in _ELEMENTS_OF_CLASSES and evaluator.names.resolve(name, callee) is None:
        return ElementAddress(*_ELEMENTS_OF_CLASSES[name])
    is_setter = isinstance(call, CallExpression) and isinstance(callee, AccessExpression)
    if not is_setter or len(arguments) != 2 or is_first or key_of(evaluator, callee) != "setAttribute":
        return None
    attribute = evaluator.text(arguments[0])
    return _attribute(evaluator, callee.object, attribute) if isinstance(callee, AccessExpression) else None


def _attribute(evaluator: Evaluator, item: Node, attribute: str | None) -> ElementAddress | None:
    if attribute is None:
        return None
    element = evaluator.attempt(item.span, partial(element_of, evaluator, item)) or ANY_ELEMENT
    attributes = ("src",) if element == ANY_ELEMENT else LOADING.get(element, ())
    return ElementAddress(element, attribute) if attribute in attributes else None
