"""Evaluates the members of the script's classes and of their instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from extlint.analysis.expressions.escaped_values import escaped_value, is_partly_unstable, stable_part
from extlint.analysis.expressions.object_effects import effects_of_uses
from extlint.analysis.expressions.objects import function_value
from extlint.analysis.expressions.parameters import parameter_value
from extlint.analysis.expressions.this import names_written, this_value
from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Class, FieldDefinition, Function, MethodDefinition
from extlint.analysis.syntax.shapes import parameter_items, pattern_of
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.functions import return_value
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api, join
from extlint.analysis.values.property_index import (
    assignment_to,
    is_too_common,
    key_of,
    members_named,
    property_writes,
    written_value,
)


def class_member(view: View, owner: Node, name: str, *, static: bool) -> Value:
    """Returns the value of the property `name` of a class, or of its instances.

    Any code may write the property, so only its stable part is known (see `stable_part`); a private member is
    known completely. If the same name is written to an object that may not be an instance, such as the state
    of components in React's own code, only certain values count.
    """
    evaluator = view.evaluator
    found = [
        value
        for each in _declared(evaluator, owner, name)
        if (value := _declared_member(view, each, name, static=static)) is not None
    ]
    is_private = name.startswith("#")
    if any(_makes_member_unknown(view, each, is_private=is_private) for each in found):
        return UNKNOWN
    has_api = any(map(carries_api, found))
    for place in property_writes(evaluator, name):
        if place.object.type == "this":
            is_own = owner.contains(place) and _is_this_of(view, place.object, owner, static=static)
        else:
            is_own = is_private or not has_api
        reader = view if is_private or place.object.type == "this" else evaluator
        written = written_value(reader, place) if is_own else None
        if written is not None:
            if _makes_member_unknown(view, written, is_private=is_private):
                return UNKNOWN
            found += [written, Literal(Kind.UNDEFINED)]
            has_api = has_api or carries_api(written)
    found = [each for each in found if each != NOTHING]
    if not found:
        return UNKNOWN
    whole = join(*found)
    if is_too_common(evaluator, name) and not carries_api(whole):
        return UNKNOWN
    if is_private:
        return join(_unchanged_part(evaluator, whole, name), Literal(Kind.UNDEFINED))
    return stable_part(whole, only_api=_is_extended(evaluator, owner))


def _unchanged_part(evaluator: Evaluator, value: Value, name: str) -> Value:
    """Returns the value of a private member without what the class may change in an object."""
    if not any(isinstance(each, ArrayValue | ObjectValue) for each in options_of(value)):
        return value
    reads = [each for each in members_named(evaluator, name) if assignment_to(each) is None]
    if effects_of_uses(evaluator, reads).is_harmless:
        return value
    return join(*(each if isinstance(each, ApiResult) else escaped_value(each) for each in options_of(value)))


def _makes_member_unknown(view: View, value: Value, *, is_private: bool) -> bool:
    """Whether a value makes a member entirely unknown, so that its other values do not matter."""
    return view.absorbs(UNKNOWN if not is_private and is_partly_unstable(value) else value)


def _is_extended(evaluator: Evaluator, owner: Node) -> bool:
    """Whether the script has a class that extends this one, and so may replace its members."""
    name = owner.name if isinstance(owner, Class) else None
    binding = None if name is None else evaluator.names.variable(name)
    uses = () if binding is None else binding.uses
    return any(up.type == "class_heritage" for use in uses for up in islice(use.item.ancestors(), 3))


def member_names(evaluator: Evaluator, owner: Node) -> list[str]:
    """Returns the names of the members that a class declares, and of those that its methods set on `this`."""
    names = [*declared_members(evaluator, owner), *names_written(evaluator, owner)]
    names += _parameter_properties(evaluator, owner)
    unwanted = {"", "constructor"}
    return [each for each in dict.fromkeys(names) if each not in unwanted and not each.startswith("#")]


def _parameter_properties(evaluator: Evaluator, owner: Node) -> list[str]:
    constructors = declared_members(evaluator, owner).get("constructor", ())
    parameters = (each for constructor in constructors for each in parameter_items(constructor))
    marked = (each for each in parameters if each.has_token("accessibility_modifier"))
    return [evaluator.tree.source(pattern_of(each)) for each in marked]


@once_per_script(meanwhile={})
def declared_members(evaluator: Evaluator, owner: Node) -> Mapping[str, Sequence[Node]]:
    """Returns the members that a class body declares, by name; the empty name means unknown names."""
    members: dict[str, list[Node]] = {}
    for each in owner.body.named() if isinstance(owner, Class) else ():
        members.setdefault(key_of(evaluator, each) or "", []).append(each)
    return members


def _declared(evaluator: Evaluator, owner: Node, name: str) -> list[Node]:
    """Returns the members of a class's body with a name, and the constructor, which may declare more."""
    members = declared_members(evaluator, owner)
    return [*members.get("constructor", ()), *(members.get(name, ()) if name != "constructor" else ())]


def _is_this_of(view: View, this: Node, owner: Node, *, static: bool) -> bool:
    match this_value(view, this):
        case FunctionValue(span=span):
            return static and span == owner.span
        case InstanceValue(definition=span):
            return not static and span == owner.span
    return False


def _declared_member(view: View, each: Node, name: str, *, static: bool) -> Value | None:
    evaluator = view.evaluator
    if isinstance(each, MethodDefinition):
        if key_of(evaluator, each) == "constructor" and not static:
            return _parameter_property(view, each, name)
        if each.has_token("static") is not static or key_of(evaluator, each) != name or each.has_token("set"):
            return None
        return return_value(view, each) if each.has_token("get") else function_value(view, each)
    if isinstance(each, FieldDefinition):
        if each.has_token("static") is not static or key_of(evaluator, each) != name:
            return None
        return NOTHING if each.value is None else view.partial(each.value)
    return None


def _parameter_property(view: View, constructor: Function, name: str) -> Value | None:
    """Returns the value of a TypeScript parameter property, `constructor(private api = browser)`, or None."""
    for parameter in constructor.parameters:
        marked = parameter.has_token("accessibility_modifier") or parameter.has_token("readonly")
        pattern = pattern_of(parameter)
        if marked and view.evaluator.tree.source(pattern) == name:
            return parameter_value(view, parameter, pattern)
    return None
