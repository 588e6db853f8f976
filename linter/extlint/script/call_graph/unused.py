"""Functions, classes and objects whose names nothing uses, so that the code in them never runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from extlint.script.call_graph.callers import (
    DEFAULT,
    declared_name,
    derived_by,
    exported_as,
    is_entered,
    member_of,
    owner_of,
    wrapped,
)
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import Class
from extlint.script.values.evaluator import Evaluator

_MAX_DEPTH = 8
"""Names that use one another that are followed."""

_NO_SCOPES = frozenset({"internal_module", "module"})
_LITERALS = frozenset({"object", "pair"})

IsNamed = Callable[[str], bool]
"""Whether any other script may use what this one exports by a name."""


class Unused:
    """Tells of places of one script whether they are in something that nothing uses."""

    def __init__(self, evaluator: Evaluator, is_named: IsNamed) -> None:
        self._evaluator = evaluator
        self._is_named = is_named
        self._known: dict[int, bool] = {}
        self._open: set[int] = set()

    def holds(self, place: Node) -> bool:
        """Whether a place is inside a function that nothing can call, as nothing uses its name.

        Or that of the class or object that has the function. Raises TooManyError.
        """
        tree = self._evaluator.tree
        is_known = not tree.has_markup and not tree.has_eval
        return is_known and any(self._is_unused(each) for each in self._holders(place))

    def _holders(self, place: Node) -> Iterator[Node]:
        """What somebody must name to reach a place: functions, classes and literals of objects."""
        child = place
        for up in place.ancestors():
            if is_entered(child, up):
                entered = wrapped(self._evaluator, up)
                yield entered
                member = member_of(entered)
                owner = None if member is None else owner_of(member)
                if member is not None and owner is not None and not _is_decorated(member):
                    yield _whole(owner)
            child = up

    def _is_unused(self, made: Node) -> bool:
        if made.id in self._known:
            return self._known[made.id]
        if made.id in self._open:
            return True
        if len(self._open) >= _MAX_DEPTH:
            return False
        self._open.add(made.id)
        try:
            found = self._has_no_use(made)
        finally:
            self._open.remove(made.id)
        if not self._open or not found:
            self._known[made.id] = found
        return found

    def _has_no_use(self, made: Node) -> bool:
        evaluator = self._evaluator
        name = declared_name(made)
        binding = None if name is None else evaluator.names.variable(name)
        if (
            binding is None
            or binding.scope.type in _NO_SCOPES
            or (isinstance(made, Class) and _is_decorated(made))
        ):
            return False
        if binding.scope.type == "program" and not evaluator.tree.is_module:
            return False
        if sum(each.kind != "other" for each in binding.declarations) != 1:
            return False
        exported: list[str] = []
        for each in (*binding.declarations, *binding.uses):
            known_as = exported_as(evaluator, each.item)
            if known_as is not None:
                exported.append(known_as)
            elif each.role is Role.REFERENCE and not made.contains(each.item) and self._runs(each.item):
                return False
        return DEFAULT not in exported and not any(map(self._is_named, exported))

    def _runs(self, use: Node) -> bool:
        """Whether a use may run; that by a class which extends another does nothing while nothing uses it."""
        derived = derived_by(use)
        return not (derived is not None and self._is_unused(derived)) and not self.holds(use)


def _whole(owner: Node) -> Node:
    """A class, or the outermost literal that an object is a part of."""
    if owner.type != "object":
        return owner
    whole = owner
    for up in owner.ancestors():
        if up.type not in _LITERALS:
            break
        whole = up
    return whole


def _is_decorated(declared: Node) -> bool:
    """Whether a decorator may hand a class, or a member of it, to somebody."""
    return any(
        each is not None and any(part.type == "decorator" for part in each.named())
        for each in (declared, declared.parent)
    )
