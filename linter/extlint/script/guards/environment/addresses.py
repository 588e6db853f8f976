"""Whether a text is asked of an address: of the extension's own, or of that of something else."""

from __future__ import annotations

from functools import partial

from extlint.script.guards.environment.words import names_address
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    MemberExpression,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import call_of, innermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of
from extlint.text.patterns import lazy

_MAX_TEXT_BYTES = 300
_OWN_ADDRESS = lazy(
    rb"\blocation\b|\bgetURL\b|\b(?:self|window|globalThis|document)\.(?:origin|URL|baseURI)\b|\bimport\.meta\.url"
)
_TEXTS = frozenset({"parenthesized_expression", "regex", "string", "template_string"})


def is_of_own_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or looked for in, an address of the extension itself."""
    return any(_is_own_address(evaluator, each) for each in _asked_with(text))


def is_of_other_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or looked for in, the address of something else, by its name."""
    asked = [each for each in _asked_with(text) if not each.contains(text)]
    return any(map(partial(_is_named_address, evaluator), asked)) and not any(
        _is_own_address(evaluator, each) for each in asked
    )


def _is_named_address(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is an address by its name, or what a method makes of one."""
    expression = innermost(expression)
    while isinstance(expression, CallExpression):
        callee = expression.callee
        expression = innermost(callee.object if isinstance(callee, AccessExpression) else callee)
    if isinstance(expression, AccessExpression):
        return names_address(key_of(evaluator, expression) or "")
    return expression.type == "identifier" and names_address(evaluator.tree.source(expression))


def _asked_with(text: Node) -> list[Node]:
    """What a text, or a pattern, is compared with or looked for in."""
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


def _is_own_address(evaluator: Evaluator, expression: Node) -> bool:
    start, end = expression.span
    if _OWN_ADDRESS.search(evaluator.tree.text, start, min(end, start + _MAX_TEXT_BYTES)):
        return True
    root = expression
    while isinstance(root, AccessExpression):
        root = root.object
    binding = evaluator.names.variable(root) if root.type == "identifier" else None
    sources = [] if binding is None else [each.source for each in binding.writes[:3]]
    return any(
        _OWN_ADDRESS.search(evaluator.tree.text, each.start, min(each.end, each.start + _MAX_TEXT_BYTES))
        for each in sources
        if isinstance(each, VariableDeclarator | AssignmentExpression)
    )
