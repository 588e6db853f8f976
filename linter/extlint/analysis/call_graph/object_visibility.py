"""How far an object is visible beyond its script, and the names by which other scripts access it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from extlint.analysis.call_graph.entry_points import SharedMember
from extlint.analysis.call_graph.object_owners import Reach, reach_of
from extlint.analysis.call_graph.variable_uses import external_names
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator


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
