"""Determines whether a text is compared with an address: that of the extension, or that of something else."""

from __future__ import annotations

from functools import partial

from extlint.analysis.guards.environment.words import names_address
from extlint.analysis.guards.forms.page_address import is_own_address
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    MemberExpression,
)
from extlint.analysis.syntax.shapes import call_of, innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_names import key_of

_TEXTS = frozenset({"parenthesized_expression", "regex", "string", "template_string"})


def is_compared_with_own_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or searched for in, an address of the extension itself."""
    return any(is_own_address(evaluator, each) for each in _compared_expressions(text))


def is_compared_with_other_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or searched for in, something else's address, judging by its name."""
    expressions = [each for each in _compared_expressions(text) if not each.contains(text)]
    return any(map(partial(_is_named_address, evaluator), expressions)) and not any(
        is_own_address(evaluator, each) for each in expressions
    )


def _is_named_address(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is an address by its name, or the result of a method of one."""
    expression = innermost(expression)
    while isinstance(expression, CallExpression):
        callee = expression.callee
        expression = innermost(callee.object if isinstance(callee, AccessExpression) else callee)
    if isinstance(expression, AccessExpression):
        return names_address(key_of(evaluator, expression) or "")
    return expression.type == "identifier" and names_address(evaluator.tree.source(expression))


def _compared_expressions(text: Node) -> list[Node]:
    """Returns the expressions that a text, or a pattern, is compared with or searched for in."""
    whole = text.parent
    while whole is not None and whole.type in _TEXTS:
        whole = whole.parent
    if whole is None:
        return []
    if isinstance(whole, BinaryExpression):
        return whole.named()
    if isinstance(whole, MemberExpression):
        call = call_of(whole)
        return [] if call is None else call.arguments
    call_around = whole.parent if whole.type == "arguments" else None
    callee = call_around.callee if isinstance(call_around, CallExpression) else None
    return [callee.object] if isinstance(callee, AccessExpression) else []
