"""Evaluates members of values: `value.name`."""

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
    Value,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS, OLD_ROOTS, ROOTS
from extlint.analysis.values.api_results import part_of_result
from extlint.analysis.values.bundler_values import BundlerValue
from extlint.analysis.values.evaluator import GLOBAL, Evaluator, View
from extlint.analysis.values.options import join

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
