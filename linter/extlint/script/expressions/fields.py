"""The API in a field of an object of which nothing else is known: `app.api = browser`."""

from __future__ import annotations

from extlint.script.facts.values import UNKNOWN, Unknown, Value, options_of
from extlint.script.scope.reaching_definitions import MAX_WRITES
from extlint.script.syntax.node import Node
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator, carries_api, join
from extlint.script.values.property_index import members_by, property_writes, written_value
from extlint.script.values.traced_flows import traced_flows

_MAX_DEPTH = 5


def put_into(evaluator: Evaluator, place: Node, name: str) -> list[Node]:
    """Remembers that the API is put into a field of an object that is not known; where the field is read."""
    target = place.field("object")
    if target is None or not all(isinstance(each, Unknown) for each in options_of(evaluator.value(target))):
        return []
    if len(property_writes(evaluator, name)) > MAX_WRITES:
        return []
    traced_flows(evaluator).fields.add(name)
    found = [
        each
        for each in members_by(evaluator, name)
        if each.type == "member_expression" and _are_of_one(evaluator, each, place)
    ]
    for each in found:
        evaluator.forget(each)
    return found


def field_value(evaluator: Evaluator, member: Node, name: str) -> Value:
    """What a field of an object holds that is not known: the API, if the script puts nothing else there."""
    places = property_writes(evaluator, name)
    if len(places) > MAX_WRITES:
        return UNKNOWN
    own = [each for each in places if _are_of_one(evaluator, each, member)]
    written = [written_value(evaluator, each) or UNKNOWN for each in own]
    is_api = written and all(carries_api(each) for each in written)
    return join(*written) if is_api else UNKNOWN


def _are_of_one(evaluator: Evaluator, one: Node, other: Node) -> bool:
    """Whether two member expressions are fields of what goes by the same name."""
    for _ in range(_MAX_DEPTH):
        first, second = one.field("object"), other.field("object")
        if first is None or second is None:
            return False
        one, other = innermost(first), innermost(second)
        if one.type != other.type:
            return False
        source = evaluator.tree.source
        if one.type == "identifier":
            if source(one) != source(other):
                return False
            return evaluator.names.variable(one) is evaluator.names.variable(other)
        if one.type != "member_expression":
            return False
        keys = one.field("property"), other.field("property")
        if keys[0] is None or keys[1] is None or source(keys[0]) != source(keys[1]):
            return False
    return False
