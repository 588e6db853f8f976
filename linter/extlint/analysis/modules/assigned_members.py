"""Finds the members that a script assigns to an object one by one: `tools.isFirefox = function () {…}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from extlint.analysis.facts.values import FunctionValue, ObjectValue
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, AssignmentExpression, VariableDeclarator
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import assignment_to, key_of

MAX_USES = 200
"""The maximum number of uses of one object to search for writes to its members."""


def assigned_members(evaluator: Evaluator, uses: Iterable[Node]) -> Mapping[str, Node]:
    """Returns the expressions assigned to members of an object, for members that are assigned once."""
    written: dict[str, list[Node]] = {}
    for use in uses:
        place = use.parent
        assignment = assignment_to(place) if isinstance(place, AccessExpression) else None
        if place is not None and assignment is not None:
            key = key_of(evaluator, place)
            if key is not None:
                written.setdefault(key, []).append(assignment.right)
    return {key: expressions[0] for key, expressions in written.items() if len(expressions) == 1}


def members_of_variable(evaluator: Evaluator, expression: Node) -> Mapping[str, Node]:
    """Returns the same for a variable's object, without the members that it has from the beginning.

    The expression is the name of the variable, or the value with which it is declared.
    """
    binding = evaluator.names.variable(_holder(expression))
    source = binding.writes[0].source if binding is not None and len(binding.writes) == 1 else None
    if binding is None or source is None:
        return {}
    initial = evaluator.possible.partial(
        source.value or source if isinstance(source, VariableDeclarator) else source
    )
    if not isinstance(initial, FunctionValue | ObjectValue):
        return {}
    found = assigned_members(evaluator, (use.item for use in islice(binding.uses, MAX_USES)))
    return {key: each for key, each in found.items() if key not in initial.fields}


def _holder(expression: Node) -> Node:
    """Returns the name that is declared with a value: `tools` in `const tools = module.exports = {}`."""
    whole = outermost(expression)
    while isinstance(whole.parent, AssignmentExpression) and whole.is_field("right"):
        whole = outermost(whole.parent)
    up = whole.parent
    return up.name if isinstance(up, VariableDeclarator) and whole.is_field("value") else expression
