"""Finds the entry points of functions and class fields, and the instantiations of classes.

A function runs where its name is used, a method where a property of that name is used. Neither runs before
the object that contains it, or an instance of its class, exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from extlint.analysis.call_graph.definitions import (
    declared_variable,
    literal_with,
    member_definition,
    outermost_wrapper,
    owner_of,
)
from extlint.analysis.call_graph.entry_points import (
    EntryPoints,
    ExternalName,
    is_unrelated_use,
    uses_of_part,
    uses_of_property,
)
from extlint.analysis.call_graph.prototypes import (
    PROTOTYPE,
    called_name,
    constructor_with,
    defines_prototype,
    derived_constructor,
    is_written,
)
from extlint.analysis.call_graph.variable_uses import uses_by_other_names, uses_of_variable
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    Class,
    FieldDefinition,
    ForInStatement,
    Function,
    Pair,
    SubscriptExpression,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    first_argument,
    innermost,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.values.api_results import ITERATION_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES
from extlint.analysis.values.property_index import key_of

_CALLS = frozenset({"bind", "call", "apply"})
_KNOWN_USES = frozenset({*_CALLS, PROTOTYPE})
_REMOVING = frozenset({"hasListener", "removeEventListener", "removeListener"})
_ITERATING: frozenset[str | None] = ITERATION_METHODS - {"reduce", "sort"}
_USES_OF_FUNCTION = frozenset({*_CALLS, "toString"})


def instantiations_of(evaluator: Evaluator, owner: Node, *, direct: bool) -> Iterator[EntryPoints]:
    """Yields the instantiations of a class and of its subclasses, with `direct` only those that construct."""
    uses: list[Node] = []
    names: list[ExternalName] = []
    waiting, visited = [owner], {owner.id}
    while waiting:
        each = waiting.pop()
        found = uses_of_class(evaluator, each)
        if found is None or len(visited) > MAX_USES:
            return
        names += found.names
        for use in found.uses:
            derived = subclass_at(use) or (None if direct else derived_constructor(evaluator, use))
            if derived is None:
                if not direct or not is_only_mentioned(evaluator, use):
                    uses.append(use)
            elif derived.id not in visited:
                visited.add(derived.id)
                waiting.append(derived)
    yield EntryPoints(tuple(uses), tuple(dict.fromkeys(names)), direct)


def uses_of_class(evaluator: Evaluator, owner: Node) -> EntryPoints | None:
    """Returns the references to a class that instantiate or extend it, or None if unknown."""
    binding = declared_variable(evaluator, owner)
    found = (
        _uses_of_member(evaluator, owner) if binding is None else uses_of_variable(evaluator, binding, owner)
    )
    if found is None:
        return None
    instantiates_itself = b"new this" in evaluator.tree.text[owner.start : owner.end]
    uses = [
        use
        for use in (*found.uses, *_static_uses(owner, binding))
        if instantiates_itself or not (is_only_inspected(evaluator, use) or defines_prototype(evaluator, use))
    ]
    return EntryPoints(tuple(uses), found.names)


def _uses_of_member(evaluator: Evaluator, owner: Node) -> EntryPoints | None:
    """Returns the uses of a class that is stored in a property (`exports.Store = class {}`)."""
    member = member_definition(owner)
    name = None if member is None or member.same(owner) else key_of(evaluator, member)
    found = None if name is None else uses_of_property(evaluator, name)
    if member is None or name is None or found is None:
        return None
    others = uses_by_other_names(evaluator, member)
    return EntryPoints((*found, *others.uses), (ExternalName(name), *others.names))


def _static_uses(owner: Node, binding: Binding | None) -> Iterator[Node]:
    """Yields the references to a class in its own static members, such as `static create()`."""
    if not isinstance(owner, Class):
        return
    for each in () if binding is None else islice(binding.uses, MAX_USES):
        inside = owner.body.contains(each.item) and each.role is Role.REFERENCE
        members = (up for up in each.item.ancestors() if up.parent is not None and up.parent.same(owner.body))
        member = next(members, None) if inside else None
        if member is not None and member.has_token("static"):
            yield each.item


def is_only_inspected(evaluator: Evaluator, use: Node) -> bool:
    """Whether a reference to a class only reads a static member, or is the right operand of `instanceof`."""
    up = use.parent
    if isinstance(up, AccessExpression) and use.is_field("object"):
        return key_of(evaluator, up) not in {*_KNOWN_USES, None}
    return isinstance(up, BinaryExpression) and up.operator == "instanceof"


def is_only_mentioned(evaluator: Evaluator, use: Node) -> bool:
    """Whether a reference to a function only reads a property, tests it, or removes it as a listener."""
    up = use.parent
    if isinstance(up, AccessExpression) and use.is_field("object"):
        return key_of(evaluator, up) not in {*_USES_OF_FUNCTION, None}
    if isinstance(up, UnaryExpression):
        return up.operator == "typeof"
    call = call_with_argument(use)
    if isinstance(call, CallExpression):
        return called_name(evaluator, call) in _REMOVING
    return is_only_inspected(evaluator, use)


def subclass_at(use: Node) -> Node | None:
    """Returns the class that extends the referenced class, or None."""
    for up in islice(use.ancestors(), 3):
        if up.type == "class_heritage":
            return up.parent
    return None


def entry_points_of(evaluator: Evaluator, entered: Node) -> Iterator[EntryPoints]:
    """Yields the entry points of a function or field: every path to it passes through one of each."""
    own = _variable_uses(evaluator, entered)
    if own is not None:
        yield own
    member = member_definition(outermost_wrapper(evaluator, entered))
    if member is not None:
        name = key_of(evaluator, member)
        owner = owner_of(member)
        is_constructor = name == "constructor" and isinstance(owner, Class)
        if name is not None and isinstance(entered, Function) and not is_constructor:
            yield from _property_uses(evaluator, name, entered, member)
        if isinstance(owner, Class) and not member.has_token("static"):
            yield from instantiations_of(
                evaluator, owner, direct=is_constructor or isinstance(entered, FieldDefinition)
            )
        else:
            whole = literal_with(member)
            constructor = constructor_with(evaluator, member, whole)
            if constructor is not None:
                yield from instantiations_of(evaluator, constructor, direct=False)
            else:
                yield from _object_uses(evaluator, member, whole)


def uses_of_item(evaluator: Evaluator, item: Node) -> EntryPoints | None:
    """Returns the uses of each item where code goes through the list that has one, or None if unknown.

    `for (const each of [open, show]) each()`, `list.forEach((each) => each())`
    """
    array = outermost(item).parent
    if array is None or array.type != "array":
        return None
    binding = declared_variable(evaluator, array)
    uses: list[Node] = []
    for holder in [array] if binding is None else [each.item for each in islice(binding.uses, MAX_USES)]:
        found = _uses_of_each(evaluator, outermost(holder))
        if found is None:
            return None
        uses += found
    return EntryPoints(tuple(uses)) if uses else None


def _uses_of_each(evaluator: Evaluator, array: Node) -> list[Node] | None:
    """Returns the uses of each item of a list, one after the other, at a use of the list, or None."""
    up = array.parent
    if isinstance(up, ForInStatement) and array.is_field("right"):
        return uses_of_part(evaluator, up.left) if up.left.type == "identifier" else None
    if not isinstance(up, AccessExpression) or not array.is_field("object"):
        return None
    name, call = key_of(evaluator, up), call_of(up)
    if name is None and isinstance(up, SubscriptExpression):
        declarator = outermost(up).parent
        if isinstance(declarator, VariableDeclarator) and declarator.name.type == "identifier":
            return uses_of_part(evaluator, declarator.name)
        return [up]
    if call is None or name not in _ITERATING:
        return [] if name == "length" else None
    taker = first_argument(call)
    parameters = parameter_items(taker) if isinstance(taker, Function) else []
    variable = pattern_of(parameters[0]) if parameters else None
    if variable is None or variable.type != "identifier":
        return None
    return uses_of_part(evaluator, variable)


def _variable_uses(evaluator: Evaluator, function: Node) -> EntryPoints | None:
    """Returns the uses of the variable that a function is declared as or assigned to, or None if unknown."""
    binding = declared_variable(evaluator, outermost_wrapper(evaluator, function))
    if binding is None or len(binding.declarations) != 1:
        return None
    found = uses_of_variable(evaluator, binding, function)
    return None if found is None else EntryPoints(_running(evaluator, found.uses), found.names)


def _running(evaluator: Evaluator, uses: Iterable[Node]) -> tuple[Node, ...]:
    """Returns the uses of a function that may run it."""
    return tuple(
        use for use in uses if not is_only_mentioned(evaluator, use) and not defines_prototype(evaluator, use)
    )


def _property_uses(evaluator: Evaluator, name: str, function: Node, member: Node) -> Iterator[EntryPoints]:
    """Yields the uses of a property of that name on objects that may be the function's owner."""
    places = uses_of_property(evaluator, name, member.has_token("set"))
    if places is None:
        return
    own = (
        use
        for use in places
        if not function.contains(use) and not is_unrelated_use(evaluator, use, function, owner_of(member))
    )
    others = uses_by_other_names(evaluator, member)
    unnamed = _unnamed_uses(evaluator, owner_of(member))
    uses = [*islice(chain(own, others.uses, unnamed), MAX_USES + 1)]
    if len(uses) <= MAX_USES:
        if not member.has_token("get") and not member.has_token("set"):
            uses = [*_running(evaluator, uses)]
        names = () if name.startswith("#") else (ExternalName(name),)
        yield EntryPoints(tuple(uses), (*names, *others.names))


