"""The variables of a script, their occurrences and the effects of their uses, and the places with the API."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Set
from enum import Enum
from typing import Any

from msgspec import Struct, field

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import LexicalDeclaration


class Role(Enum):
    """The role of an identifier."""

    DECLARATION = "declaration"
    WRITE = "write"
    REFERENCE = "reference"


class Identifier(Struct, frozen=True):
    """An occurrence of a variable's name.

    For a declaration, `source` is the node that supplies its value (a declarator, a parameter, a function …),
    `kind` is the sort of declaration, and `scope` is the scope in which it is visible. For a write, `source`
    is the assignment.
    """

    item: Node
    role: Role
    kind: str = ""
    source: Node | None = None
    scope: Node | None = None

    @property
    def is_constant(self) -> bool:
        """Whether it declares a variable that is never reassigned."""
        up = None if self.source is None else self.source.parent
        return isinstance(up, LexicalDeclaration) and up.kind == "const"


class Effects(Struct, eq=False):
    """The effects that a variable's uses have on the object it holds.

    `escapes` pass the object to other code, `part_escapes` pass parts of it or reorder its items, `items`
    pass its items, `returned` return it from a function. `writes` are the members that are assigned to,
    `changes` those that are written in other ways, `inner` those with a part that may be written. `derived`
    caches values computed from these effects.
    """

    escapes: list[Node] = field(default_factory=list)
    part_escapes: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    returned: list[Node] = field(default_factory=list)
    writes: list[Node] = field(default_factory=list)
    changes: list[Node] = field(default_factory=list)
    inner: list[Node] = field(default_factory=list)
    derived: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def is_harmless(self) -> bool:
        """Whether the object is never mutated and never escapes."""
        return not (
            self.returned
            or self.escapes
            or self.part_escapes
            or self.items
            or self.writes
            or self.changes
            or self.inner
        )


class Binding(Struct, eq=False):
    """A variable: its scope, its declarations and its other occurrences.

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
        """The identifiers that use the variable, without its declarations."""
        if self.known_uses is None:
            self.known_uses = self.find_uses()
        return self.known_uses


class ApiPlaces:
    """The byte offsets of these places, and the ids of the functions that return the API.

    If the functions are not known, every function that contains a place may be one.
    """

    def __init__(self, starts: Iterable[int], returning: Set[int] | None = None) -> None:
        self._starts = sorted(starts)
        self._returning = returning

    def is_in(self, item: Node) -> bool:
        """Whether the text of a node contains such a place."""
        at = bisect_left(self._starts, item.start)
        return at < len(self._starts) and self._starts[at] < item.end

    def may_be_returned_by(self, function: Node) -> bool:
        """Whether a function may return the API, or a result of the API."""
        return self.is_in(function) if self._returning is None else function.id in self._returning
