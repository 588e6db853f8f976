"""Evaluates conditions, including those that another script of the same realm assigned to a global."""

from __future__ import annotations

from extlint.analysis.facts.shared_globals import GlobalQuery
from extlint.analysis.facts.values import UNKNOWN, Unknown, Value
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS, ROOTS
from extlint.analysis.syntax.shapes import assigned_parts
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_names import key_of
from extlint.analysis.values.recorded import dependencies

_UNFORGEABLE = frozenset({"document", "location"})
"""Properties of a page's global object that no script can replace (`LegacyUnforgeable` in its interface)."""

MAX_TESTED_GLOBALS = 100
"""The most globals of one script whose implications are looked up in other scripts."""


def condition_value(evaluator: Evaluator, expression: Node) -> Value:
    """Returns the value of an expression that is tested, or called by a test."""
    value = evaluator.partial(expression)
    is_open = isinstance(value, Unknown) and value.implications is None
    return _shared_value(evaluator, expression) if is_open else value


def truth_of(evaluator: Evaluator, expression: Node) -> bool | None:
    """Whether an expression is truthy in a condition, or None if unknown.

    A template with literal text is truthy, whatever is inserted.
    """
    if expression.type == "template_string" and any(
        each.type == "string_fragment" for each in expression.named()
    ):
        return True
    return truth(evaluator.value(expression))


def _shared_value(evaluator: Evaluator, expression: Node) -> Value:
    if expression.type == "identifier":
        name = evaluator.tree.source(expression)
        binding = evaluator.names.resolve(name, expression)
        if binding is None:
            return _value_in_other_scripts(evaluator, name)
        assigned = _only_assigned(binding)
        return UNKNOWN if assigned is None else _value_of_assigned(evaluator, assigned)
    if not isinstance(expression, AccessExpression):
        return UNKNOWN
    key = key_of(evaluator, expression)
    if key is None:
        return UNKNOWN
    if evaluator.partial(expression.object) == GLOBAL:
        return _value_in_other_scripts(evaluator, key)
    owner = _shared_value(evaluator, expression.object)
    return UNKNOWN if isinstance(owner, Unknown) else evaluator.possible.member(owner, key, expression)


def _only_assigned(binding: Binding) -> Node | None:
    """Returns the only expression that is assigned to a variable, or None."""
    write = binding.writes[0] if len(binding.writes) == 1 else None
    parts = None if write is None or write.source is None else assigned_parts(write.source)
    return None if write is None or parts is None or not parts[0].same(write.item) else parts[1]


@once_per_script(meanwhile=UNKNOWN)
def _value_of_assigned(evaluator: Evaluator, assigned: Node) -> Value:
    return condition_value(evaluator, assigned)


def _value_in_other_scripts(evaluator: Evaluator, name: str) -> Value:
    if name in GLOBAL_OBJECTS or name in ROOTS or name in _UNFORGEABLE:
        return UNKNOWN
    tested = dependencies(evaluator).tested_globals
    if name not in tested:
        if len(tested) >= MAX_TESTED_GLOBALS:
            return evaluator.shared.conditions.get(name, UNKNOWN)
        tested.add(name)
    return _implied_in_other_scripts(evaluator, name)


@once_per_script
def _implied_in_other_scripts(evaluator: Evaluator, name: str) -> Value:
    known = evaluator.shared.conditions.get(name)
    if known is not None:
        return known
    return next(iter(evaluator.imported(GlobalQuery.IMPLIED.about(name)).values()), UNKNOWN)
