"""Walks from a place outward to the tree's root, and back with the facts that each node around it adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from extlint.analysis.syntax.node import Node
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
