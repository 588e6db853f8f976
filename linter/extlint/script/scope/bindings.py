"""Names and the scopes that declare them, looked up one name at a time.

Only the occurrences of a name matter to resolve it: whatever shadows it is an occurrence of it too.
So nothing is computed for names that are never looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from msgspec import Struct, field

from extlint.script.scope.identifiers import Identifier, Role, classify
from extlint.script.scope.word_index import Words
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.tree import SyntaxTree
from extlint.text.positions import encoded


class Effects(Struct, eq=False):
    """What the uses of a variable do to the object it holds.

    `escapes` pass the object to other code, `part_escapes` pass parts of it or reorder its items, `items`
    pass its items; `writes` are the members that are assigned to, `changes` those that are written in other
    ways, `inner` those of which a part may be written. `derived` is what was worked out from them so far.
    """

    escapes: list[Node] = field(default_factory=list)
    part_escapes: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    writes: list[Node] = field(default_factory=list)
    changes: list[Node] = field(default_factory=list)
    inner: list[Node] = field(default_factory=list)
    derived: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def harmless(self) -> bool:
        """Whether the object is never mutated and never escapes."""
        return not (
            self.escapes or self.part_escapes or self.items or self.writes or self.changes or self.inner
        )


class Binding(Struct, eq=False):
    """A variable: where it is visible, what declares it, and where else it is named.

    `writes` are the declarations and every use that assigns to it.
    """

    name: str
    scope: Node
    declarations: list[Identifier]
    writes: list[Identifier]
    find_uses: Callable[[], list[Identifier]]
    effects: Effects | None = None
    known_uses: list[Identifier] | None = None

    @property
    def uses(self) -> list[Identifier]:
        """The identifiers that use it, without its declarations."""
        if self.known_uses is None:
            self.known_uses = self.find_uses()
        return self.known_uses


class NameResolver:
    """The variables of one script."""

    def __init__(self, tree: SyntaxTree) -> None:
        self.words = Words(tree)
        self._tree = tree
        self._classified: dict[int, Identifier | None] = {}
        self._declared: dict[tuple[str, int], dict[int, list[Identifier]]] = {}
        self._bindings: dict[tuple[str, int], Binding] = {}
        self._resolved: dict[tuple[str, int], Binding | None] = {}
        self._free: dict[str, list[Identifier]] = {}
        self._free_writes: dict[str, list[Identifier]] = {}

    def resolve(self, name: str, at: Node) -> Binding | None:
        """The variable that a name means at a place, or None for a global that nothing declares."""
        key = (name, at.scope.id)
        if key not in self._resolved:
            self._resolved[key] = self._looked_up(name, at)
        return self._resolved[key]

    def _looked_up(self, name: str, at: Node) -> Binding | None:
        inside: list[Node] = []
        for up in at.scopes():
            inside.append(up)
            if up.type in FUNCTIONS or up.parent is None:
                self._tree.spend(len(inside))
                declared = self._declared_in(name, up)
                for scope in inside if declared else ():
                    if scope.id in declared:
                        return self._binding(name, scope, declared)
                inside.clear()
        return None

    def variable(self, name: Node) -> Binding | None:
        """The variable that a name's node means; None for a global."""
        return self.resolve(self._tree.source(name), name)

    def free(self, name: str) -> list[Identifier]:
        """The places where a name is a global that nothing in the script declares."""
        if name not in self._free:
            with self._tree.budget.common():
                self._free[name] = [
                    each
                    for each in self.identifiers(name, self._tree.root)
                    if each.role is not Role.DECLARATION and self.resolve(name, each.item) is None
                ]
        return self._free[name]

    def free_writes(self, name: str) -> list[Identifier]:
        """The places where a global that nothing declares is assigned to."""
        if name not in self._free_writes:
            self._free_writes[name] = [each for each in self.free(name) if each.role is Role.WRITE]
        return self._free_writes[name]

    def global_variable(self, name: str) -> Binding | None:
        """The `var` or function at the top of the script, which is a property of the global object."""
        root = self._tree.root
        if self._tree.is_module:
            return None
        declared = self._declared_in(name, root)
        listed = declared.get(root.id, [])
        if not any(each.kind in {"var", "function"} for each in listed):
            return None
        return self._binding(name, root, declared)

    def identifiers(self, name: str, region: Node) -> list[Identifier]:
        """The places in a region where a name stands for a variable."""
        found = map(self.classify, self.words.names(name, region.start, region.end))
        return [each for each in found if each is not None]

    def _not_read(self, name: str, region: Node) -> Iterator[Identifier]:
        """The identifiers that may declare or write a name: one before a dot or bracket is only read."""
        text, length = self._tree.text, len(encoded(name))
        for at in self.words.names(name, region.start, region.end):
            if text[at + length : at + length + 1] not in {b".", b"["}:
                found = self.classify(at)
                if found is not None:
                    yield found

    def classify(self, offset: int) -> Identifier | None:
        """The identifier at an offset; None if there is no variable."""
        if offset not in self._classified:
            self._classified[offset] = classify(self._tree.leaf_at(offset), offset)
        return self._classified[offset]

    def _declared_in(self, name: str, region: Node) -> dict[int, list[Identifier]]:
        key = (name, region.id)
        if key not in self._declared:
            found: dict[int, list[Identifier]] = {}
            with self._tree.budget.common():
                for each in self._not_read(name, region):
                    if each.role is Role.DECLARATION and each.scope is not None:
                        found.setdefault(each.scope.id, []).append(each)
            self._declared[key] = found
        return self._declared[key]

    def _binding(self, name: str, scope: Node, declared: dict[int, list[Identifier]]) -> Binding:
        key = (name, scope.id)
        if key not in self._bindings:
            declarations = declared[scope.id]
            with self._tree.budget.common():
                assigned = [
                    each
                    for each in self._not_read(name, scope)
                    if each.role is Role.WRITE and not _shadowed(each.item, scope, declared)
                ]
            writes = sorted([*declarations, *assigned], key=lambda each: each.item.start)
            self._bindings[key] = Binding(
                name, scope, declarations, writes, lambda: self._uses(name, scope, declared)
            )
        return self._bindings[key]

    def _uses(self, name: str, scope: Node, declared: dict[int, list[Identifier]]) -> list[Identifier]:
        with self._tree.budget.common():
            return [
                each
                for each in self.identifiers(name, scope)
                if each.role is not Role.DECLARATION and not _shadowed(each.item, scope, declared)
            ]


def _shadowed(item: Node, scope: Node, declared: dict[int, list[Identifier]]) -> bool:
    wanted = scope.id
    up = item.scope
    while True:
        number = up.id
        if number == wanted:
            return False
        if number in declared or up.parent is None:
            return True
        up = up.scope
