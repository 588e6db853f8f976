"""Finds the instantiations of a class or constructor function, and of its subclasses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from extlint.analysis.call_graph.definitions import declared_variable, member_definition
from extlint.analysis.call_graph.entry_points import EntryPoints, ExternalName
from extlint.analysis.call_graph.property_uses import uses_of_property
from extlint.analysis.call_graph.prototypes import (
    PROTOTYPE,
    called_name,
    defines_prototype,
    derived_constructor,
)
from extlint.analysis.call_graph.variable_uses import uses_by_other_names, uses_of_variable
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    Class,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import call_with_argument
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES
from extlint.analysis.values.property_names import key_of

_CALLS = frozenset({"bind", "call", "apply"})
_KNOWN_USES = frozenset({*_CALLS, PROTOTYPE})
_REMOVING = frozenset({"hasListener", "removeEventListener", "removeListener"})
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
