"""Tracks the API in fields of unknown objects: `app.api = browser`."""

from __future__ import annotations

from extlint.analysis.facts.values import UNKNOWN, Unknown, Value, options_of
from extlint.analysis.scope.reaching_definitions import MAX_WRITES
from extlint.analysis.syntax.nodes import AccessExpression, MemberExpression
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.options import carries_api, join
from extlint.analysis.values.property_index import members_named, property_writes, written_value
from extlint.analysis.values.traced_flows import traced_flows

_MAX_DEPTH = 5


def store_in_field(evaluator: Evaluator, place: AccessExpression, name: str) -> list[MemberExpression]:
    """Records that the API is stored in a field of an unknown object, and returns the reads of the field."""
    if not all(isinstance(each, Unknown) for each in options_of(evaluator.possible.value(place.object))):
        return []
    if len(property_writes(evaluator, name)) > MAX_WRITES:
        return []
    traced_flows(evaluator).fields.add(name)
    found = [
        each
        for each in members_named(evaluator, name)
        if isinstance(each, MemberExpression) and _have_same_object_name(evaluator, each, place)
    ]
    for each in found:
        evaluator.forget(each)
    return found


def field_value(view: View, member: MemberExpression, name: str) -> Value:
    """Returns the value of a field of an unknown object: the API, if the script stores nothing else there."""
    places = property_writes(view.evaluator, name)
    if len(places) > MAX_WRITES:
        return UNKNOWN
    own = [each for each in places if _have_same_object_name(view.evaluator, each, member)]
    written = [written_value(view, each) or UNKNOWN for each in own]
    is_api = written and all(carries_api(each) for each in written)
    return join(*written) if is_api else UNKNOWN


def _have_same_object_name(evaluator: Evaluator, one: AccessExpression, other: AccessExpression) -> bool:
    """Whether two member expressions are fields of objects with the same name."""
    source = evaluator.tree.source
    for _ in range(_MAX_DEPTH):
        first, second = innermost(one.object), innermost(other.object)
        if first.type == second.type == "identifier":
            if source(first) != source(second):
                return False
            return evaluator.names.variable(first) is evaluator.names.variable(second)
        if not isinstance(first, MemberExpression) or not isinstance(second, MemberExpression):
            return False
        if source(first.property) != source(second.property):
            return False
        one, other = first, second
    return False
