"""Summarizes conditions in globals, for the other scripts of the same realm.

Example: `window.hasMenus = !!browser.menus`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice

from extlint.analysis.expressions.variables import TooManyWritesError, writes_to_top_level
from extlint.analysis.facts.values import Implications, Literal, ObjectValue, Unknown, Value, union_of
from extlint.analysis.guards.forms.facts import UNREACHABLE
from extlint.analysis.modules.value_summaries import MAX_USES, Summaries, assigned_members
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    AugmentedAssignment,
    BinaryExpression,
    LexicalDeclaration,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import candidates
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.property_index import members_named


def conditions_in(evaluator: Evaluator, names: Iterable[str]) -> Mapping[str, Value]:
    """Returns the summaries, with implications, of the globals that a script assigns."""
    summaries = Summaries(evaluator, ApiPlaces(candidates(evaluator.tree.text)))
    found: dict[str, Value] = {}
    for name in sorted(names):
        condition = evaluator.attempt(None, partial(_condition_in, evaluator, summaries, name))
        if condition is not None:
            found[name] = condition
    return found


def _condition_in(evaluator: Evaluator, summaries: Summaries, name: str) -> Value | None:
    try:
        writes = writes_to_top_level(evaluator, name)
    except TooManyWritesError:
        return None
    value = union_of(_new_value(evaluator, *each) for each in writes)
    if isinstance(value, Literal) and all(_is_constant(place) for place, _ in writes):
        never = frozenset({UNREACHABLE})
        return Unknown(
            implications=Implications(if_false=never) if truth(value) else Implications(if_true=never)
        )
    summary = summaries.summary_with_implications(value, writes[0][0]) if writes else None
    if len({place.id for place, _ in writes}) == 1 and isinstance(summary, ObjectValue):
        summary = _with_members(evaluator, summaries, name, summary)
    return summary


def _is_constant(name: Node) -> bool:
    declaration = None if name.parent is None else name.parent.parent
    return isinstance(declaration, LexicalDeclaration) and declaration.kind == "const"


def _new_value(evaluator: Evaluator, place: Node, assigned: Value) -> Value:
    """Returns the value that a global gets unless it has one: `window.tools = window.tools || {}`."""
    match place.parent:
        case AugmentedAssignment(is_logical=True, right=new):
            return evaluator.partial(new)
        case AssignmentExpression(right=Node() as value) | VariableDeclarator(value=Node() as value):
            choice = innermost(value)
            if isinstance(choice, BinaryExpression) and choice.operator in {"??", "||"}:
                names = {evaluator.tree.source(each).rpartition(".")[2] for each in (place, choice.left)}
                return evaluator.partial(choice.right) if len(names) == 1 else assigned
    return assigned


def _with_members(evaluator: Evaluator, summaries: Summaries, name: str, value: ObjectValue) -> ObjectValue:
    """Returns an object with members assigned to it later: `tools.isFirefox = function () {…}`."""
    names = evaluator.names
    top = names.resolve(name, evaluator.tree.root)
    uses = [use.item for use in (names.free_uses(name) if top is None else top.uses)[:MAX_USES]]
    members = islice(members_named(evaluator, name), MAX_USES)
    uses += [each for each in members if evaluator.partial(each.object) == GLOBAL]
    return summaries.with_members(value, assigned_members(evaluator, uses))
