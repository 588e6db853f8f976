"""From a place outward to the root of the tree, and back with what each node around it adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from extlint.script.syntax.node import Node
from extlint.script.syntax.tree import SyntaxTree

T = TypeVar("T")


def from_outside(
    tree: SyntaxTree, item: Node, known: dict[int, T], outside: T, inside: Callable[[Node, T], T]
) -> T:
    """What holds of a node, worked out from the root down; `known` has what was found before.

    `inside` says what holds of a node, given what holds of its parent; `outside` holds around the root.
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
