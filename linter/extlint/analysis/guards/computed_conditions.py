"""Conditions that a variable, a function, a property or a getter has computed: `if (this.isPage) …`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from extlint.analysis.expressions.this import this_value
from extlint.analysis.facts.values import InstanceValue, options_of
from extlint.analysis.guards.forms.possible_values import MAX_PLACES, returned_values
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    MethodDefinition,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import defining_leaves
from extlint.analysis.values.property_names import key_of

OutcomeOf = Callable[[Node], bool | None]
"""Returns the outcome that a condition always has, or None."""


def outcome_of_origins(evaluator: Evaluator, expression: Node, outcome_of: OutcomeOf) -> bool | None:
    """Returns the outcome of the conditions that computed the value of an expression, or None.

    A value that no condition computed is not enough, since it may be replaced unseen.
    """
    found, is_computed = set[bool | None](), False
    for option in options_of(evaluator.partial(expression)):
        origin = None if option.span is None else evaluator.tree.item_at(option.span)
        if isinstance(origin, BinaryExpression | UnaryExpression) and not origin.contains(expression):
            is_computed = True
            found.add(outcome_of(origin))
        else:
            found.add(truth(option))
        if None in found:
            break
    if is_computed:
        return _common(found)
    return _outcome_of_getter(evaluator, expression, outcome_of)


def _outcome_of_getter(evaluator: Evaluator, access: Node, outcome_of: OutcomeOf) -> bool | None:
    """Returns the outcome of a property that only getters of the script have, or None."""
    if not isinstance(access, AccessExpression):
        return None
    name = key_of(evaluator, access)
    if name is None:
        return None
    holder = innermost(access.object)
    of_this = holder.type == "this"
    value = this_value(evaluator.possible, holder) if of_this else evaluator.partial(holder)
    owner = value.definition if isinstance(value, InstanceValue) else value.span
    if evaluator.definition_at(owner) is None:
        return None
    found = set[bool | None]()
    for leaf in islice(defining_leaves(evaluator, name, MAX_PLACES), MAX_PLACES):
        getter = leaf.parent
        if not isinstance(getter, MethodDefinition) or not getter.has_token("get"):
            return None
        returned = (each.value for each in returned_values(evaluator, getter))
        found |= {None if each is None else outcome_of(each) for each in returned}
    return _common(found)


def _common(outcomes: Iterable[bool | None]) -> bool | None:
    found = {*outcomes}
    return found.pop() if len(found) == 1 else None
