"""A parsed script, with a budget that bounds the work, and so the time, of analyzing it.

Work is counted in steps. Each query has its own budget, so that a query that is too hard costs only its own
result: it may use a share of the remaining total, which is linear in the length of the script.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Tree

from extlint.analysis.syntax.node import Node, kinds_of, node_of
from extlint.analysis.syntax.nodes import Function
from extlint.text.patterns import lazy
from extlint.text.word_search import WordOffsets

MAX_STEPS = 3_000_000
"""The total for an empty script."""

MAX_STEPS_PER_BYTE = 6
"""The steps that each byte of a script adds to the total. Real scripts use two on average."""

MIN_STEPS_PER_QUERY = 2_000
"""The smallest budget of a query, as long as any steps remain."""

MAX_STEPS_PER_QUERY = 360_000
"""The largest budget of a query. Code that takes more is not something its author understands either."""

_SHARE = 8
"""A query may use one part in this many of the remaining total."""

_PART = 3 / 4
"""The fraction of a query's remaining budget that an optional part of it may use."""


class BudgetExceeded(Exception):  # noqa: N818
    """A query takes too much work."""


class Budget:
    """The remaining steps for one script and for its current query."""

    def __init__(self, length: int) -> None:
        self.spent = 0
        self.total = MAX_STEPS + MAX_STEPS_PER_BYTE * length
        self.limit = self.total

    def spend(self, steps: int) -> None:
        """Counts steps. Raises BudgetExceeded if the query has no steps left."""
        self.spent += steps
        if self.spent > self.limit:
            raise BudgetExceeded

    def query(self) -> _Limited:
        """Gives a query its own budget. Its steps do not count towards the enclosing query."""
        share = min(MAX_STEPS_PER_QUERY, (self.total - self.spent) // _SHARE)
        share = max(MIN_STEPS_PER_QUERY, share)
        return _Limited(self, min(self.total, self.spent + share))

    def optional_part(self) -> _Part:
        """Limits an optional part of a query, so that some budget remains for the rest of it."""
        return _Part(self)

    def shared_work(self) -> _Limited:
        """Counts work that is shared by all queries towards the total only, not towards any query."""
        return _Limited(self, self.total)


class _Part:
    """The limit of an optional part, which applies while this context is open."""

    __slots__ = ("_budget", "_limit", "_outer")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._outer = budget.limit
        self._limit = budget.spent + int(max(budget.limit - budget.spent, 0) * _PART)

    def __enter__(self) -> None:
        self._budget.limit = self._limit

    def __exit__(self, *_: object) -> None:
        budget = self._budget
        budget.limit = min(budget.total, self._outer + budget.limit - self._limit)


class _Limited:
    """A limit that applies while this context is open and does not reduce the previous limit."""

    __slots__ = ("_budget", "_limit", "_outer", "_start")

    def __init__(self, budget: Budget, limit: int) -> None:
        self._budget = budget
        self._limit = limit
        self._outer = self._start = 0

    def __enter__(self) -> None:
        budget = self._budget
        self._outer, self._start, budget.limit = budget.limit, budget.spent, self._limit

    def __exit__(self, *_: object) -> None:
        budget = self._budget
        budget.limit = min(budget.total, self._outer + budget.spent - self._start)


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
