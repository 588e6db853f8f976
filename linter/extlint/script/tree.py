"""Syntax nodes that know their ancestors.

The parser's own `parent` searches from the root each time, so a node is reached by walking down
once, and every step down remembers the step before. Walks in source order share what they have in
common, which keeps deep and long files linear.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node, Tree

MOST_STEPS = 5_000_000
"""Steps down the tree that one script may cost."""


class TooMuch(Exception):  # noqa: N818
    """The script costs more to follow than it may."""


class Item:
    """A syntax node with its ancestors. Offsets are bytes."""

    __slots__ = ("end", "node", "parent", "start", "type")

    def __init__(self, node: Node, parent: Item | None) -> None:
        self.node = node
        self.parent = parent
        self.type: str = node.type
        self.start: int = node.start_byte
        self.end: int = node.end_byte

    @property
    def id(self) -> int:
        """A number that no other node of the tree has."""
        return self.node.id

    @property
    def span(self) -> tuple[int, int]:
        """Its byte range."""
        return (self.start, self.end)

    def field(self, name: str) -> Item | None:
        """The child in a field of the grammar, or None."""
        found = self.node.child_by_field_name(name)
        return None if found is None else Item(found, self)

    def named(self) -> list[Item]:
        """The named children, comments left out."""
        return [Item(child, self) for child in self.node.named_children if child.type != "comment"]

    def all(self) -> list[Item]:
        """Every child, punctuation too."""
        return [Item(child, self) for child in self.node.children]

    def has(self, token: str) -> bool:
        """Whether a child is this token or kind."""
        return any(child.type == token for child in self.node.children)

    def first(self) -> Item | None:
        """The first named child that is no comment."""
        return next(iter(self.named()), None)

    def is_field(self, name: str) -> bool:
        """Whether it is the child in that field of its parent."""
        if self.parent is None:
            return False
        found = self.parent.node.child_by_field_name(name)
        return found is not None and found.id == self.id

    def ancestors(self) -> Iterator[Item]:
        """Its parent, that one's parent, and so on to the root."""
        up = self.parent
        while up is not None:
            yield up
            up = up.parent

    def contains(self, other: Item) -> bool:
        """Whether the other's text lies inside its own."""
        return self.start <= other.start and other.end <= self.end

    def same(self, other: Item) -> bool:
        """Whether both are the same node."""
        return self.node.id == other.node.id


class SyntaxTree:
    """A parsed script."""

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.text = text
        self.root = Item(tree.root_node, None)
        self._path = [self.root]
        self._steps = 0

    def spend(self, steps: int) -> None:
        """Counts work done. Raises TooMuch when the script has cost all that it may."""
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise TooMuch

    def source(self, item: Item) -> str:
        """The text of a node."""
        return self.text[item.start : item.end].decode("utf-8", "replace")

    def leaf_at(self, offset: int) -> Item:
        """The innermost node that covers the byte at an offset."""
        path = self._path
        while len(path) > 1 and not path[-1].start <= offset < path[-1].end:
            path.pop()
        steps = 0
        cursor = path[-1].node.walk()
        while cursor.goto_first_child_for_byte(offset) is not None:
            found = cursor.node
            if found is None or not found.start_byte <= offset < found.end_byte:
                break
            path.append(Item(found, path[-1]))
            steps += 1
        self.spend(steps + 1)
        return path[-1]
