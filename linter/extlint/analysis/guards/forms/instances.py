"""Tests by class: `browser.management instanceof Object`, `self instanceof ServiceWorkerGlobalScope`.

The class of the global object may also be compared by its name, or the object with one of its properties.
"""

from __future__ import annotations

from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.guards.forms.members import global_facts, operand_facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, BinaryExpression
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, innermost, swapped
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.text.patterns import lazy

_NAVIGATOR = frozenset({"navigator"})
_CLASS_NAME = lazy(r"(?:\[object )?(\w*GlobalScope|Window|WorkerNavigator)\]?")


def implied(query: ConditionQuery, expression: Node) -> Facts | None:
    """Returns the operand of `instanceof` as present; the negation proves nothing.

    Returns the class of the global object as present or missing, and None for any other expression.
    """
    if not isinstance(expression, BinaryExpression):
        return None
    if expression.operator in EQUALITY:
        return _implied_by_comparison(query, expression)
    left, names = innermost(expression.left), query.evaluator.names
    found = operand_facts(query, left) if query.outcome and query.present else NOTHING_IMPLIED
    if query.evaluator.value(left) == GLOBAL or names.is_global(left, _NAVIGATOR):
        of = global_facts(query, names.global_name(innermost(expression.right)))
        found |= query.if_requested(of, present=query.outcome)
    return found


def _implied_by_comparison(query: ConditionQuery, expression: BinaryExpression) -> Facts | None:
    """Returns the class of the global object, or its property that is compared with it, or None."""
    equal = (expression.operator in EQUAL) is query.outcome
    for subject, against, _ in swapped(expression):
        if not query.evaluator.shared.watched and not _names_scope(query.evaluator, innermost(against)):
            continue
        name = _CLASS_NAME.fullmatch(query.evaluator.text(against) or "")
        found = NOTHING_IMPLIED if name is None else global_facts(query, name[1])
        if equal and isinstance(innermost(subject), AccessExpression):
            is_global = query.evaluator.value(against) == GLOBAL
            found = operand_facts(query, innermost(subject)) if is_global else found
        if found:
            return query.if_requested(found, present=equal)
    return None


def _names_scope(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is the text of a class that only global objects have."""
    return expression.type == "string" and "GlobalScope" in evaluator.tree.source(expression)


def only_tests(evaluator: Evaluator, operand: Node, parent: Node) -> bool:  # noqa: ARG001
    """Whether an expression is `operand instanceof …`."""
    return isinstance(parent, BinaryExpression) and parent.operator == "instanceof"
