"""Recognizes text that becomes part of the document: HTML and style sheets."""

from __future__ import annotations

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, AssignmentExpression, CallExpression
from extlint.analysis.syntax.shapes import call_with_argument, innermost, outermost
from extlint.analysis.values.elements import element_of, is_document
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

_ASSIGNED = frozenset({"innerHTML", "outerHTML"})
_WRITTEN = frozenset({"write", "writeln"})
_STYLE_TEXTS = frozenset({"innerHTML", "innerText", "textContent"})


def holds_markup(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is used where the document parses it as HTML."""
    whole = outermost(item)
    up = whole.parent
    if isinstance(up, AssignmentExpression) and whole.is_field("right"):
        left = innermost(up.left)
        return isinstance(left, AccessExpression) and key_of(evaluator, left) in _ASSIGNED
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression):
        return False
    callee = innermost(call.callee)
    if not isinstance(callee, AccessExpression):
        return False
    name = key_of(evaluator, callee)
    arguments = call.arguments
    if name == "insertAdjacentHTML":
        return len(arguments) == 2 and arguments[1].same(whole)
    return name in _WRITTEN and is_document(evaluator, callee.object)


def is_style(evaluator: Evaluator, place: AccessExpression) -> bool:
    """Whether a member expression holds the text of a style sheet or of a style declaration."""
    if key_of(evaluator, place) in _STYLE_TEXTS:
        return element_of(evaluator, place.object) == "style"
    holder = innermost(place.object)
    return isinstance(holder, AccessExpression) and key_of(evaluator, holder) == "style"
