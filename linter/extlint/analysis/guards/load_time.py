"""Determines whether code certainly runs with its script or function, by a walk outward from its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from extlint.analysis.guards.early_exits import EarlyExits, ImpliedGuards
from extlint.analysis.scope.reaching_definitions import LOOPS
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import BinaryExpression
from extlint.analysis.syntax.shapes import BODIES, call_of, is_optional
from extlint.analysis.syntax.tree import SyntaxTree

T = TypeVar("T")


def compute_from_root(
    tree: SyntaxTree, item: Node, known: dict[int, T], outside: T, inside: Callable[[Node, T], T]
) -> T:
    """Returns the facts about a node, computed from the root down; `known` has those that were found before.

    `inside` returns the facts about a node, given those about its parent; `outside` are the facts around the
    root.
    """
    passed: list[Node] = []
    up: Node | None = item
    while up is not None and up.id not in known:
        passed.append(up)
        up = up.parent
    tree.spend(len(passed))
    found = outside if up is None else known[up.id]
    for each in reversed(passed):
        found = known[each.id] = inside(each, found)
    return found


_UNCERTAIN = LOOPS | {
    "catch_clause",
    "field_definition",
    "labeled_statement",
    "public_field_definition",
    "switch_body",
    "try_statement",
}

_LINKS = frozenset({"call_expression", "member_expression", "subscript_expression"})


class LoadTime:
    """Determines whether the places of one script run when it loads."""

    def __init__(self, tree: SyntaxTree, exits: EarlyExits) -> None:
        self._tree = tree
        self._exits = exits
        self._known: dict[int, bool] = {}
        self._optional: dict[int, bool] = {}
        """Whether chains of calls and accesses are optional, by the ids of their ends."""

    def certainly_runs(self, item: Node, implied: ImpliedGuards) -> bool:
        """Whether an expression certainly runs when the script loads."""
        return compute_from_root(self._tree, item, self._known, True, partial(self._runs, implied))

    def certainly_in_function(self, item: Node, implied: ImpliedGuards, part: Node | None = None) -> bool:
        """Whether an expression certainly runs when its function is called, or its script is loaded.

        With an enclosing `part` of the function: whether it certainly runs when that part does.
        """
        child = item
        for up in item.ancestors():
            self._tree.spend(1)
            if up.type in FUNCTIONS or (part is not None and child.same(part)):
                return True
            if not self._runs_with_parent(child, implied):
                return False
            child = up
        return True

    def _runs(self, implied: ImpliedGuards, child: Node, parent_runs: bool) -> bool:
        return parent_runs and self._runs_with_parent(child, implied)

    def _runs_with_parent(self, child: Node, implied: ImpliedGuards) -> bool:
        """Whether a node certainly runs if its parent does."""
        up = child.parent
        if up is None:
            return True
        if up.type in FUNCTIONS:
            return call_of(up) is not None
        if up.type in _UNCERTAIN:
            return False
        if child.type == "arguments":
            return not self._may_be_skipped(up)
        if up.type in {"if_statement", "ternary_expression"}:
            return child.is_field("condition")
        if isinstance(up, BinaryExpression):
            return not (child.is_field("right") and up.is_logical)
        if up.type not in BODIES:
            return True
        return self._exits.before(child, up, implied) is None and not self._exits.is_left_before(child, up)

    def _may_be_skipped(self, call: Node) -> bool:
        """Whether a call is a part of an optional chain, which may end before it: `x?.y.f()`."""
        passed: list[int] = []
        part: Node | None = call if self._tree.has_optional_chain else None
        found = False
        while part is not None and part.type in _LINKS:
            if part.id in self._optional:
                found = self._optional[part.id]
                break
            passed.append(part.id)
            self._tree.spend(1)
            if is_optional(part):
                found = True
                break
            part = part.first()
        self._optional.update(dict.fromkeys(passed, found))
        return found
