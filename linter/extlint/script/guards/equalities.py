"""Finds texts that variables equal under conditions around a place; one cannot equal two texts at once.

This is known for parameters and block-scoped variables that are not reassigned: each
time that their function or block runs, they are created anew, with one value.
"""

from __future__ import annotations

from extlint.script.facts.values import Kind, Literal
from extlint.script.guards.constant_conditions import outcome_of
from extlint.script.guards.forms.comparisons import swapped
from extlint.script.guards.forms.facts import EQUAL, NOTHING_IMPLIED, Facts
from extlint.script.scope.model import Binding
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import BinaryExpression, LexicalDeclaration, UnaryExpression
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator

_MAX_DEPTH = 20
_STRICT = {"===": True, "!==": False}


def equalities(evaluator: Evaluator, condition: Node, outcome: bool, depth: int = 0) -> Facts:
    """Returns the facts that variables equal texts, if a condition has an outcome."""
    item = innermost(condition)
    if depth > _MAX_DEPTH:
        return NOTHING_IMPLIED
    if isinstance(item, UnaryExpression) and item.operator == "!":
        return equalities(evaluator, item.argument, not outcome, depth + 1)
    if not isinstance(item, BinaryExpression):
        return NOTHING_IMPLIED
    if item.is_logical:
        return _equalities_of_logical(evaluator, item, outcome, depth)
    return (
        _equalities_of_comparison(evaluator, item)
        if _STRICT.get(item.operator) is outcome
        else NOTHING_IMPLIED
    )


def _equalities_of_logical(evaluator: Evaluator, item: BinaryExpression, outcome: bool, depth: int) -> Facts:
    first = equalities(evaluator, item.left, outcome, depth + 1)
    second = equalities(evaluator, item.right, outcome, depth + 1)
    if (item.operator == "&&") is outcome or not (first or second):
        return first | second
    for side, other in ((item.left, second), (item.right, first)):
        if other and outcome_of(evaluator, side) is (not outcome):
            return other
    return first & second


def _equalities_of_comparison(evaluator: Evaluator, comparison: BinaryExpression) -> Facts:
    for operand, other, _ in swapped(comparison):
        if operand.type != "identifier":
            continue
        binding = evaluator.names.variable(operand)
        value = evaluator.certain.value(other) if binding is not None and _is_constant(binding) else None
        if binding is not None and isinstance(value, Literal) and value.kind is Kind.STRING:
            return frozenset({("", EQUAL, str(binding.declarations[0].item.start), str(value.value))})
    return NOTHING_IMPLIED


def _is_constant(binding: Binding) -> bool:
    """Whether a variable keeps its initial value."""
    if len(binding.writes) != 1 or len(binding.declarations) != 1:
        return False
    write = binding.writes[0]
    if write.kind == "parameter":
        return True
    source = write.source
    return source is not None and isinstance(source.parent, LexicalDeclaration)
