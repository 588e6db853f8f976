"""Evaluates `this`, and the members of the script's classes and of their instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import islice

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.mutation import escaped_value, is_partly_unstable, stable_part
from extlint.analysis.expressions.object_effects import effects_of_uses
from extlint.analysis.expressions.objects import function_value
from extlint.analysis.expressions.parameters import parameter_value
from extlint.analysis.facts.values import (
    NOTHING,
    UNKNOWN,
    ApiResult,
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
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
from extlint.analysis.syntax.shapes import outermost, parameter_items, pattern_of
from extlint.analysis.values.api_results import HELPERS
from extlint.analysis.values.evaluator import GLOBAL, Evaluator, View
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