def _unnamed_uses(evaluator: Evaluator, owner: Node | None) -> Iterator[Node]:
    """Yields the accesses to an object with an unknown member name."""
    binding = None if owner is None or owner.type != "object" else declared_variable(evaluator, owner)
    for use in () if binding is None else islice(binding.uses, MAX_USES):
        up = use.item.parent
        is_indexed = isinstance(up, SubscriptExpression) and use.item.is_field("object")
        if up is not None and is_indexed and key_of(evaluator, up) is None:
            yield up


def _object_uses(evaluator: Evaluator, member: Node, literal: Node | None) -> Iterator[EntryPoints]:
    """Yields the uses of the variable that holds an object, through which a member of it may run.

    `literal` is the outermost literal with the member, or None if the member is assigned.
    """
    whole = _assigned_object(evaluator, member) if literal is None else literal
    binding = None if whole is None else declared_variable(evaluator, whole)
    if binding is not None and len(binding.declarations) == 1:
        found = uses_of_variable(evaluator, binding, whole)
        if found is not None:
            is_setter = member.has_token("set")
            uses = (
                each
                for each in found.uses
                if (is_setter or not is_written(each)) and not _reads_sibling(evaluator, each, member, whole)
            )
            yield EntryPoints(tuple(uses), found.names, direct=False)


def _assigned_object(evaluator: Evaluator, member: Node) -> Node | None:
    """Returns the literal in the variable whose member is assigned, or None."""
    holder = innermost(member.object) if isinstance(member, AccessExpression) else None
    if holder is None or holder.type != "identifier":
        return None
    found = evaluator.definition_of(holder)
    binding = None if found is None or found.type != "object" else declared_variable(evaluator, found)
    is_same = binding is not None and binding is evaluator.names.variable(holder)
    return found if is_same else None


def _reads_sibling(evaluator: Evaluator, use: Node, member: Node, whole: Node | None) -> bool:
    """Whether a use of an object reads another of its literals than the one that contains a member."""
    place = use.parent
    if whole is None or not isinstance(place, AccessExpression) or not use.is_field("object"):
        return False
    name = key_of(evaluator, place)
    parts = [each for each in whole.named() if isinstance(each, Pair) and key_of(evaluator, each) == name]
    return len(parts) == 1 and parts[0].value.type == "object" and not parts[0].contains(member)
