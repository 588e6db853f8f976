"""Syntax nodes that know their ancestors.

The parser's own `parent` searches from the root each time, so a node is reached by walking down
once, and every step down remembers the step before. Walks in source order share what they have in
common, which keeps deep and long files linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node as ParserNode
from tree_sitter import Tree

from extlint.text.patterns import lazy

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)
MEMBERS = frozenset({"member_expression", "subscript_expression"})
CLASSES = frozenset({"abstract_class_declaration", "class", "class_declaration"})
VARIABLE_SCOPES = FUNCTIONS | {"class_static_block", "internal_module", "module", "program"}
"""What a `var` belongs to."""

BLOCK_SCOPES = VARIABLE_SCOPES | {
    "catch_clause",
    "for_in_statement",
    "for_statement",
    "statement_block",
    "switch_body",
}
"""What a `let` or `const` belongs to."""

SCOPES = BLOCK_SCOPES | {"class"}

_WITH = lazy(rb"\bwith\s*\(")
_MODULE = frozenset({"export_statement", "import_statement"})

MAX_STEPS = 3_000_000
"""Steps down the tree that one script may cost."""

_BYTES_PER_STEP = 500

AWAIT_LENGTH = len("await")


class BudgetExceeded(Exception):  # noqa: N818
    """The script costs more to follow than it may."""


class Node:
    """A syntax node with its ancestors. Offsets are bytes."""

    __slots__ = ("_scope", "end", "node", "parent", "start", "type")

    def __init__(self, node: ParserNode, parent: Node | None) -> None:
        self.node = node
        self.parent = parent
        self._scope: Node | None = None
        self.type: str = node.type
        if self.type == "unary_expression" and _is_await(node):
            self.type = "await_expression"
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

    def field(self, name: str) -> Node | None:
        """The child in a field of the grammar, or None."""
        found = self.node.child_by_field_name(name)
        return None if found is None else Node(found, self)

    def named(self) -> list[Node]:
        """The named children, comments left out."""
        return [Node(child, self) for child in self.node.named_children if child.type != "comment"]

    def all(self) -> list[Node]:
        """Every child, punctuation too."""
        return [Node(child, self) for child in self.node.children]

    def has(self, token: str) -> bool:
        """Whether a child is this token or kind."""
        return any(child.type == token for child in self.node.children)

    def first(self) -> Node | None:
        """The first named child that is no comment."""
        return next(iter(self.named()), None)

    def is_field(self, name: str) -> bool:
        """Whether it is the child in that field of its parent."""
        if self.parent is None:
            return False
        found = self.parent.node.child_by_field_name(name)
        return found is not None and found.id == self.id

    def ancestors(self) -> Iterator[Node]:
        """Its parent, that one's parent, and so on to the root."""
        up = self.parent
        while up is not None:
            yield up
            up = up.parent

    @property
    def scope(self) -> Node:
        """The nearest ancestor that can hold declarations of its own; the root's is the root."""
        if self._scope is None:
            passed = [self]
            up = self.parent
            while up is not None and up._scope is None and up.type not in SCOPES:
                passed.append(up)
                up = up.parent
            found = passed[-1] if up is None else up if up.type in SCOPES else up._scope
            for each in passed:
                each._scope = found
        return self._scope or self

    def scopes(self) -> Iterator[Node]:
        """The scopes around it, innermost first, up to the root."""
        scope = self.scope
        while True:
            yield scope
            if scope.parent is None:
                return
            scope = scope.scope

    def contains(self, other: Node) -> bool:
        """Whether the other's text lies inside its own."""
        return self.start <= other.start and other.end <= self.end

    def same(self, other: Node) -> bool:
        """Whether both are the same node."""
        return self.node.id == other.node.id


def _is_await(node: ParserNode) -> bool:
    """Whether it is an `await` that the parser got as `!` and spaces; see `extlint.script.syntax.parse`."""
    operator, argument = node.child(0), node.child(1)
    if operator is None or argument is None or operator.type != "!":
        return False
    return argument.start_byte - operator.start_byte >= AWAIT_LENGTH and argument.type != "comment"


class SyntaxTree:
    """A parsed script."""

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.text = text
        self.root = Node(tree.root_node, None)
        self.has_eval = re.search(rb"\beval\s*\(", text) is not None
        """Whether it may call `eval`, which writes what it sees."""
        self.has_markup = False
        """Whether markup that is not seen here, that of a component, uses and writes its variables."""
        self._path = [self.root]
        self._steps = 0
        self._is_module: bool | None = None
        self._with: list[Node] | None = None

    @property
    def is_module(self) -> bool:
        """Whether it imports or exports, so that its variables are its own."""
        if self._is_module is None:
            self.spend(self.root.node.child_count)
            self._is_module = any(child.type in _MODULE for child in self.root.node.children)
        return self._is_module

    def in_with(self, item: Node) -> bool:
        """Whether a node stands in a `with` statement, where a name may mean anything."""
        if self._with is None:
            words = (self.leaf_at(found.start()).parent for found in _WITH.finditer(self.text))
            self._with = [up for up in words if up is not None and up.type == "with_statement"]
        return any(each.contains(item) for each in self._with)

    def spend(self, steps: int) -> None:
        """Counts work done. Raises BudgetExceeded when the script has cost all that it may."""
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise BudgetExceeded

    def spend_search(self, length: int) -> None:
        """Counts a search through so many bytes of the text. Raises BudgetExceeded like `spend`."""
        self.spend(length // _BYTES_PER_STEP)

    def source(self, item: Node) -> str:
        """The text of a node."""
        return self.text[item.start : item.end].decode("utf-8", "replace")

    def leaf_at(self, offset: int) -> Node:
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
            path.append(Node(found, path[-1]))
            steps += 1
        self.spend(steps + 1)
        return path[-1]

    def item_at(self, span: tuple[int, int]) -> Node | None:
        """The outermost node that has just this byte range; None if there is none."""
        found = None
        up: Node | None = self.leaf_at(span[0])
        while up is not None and up.start == span[0] and up.end <= span[1]:
            if up.end == span[1] and up.parent is not None:
                found = up
            up = up.parent
        return found


def parts(tree: SyntaxTree, item: Node) -> Iterator[Node]:
    """A node and all in it, what other functions do aside."""
    waiting = [item]
    while waiting:
        each = waiting.pop()
        tree.spend(1)
        yield each
        waiting += [part for part in each.named() if part.type not in FUNCTIONS]
