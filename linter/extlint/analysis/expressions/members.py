"""Evaluates members of values: `value.name`, and tracks the API in fields of unknown objects."""

from __future__ import annotations

from extlint.analysis.bundles.bundle import GLOBAL_HELPERS, bundle_of
from extlint.analysis.expressions.variables import global_value, root_value, watched_value
from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Unknown,
    Value,
    options_of,
)
from extlint.analysis.scope.reaching_definitions import MAX_WRITES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, MemberExpression
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS, OLD_ROOTS, ROOTS
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.api_results import part_of_result
from extlint.analysis.values.evaluator import GLOBAL, Evaluator, View
from extlint.analysis.values.interop import BundlerValue
from extlint.analysis.values.options import carries_api, join
from extlint.analysis.values.property_index import members_named, property_writes, written_value
from extlint.analysis.values.recorded import traced_flows

MAX_PATH_LENGTH = 8
"""The maximum number of names in a path below a root; no API has a member with a longer path."""


def member_of(view: View, value: Value, name: str, at: Node) -> Value:
    """Returns the value of the property `name` of a value that is not a union."""
    evaluator = view.evaluator
    if name in GLOBAL_HELPERS and not (isinstance(value, ObjectValue) and name in value.fields):
        return Literal(Kind.UNDEFINED)
    match value:
        case Api() if name == "__esModule" or (name == "default" and not value.path):
            return Literal(Kind.UNDEFINED)
        case Api():
            if not name or len(value.path) >= MAX_PATH_LENGTH:
                return UNKNOWN
            return Api((*value.path, name), value.root, at.span, has_stand_in=value.has_stand_in)
        case ApiResult():
            return part_of_result(value, name)
        case InstanceValue(class_name="globalThis"):
            return _global_member(evaluator, name, at)
        case BundlerValue():
            return bundle_of(evaluator).member_value(value, name, at)
        case InstanceValue(definition=span) if (owner := evaluator.definition_at(span)) is not None:
            return _class_member(view, owner, name, static=False)
        case FunctionValue(is_class=True) if (owner := evaluator.definition(value)) is not None:
            return _class_member(view, owner, name, static=True)
        case ObjectValue():
            return _field_value(value, name)
        case FunctionValue(fields=fields) if name in fields:
            return fields[name].value
        case ArrayValue():
            return _item_value(value, name)
        case Literal(Kind.STRING) | Typed(Kind.STRING | Kind.ARRAY) if name == "length":
            return Typed(Kind.NUMBER)
        case Literal(Kind.NULL | Kind.UNDEFINED):
            return NOTHING
    return UNKNOWN


def _class_member(view: View, owner: Node, name: str, *, static: bool) -> Value:
    from extlint.analysis.expressions.classes import class_member

    return class_member(view, owner, name, static=static)


def _field_value(value: ObjectValue, name: str) -> Value:
    found = value.fields.get(name)
    if found is None:
        return UNKNOWN
    return join(found.value, Literal(Kind.UNDEFINED)) if found.maybe_absent else found.value


def _item_value(value: ArrayValue, name: str) -> Value:
    if name == "length":
        return Typed(Kind.NUMBER)
    if name.isdigit() and len(name) < 6 and int(name) < len(value.items):
        return value.items[int(name)]
    return UNKNOWN


def _global_member(evaluator: Evaluator, name: str, at: Node) -> Value:
    if name in ROOTS:
        return root_value(evaluator, name, at)
    if name in OLD_ROOTS:
        return Api((), name, at.span)
    if name in evaluator.shared.watched:
        return watched_value(evaluator, name, at)
    if name in GLOBAL_OBJECTS:
        return GLOBAL
    return global_value(evaluator, name)


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
