"""A parsed script, with a budget for analyzing it."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Tree

from extlint.analysis.syntax.budget import Budget
from extlint.analysis.syntax.node import Node, kinds_of, node_of
from extlint.analysis.syntax.nodes import Function
from extlint.text.patterns import lazy
from extlint.text.word_search import WordOffsets

_WITH = {b"with": lazy(rb"with\s*\(")}
_EVAL = {
    b"eval": lazy(rb"(?:(?<!\.)|(?<=\.\.\.)|(?<=\bwindow\.)|(?<=\bself\.)|(?<=\bglobalThis\.))eval\s*\(")
}
_MODULE = frozenset({"export_statement", "import_statement"})

_BYTES_PER_STEP = 5_000

MAX_LEAVES_KEPT = 50_000
"""The most offsets of one script whose leaves are cached; nearby leaves are reached from them."""


class SyntaxTree:
    """A parsed script."""

    def __init__(self, text: bytes, tree: Tree, places: WordOffsets | None = None) -> None:
        self.text = text
        self.places = WordOffsets(text) if places is None else places
        self.root = node_of(tree.root_node, None, kinds_of(tree.language))
        self.has_markup = False
        """Whether a component's markup, which is not parsed, uses and writes the script's variables."""
        self._language = tree.language
        self._visited: list[int] = []
        self._leaves: dict[int, Node] = {}
        self.budget = Budget(len(text))
        self.spend = self.budget.spend
        """Counts steps of work on the script. Raises BudgetExceeded if the query has no steps left."""
        self._is_module: bool | None = None
        self._with: list[Node] | None = None

    @cached_property
    def may_have_types(self) -> bool:
        """Whether the script is parsed as TypeScript."""
        return self._language.id_for_node_kind("type_identifier", True) is not None

    @cached_property
    def has_eval(self) -> bool:
        """Whether the script may call `eval`, which can write any variable in scope."""
        return bool(self.places.spans_of(_EVAL))

    @cached_property
    def has_optional_chain(self) -> bool:
        """Whether the script may read, call or test something only if it exists: `x?.y`."""
        return b"?." in self.text

    def close(self) -> None:
        """Frees the nodes."""
        self._forget_leaves()
        self._with = None

    @property
    def is_module(self) -> bool:
        """Whether the script imports or exports, so that its variables are local to it."""
        if self._is_module is None:
            self.spend(self.root.node.child_count)
            self._is_module = any(child.type in _MODULE for child in self.root.node.children)
        return self._is_module

    def is_in_with_statement(self, node: Node) -> bool:
        """Whether a node is in a `with` statement, where a name may refer to anything."""
        if self._with is None:
            words = (self.leaf_at(start).parent for start, _ in self.places.spans_of(_WITH))
            self._with = [up for up in words if up is not None and up.type == "with_statement"]
        return any(each.contains(node) for each in self._with)

    def spend_search(self, length: int) -> None:
        """Counts a search through that many bytes of the text. Raises BudgetExceeded like `spend`."""
        self.spend(length // _BYTES_PER_STEP)

    def source(self, node: Node) -> str:
        """Returns the text of a node."""
        return self.text[node.start : node.end].decode("utf-8", "replace")

    def leaf_at(self, offset: int) -> Node:
        """Returns the innermost node that covers the byte at an offset."""
        known = self._leaves.get(offset)
        if known is not None:
            self.spend(1)
            return known
        leaf = self._descend(self._nearest_known_node(offset), offset)
        if len(self._visited) >= MAX_LEAVES_KEPT:
            self._forget_leaves()
        insort(self._visited, offset)
        self._leaves[offset] = leaf
        return leaf

    def _nearest_known_node(self, offset: int) -> Node:
        """Returns the innermost node that covers both an offset and the nearest visited one."""
        index = bisect_left(self._visited, offset)
        neighbors = self._visited[max(index - 1, 0) : index + 1]
        if not neighbors:
            return self.root
        up: Node | None = self._leaves[min(neighbors, key=lambda place: abs(place - offset))]
        while up is not None and not up.start <= offset < up.end:
            up = up.parent
        return up or self.root

    def _descend(self, node: Node, offset: int) -> Node:
        """Returns the leaf at an offset, starting from a node that covers it."""
        steps = 1
        kinds = node.kinds
        cursor = node.node.walk()
        while cursor.goto_first_child_for_byte(offset) is not None:
            found = cursor.node
            if found is None:
                break
            make, node_type = kinds[found.kind_id]
            child = make(found, node, node_type, kinds)
            if not child.start <= offset < child.end:
                break
            node = child
            steps += 1
        self.spend(steps)
        return node

    def _forget_leaves(self) -> None:
        self._visited.clear()
        self._leaves.clear()

    def item_at(self, span: tuple[int, int]) -> Node | None:
        """Returns the outermost node with exactly this byte range, or None."""
        found = None
        up: Node | None = self.leaf_at(span[0])
        while up is not None and up.start == span[0] and up.end <= span[1]:
            if up.end == span[1] and up.parent is not None:
                found = up
            up = up.parent
        return found


def nodes_outside_functions(tree: SyntaxTree, node: Node) -> Iterator[Node]:
    """Yields a node and its descendants, except those inside other functions."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        tree.spend(1)
        yield each
        waiting += [part for part in each.named() if not isinstance(part, Function)]
