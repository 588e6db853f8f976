"""Identifies the document elements that expressions evaluate to, as far as the script creates them."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    MemberExpression,
    NewExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import first_argument, innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import is_too_common, key_of, property_writes

ANY_ELEMENT = "*"
"""An element of the document of an unknown kind."""

MAX_STEPS = 6
"""The most variables and properties that are followed to the origin of an element."""

_LOOKUP_METHODS = frozenset({"closest", "getElementById", "querySelector"})
_GLOBAL_CLASSES = {"Audio": "audio", "Image": "img"}


def element_of(evaluator: Evaluator, item: Node, steps: int = MAX_STEPS) -> str | None:
    """Returns the lower-case name of the element that an expression certainly is, or None if unknown.

    It is `ANY_ELEMENT` for an element looked up in the document.
    """
    item = innermost(item)
    match item:
        case CallExpression():
            callee = innermost(item.callee)
            name = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
            if name in _LOOKUP_METHODS:
                return ANY_ELEMENT
            return _created_element(evaluator, item) if name == "createElement" else None
        case NewExpression():
            name = evaluator.tree.source(item.callee)
            is_global = name in _GLOBAL_CLASSES and evaluator.names.resolve(name, item) is None
            return _GLOBAL_CLASSES[name] if is_global else None
        case MemberExpression() if steps:
            name = key_of(evaluator, item)
            return None if name is None else _property_element(evaluator, name, steps - 1)
    variable = evaluator.names.variable(item) if steps and item.type == "identifier" else None
    return None if variable is None else _variable_element(evaluator, variable, steps - 1)


def is_document(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the global `document`."""
    item = innermost(item)
    if isinstance(item, AccessExpression):
        holder = evaluator.tree.source(innermost(item.object))
        return key_of(evaluator, item) == "document" and holder in ("globalThis", "self", "window")
    return evaluator.names.is_global(item, {"document"})


def _created_element(evaluator: Evaluator, call: CallExpression) -> str | None:
    """Returns the element that `document.createElement(name)` creates."""
    callee = innermost(call.callee)
    first = first_argument(call)
    if first is None or not isinstance(callee, AccessExpression) or not is_document(evaluator, callee.object):
        return None
    name = evaluator.text(first)
    return None if name is None else name.lower()


@once_per_script
def _variable_element(evaluator: Evaluator, variable: Binding, steps: int) -> str | None:
    is_parameter = any(
        each.role is Role.DECLARATION and not isinstance(each.source, VariableDeclarator)
        for each in variable.writes
    )
    if is_parameter:
        return None
    sources = (each.source for each in variable.writes)
    return _single_element(
        _written_element(evaluator, each, steps) for each in sources if not _has_no_value(each)
    )


@once_per_script
def _property_element(evaluator: Evaluator, name: str, steps: int) -> str | None:
    """Returns the element that all properties of a name hold, if the script writes nothing else to them."""
    if is_too_common(evaluator, name):
        return None
    return _single_element(
        _written_element(evaluator, each.parent, steps) for each in property_writes(evaluator, name)
    )


def _single_element(written: Iterable[str | None]) -> str | None:
    """Returns the element that is written, if it is always the same one, or null."""
    found: str | None = None
    for each in written:
        if each is None or (each and found and each != found):
            return None
        found = each or found
    return found


def _has_no_value(source: Node | None) -> bool:
    """Whether a declaration does not assign a value yet."""
    return isinstance(source, VariableDeclarator) and source.value is None


def _written_element(evaluator: Evaluator, source: Node | None, steps: int) -> str | None:
    """Returns the element that a declaration or an assignment writes, or an empty string for null."""
    value = source.value if isinstance(source, VariableDeclarator) else None
    if isinstance(source, AssignmentExpression):
        value = source.right
    if value is None:
        return None
    return "" if innermost(value).type in ("null", "undefined") else element_of(evaluator, value, steps)


def is_jquery(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is a chain of calls that begins with `$(...)`."""
    item = innermost(item)
    while isinstance(item, CallExpression):
        callee = innermost(item.callee)
        if callee.type == "identifier":
            return evaluator.tree.source(callee) in ("$", "jQuery")
        if not isinstance(callee, AccessExpression):
            return False
        item = innermost(callee.object)
    return False
