"""Finds the member that holds an expression, and how far an object is visible beyond its script.

{ list() { … } }                     the member `list` of the literal
class Box { open() { … } }           the member `open` of the class's instances
class Box { static open() { … } }    the member `open` of the class itself
box.list = list;                     the member `list` of the object in `box`
define(box, { list: () => f })       the same, by a bundler's own function
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.call_graph.entry_points import SharedMember
from extlint.analysis.call_graph.object_owners import Reach, owner_at, reach_of
from extlint.analysis.call_graph.variable_uses import external_names
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    FieldDefinition,
    Function,
    MethodDefinition,
    Pair,
)
from extlint.analysis.syntax.shapes import call_of, call_with_argument, innermost, outermost, pattern_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of


class Holder(Struct, frozen=True):
    """The member of an object. `owner` is the node that identifies the object in `object_owners`."""

    owner: Node
    name: str


def holder_of(evaluator: Evaluator, item: Node) -> Holder | None:
    """Returns the only member that holds an expression, or None if it may also have other uses."""
    whole = outermost(item)
    up = whole.parent
    match up:
        case Pair() if whole.is_field("value") and up.parent is not None:
            return _member_of_literal(evaluator, up.parent, up, item)
        case Node(type="object"):
            return _member_of_literal(evaluator, up, whole, item)
        case Node(type="class_body") if isinstance(item, MethodDefinition | FieldDefinition):
            return _member_of_class(evaluator, up, item)
        case FieldDefinition() if whole.is_field("value") and up.parent is not None:
            return _member_of_class(evaluator, up.parent, up)
        case AssignmentExpression(left=AccessExpression() as member) if whole.is_field("right"):
            return _assigned_member(evaluator, up, member)
    call = call_with_argument(whole)
    return _added_member(evaluator, call, item) if isinstance(call, CallExpression) else None


def holder_of_getter(evaluator: Evaluator, function: Node) -> Holder | None:
    """Returns the member whose getter a bundler's own code makes of a function, or None."""
    whole = outermost(function)
    up = whole.parent
    listed = outermost(up.parent) if isinstance(up, Pair) and up.parent is not None else whole
    call = call_with_argument(listed)
    return (
        _added_member(evaluator, call, function, written=False) if isinstance(call, CallExpression) else None
    )


def _member_of_literal(evaluator: Evaluator, literal: Node, member: Node, item: Node) -> Holder | None:
    """Returns a literal's member, or that of the object to which a call adds its members, or None."""
    call = call_with_argument(outermost(literal))
    added = _added_member(evaluator, call, item) if isinstance(call, CallExpression) else None
    if added is not None:
        return added
    name = key_of(evaluator, member)
    return (
        None if name is None or literal.type != "object" or member.has_token("set") else Holder(literal, name)
    )


def _member_of_class(evaluator: Evaluator, body: Node, member: Node) -> Holder | None:
    name = key_of(evaluator, member)
    if name is None or body.parent is None or member.has_token("set"):
        return None
    return Holder(body if member.has_token("static") else body.parent, name)


def _assigned_member(
    evaluator: Evaluator, assignment: AssignmentExpression, member: AccessExpression
) -> Holder | None:
    whole = outermost(assignment)
    up = whole.parent
    name, owner = key_of(evaluator, member), owner_at(evaluator, member.object)
    is_value_used = up is None or up.type not in {"expression_statement", "sequence_expression"}
    is_last = up is not None and up.type == "sequence_expression" and whole.is_last()
    is_statement = (
        is_last and up is not None and up.parent is not None and up.parent.type == "expression_statement"
    )
    if name is None or owner is None or is_value_used or (is_last and not is_statement):
        return None
    return Holder(owner, name)


def _added_member(
    evaluator: Evaluator, call: CallExpression, item: Node, *, written: bool = True
) -> Holder | None:
    """Returns the member that a call adds to its first argument with the item as getter or value, or None."""
    target = call.first_argument
    found = None if target is None or target.contains(item) else bundle_of(evaluator).added_properties(call)
    if target is None or found is None:
        return None
    for name, values in (*found.getters.items(), *(found.written.items() if written else ())):
        if any(innermost(each).same(innermost(item)) for each in values):
            owner = owner_at(evaluator, target)
            is_stored = owner is not None and not _calls_added_values(evaluator, call)
            return Holder(owner, name) if owner is not None and is_stored else None
    return None


def _calls_added_values(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether a function calls one of its arguments after the first, or a member of one."""
    callee = evaluator.definition_of(call.callee)
    parameters = callee.parameters if isinstance(callee, Function) else []
    for name in map(pattern_of, parameters[1:]):
        binding = evaluator.names.variable(name) if name.type == "identifier" else None
        for use in () if binding is None else binding.uses:
            whole = outermost(use.item)
            up = whole.parent
            place = up if isinstance(up, AccessExpression) and whole.is_field("object") else whole
            if call_of(place) is not None:
                return True
    return False


class Reads(Struct, frozen=True):
    """The places where a member of an object is read, and how far the object is visible beyond its script.

    `shared` are the names by which other scripts may read the member.
    """

    places: Sequence[Node]
    reach: Reach
    shared: frozenset[SharedMember] = frozenset()


class Uses(Struct, frozen=True):
    """The places where each member of an object is read, how far the object is visible, and its names."""

    by_name: Mapping[str, Sequence[Node]]
    reach: Reach
    shared: frozenset[SharedMember]

    def of(self, name: str) -> Reads:
        """Returns the reads of a member."""
        shared = frozenset(each.member(name) for each in self.shared)
        return Reads(self.by_name.get(name, ()), self.reach, shared)


class Visibility:
    """The visibility of one object, as it is followed: nothing may make it visible further than `within`."""

    def __init__(self, evaluator: Evaluator, owner: Node | None, within: Reach) -> None:
        self._evaluator = evaluator
        self._owner = owner
        self._within = within
        self._reach = Reach.SCRIPT
        self._shared: set[SharedMember] = set()

    def uses(self, by_name: Mapping[str, Sequence[Node]]) -> Uses:
        """Returns the reads of members, with the visibility of the object."""
        return Uses(by_name, self._reach, frozenset(self._shared))

    def add(self, reads: Reads, path: Sequence[str]) -> None:
        """Adds the visibility of a member that holds the object at a path."""
        self._reach |= reads.reach
        self._shared |= {SharedMember(each.name, (*each.path, *path)) for each in reads.shared}

    def allows(self, reach: Reach | None) -> bool:
        """Records how far the object is visible, and returns whether that is allowed."""
        self._reach |= reach or Reach.SCRIPT
        return reach is not None and reach in self._within

    def allows_name(self, shared: SharedMember) -> bool:
        """Records a name by which other scripts access the object, and returns whether any is allowed."""
        self._shared.add(shared)
        return self.allows(Reach.NAMED)

    def allows_variable(self, binding: Binding, *path: str) -> bool:
        """Does the same for a variable. `path` leads from its value to the object."""
        reach = reach_of(self._evaluator, binding)
        if reach == Reach.SCRIPT or Reach.NAMED not in self._within:
            return self.allows(reach)
        names = external_names(self._evaluator, binding, self._owner)
        return bool(names) and all(self.allows_name(SharedMember(each, path)) for each in names)
