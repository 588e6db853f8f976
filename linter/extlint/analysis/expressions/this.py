"""Evaluates `this`."""

from __future__ import annotations

from collections.abc import Set

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.escaped_values import stable_part
from extlint.analysis.expressions.objects import function_value
from extlint.analysis.facts.values import (
    UNKNOWN,
    Field,
    FunctionValue,
    InstanceValue,
    ObjectValue,
    Value,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    CallExpression,
    Class,
    FieldDefinition,
    Function,
    MemberExpression,
    MethodDefinition,
    Pair,
)
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.values.api_results import HELPERS
from extlint.analysis.values.evaluator import GLOBAL, Evaluator, View
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import join
from extlint.analysis.values.property_index import key_of, property_writes, written_value
from extlint.text.patterns import lazy

_OWN_WRITE = lazy(rb"\bthis\s*\.\s*([A-Za-z_$][\w$]*)\s*(?:\?\?|\|\||&&)?=(?!=)")


def this_value(view: View, this: Node, requested: str | None = None) -> Value:
    """Returns the value of `this`: an instance of the enclosing class, or the enclosing or global object.

    An object may have only the `requested` property.
    """
    for up in this.ancestors():
        match up:
            case Node(type="arrow_function"):
                continue
            case FieldDefinition() | MethodDefinition():
                return _unless_passed(this, up, _member_this(view, up, requested))
            case Function():
                return _unless_passed(this, up, _function_this(view, up, requested))
            case Node(type="class_static_block"):
                owner = next((each for each in up.ancestors() if isinstance(each, Class)), None)
                return UNKNOWN if owner is None else _class_this(view, owner, static=True)
            case Node(type="program"):
                return GLOBAL
    return UNKNOWN


def class_of_this(evaluator: Evaluator, this: Node) -> Class | None:
    """Returns the class whose instance `this` is, or None."""
    value = this_value(evaluator.possible, this)
    owner = evaluator.definition_at(value.definition) if isinstance(value, InstanceValue) else None
    return owner if isinstance(owner, Class) else None


def _unless_passed(this: Node, method: Node, value: Value) -> Value:
    """Returns the value of `this` in a method, without functions if `this` may well be another object.

    In a part of what is passed on (`new Vue({watch: {count() { this.count }}})`), other code decides what
    `this` is. A function that is called stays.
    """
    if not isinstance(value, ObjectValue) or _is_called(this) or not _is_part_of_passed(method):
        return value
    kept = {name: each for name, each in value.fields.items() if not isinstance(each.value, FunctionValue)}
    return ObjectValue(kept, True, value.span)


def _is_called(this: Node) -> bool:
    up = this.parent
    return isinstance(up, MemberExpression) and up.is_field("function")


def _is_part_of_passed(method: Node) -> bool:
    """Whether a method belongs to an object inside of an object that is passed to a call, or exported."""
    objects = 0
    for up in method.ancestors():
        if up.type == "object":
            objects += 1
        elif up.type in {"arguments", "export_statement"}:
            return objects > 1
        elif not isinstance(up, Pair):
            return False
    return False


def _member_this(view: View, member: Node, requested: str | None) -> Value:
    match member.parent:
        case Node(type="class_body", parent=Class() as owner):
            return _class_this(view, owner, static=member.has_token("static"))
        case Node(type="object") as literal:
            return _method_this(view, member, literal, requested)
    return UNKNOWN


def _class_this(view: View, owner: Class, *, static: bool) -> Value:
    if static:
        return function_value(view, owner)
    name = owner.name
    span = view.evaluator.define(owner)
    return InstanceValue("" if name is None else view.tree.source(name), False, None, span)


def _function_this(view: View, function: Node, requested: str | None) -> Value:
    whole = outermost(function)
    up = whole.parent
    if isinstance(up, Pair) and up.parent is not None and up.parent.type == "object":
        return _method_this(view, function, up.parent, requested)
    if isinstance(up, CallExpression) and whole.is_field("function"):
        return GLOBAL
    if isinstance(up, MemberExpression) and isinstance(up.parent, CallExpression):
        first = up.parent.first_argument
        if first is not None and first.type == "this" and key_of(view.evaluator, up) in HELPERS:
            return view.partial(first, requested)
    return UNKNOWN


def _method_this(view: View, function: Node, owner: Node, requested: str | None) -> Value:
    """Returns the object that a method belongs to, unless that is the table of a bundle's modules."""
    if bundle_of(view.evaluator).module_of(function) is not None:
        return UNKNOWN
    return _object_this(view, owner, requested)


def _object_this(view: View, owner: Node, requested: str | None) -> Value:
    """Returns an object as its own methods see it, with the properties that they assign."""
    value = view.partial(owner, requested)
    if not isinstance(value, ObjectValue):
        return value
    fields = {
        name: Field(stable_part(found.value), found.key, found.maybe_absent)
        for name, found in value.fields.items()
        if requested in {None, name}
    }
    names = names_written(view.evaluator, owner)
    for name in sorted(names if requested is None else names & {requested}):
        written = stable_part(_own_writes(view, owner, name))
        before = fields.get(name)
        if before is not None:
            fields[name] = Field(join(before.value, written), before.key, before.maybe_absent)
        else:
            fields[name] = Field(written, None, True)
    return ObjectValue(fields, True, value.span)


@once_per_script
def names_written(evaluator: Evaluator, owner: Node) -> Set[str]:
    """Returns the names of the properties that the text of a class or object sets on `this`, in order."""
    source = evaluator.tree.text[owner.start : owner.end]
    return dict.fromkeys(each.decode() for each in _OWN_WRITE.findall(source)).keys()


def _own_writes(view: View, owner: Node, name: str) -> Value:
    found = []
    for place in property_writes(view.evaluator, name):
        if owner.contains(place) and place.object.type == "this":
            written = written_value(view, place)
            if written is not None:
                found.append(written)
    return join(*found) if found else UNKNOWN
