"""Summarizes conditions in globals, for the other scripts of the same realm.

Example: `window.hasMenus = !!browser.menus`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice

from extlint.script.expressions.variables import TooManyWritesError, writes_to_top_level
from extlint.script.facts.values import Field, ObjectValue, Value, union_of
from extlint.script.modules.value_summaries import Summaries
from extlint.script.scope.api_places import ApiPlaces
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import AccessExpression
from extlint.script.syntax.prefilter import candidates
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_index import assignment_to
from extlint.script.values.property_names import key_of

MAX_MEMBERS = 200
"""The maximum number of uses of one object to search for writes to its members."""


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
    value = union_of(value for _, value in writes)
    summary = summaries.summary_with_implications(value, writes[0][0]) if writes else None
    if len({place.id for place, _ in writes}) == 1 and isinstance(summary, ObjectValue):
        summary = _with_members(evaluator, summaries, name, summary)
    return summary


def _with_members(evaluator: Evaluator, summaries: Summaries, name: str, value: ObjectValue) -> ObjectValue:
    """Returns an object with members assigned to it later: `tools.isFirefox = function () {…}`."""
    top = evaluator.names.resolve(name, evaluator.tree.root)
    written: dict[str, list[Node]] = {}
    for use in () if top is None else islice(top.uses, MAX_MEMBERS):
        place = use.item.parent
        assignment = assignment_to(place) if isinstance(place, AccessExpression) else None
        if place is not None and assignment is not None:
            key = key_of(evaluator, place)
            if key is not None:
                written.setdefault(key, []).append(assignment.right)
    fields = dict(value.fields)
    for key, expressions in written.items():
        if len(expressions) == 1 and key not in fields:
            assigned = evaluator.certain.partial(expressions[0])
            summary = summaries.summary_with_implications(assigned, expressions[0])
            if summary is not None:
                fields[key] = Field(summary)
    return ObjectValue(fields, True)
