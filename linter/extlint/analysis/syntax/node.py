"""Syntax nodes that know their ancestors.

The parser's own `parent` searches from the root each time, so nodes are reached by walking down
once, and every step down stores the previous one. Walks in source order share their common
ancestors, which keeps deep and long files linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from typing import TypeAlias

from tree_sitter import Language
from tree_sitter import Node as ParserNode

LOOPS = frozenset({"do_statement", "for_in_statement", "for_statement", "while_statement"})
"""The types of loops."""

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
DECLARED_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})
"""The functions that exist from the start of the block that contains them, wherever they are in it."""

MEMBERS = frozenset({"member_expression", "subscript_expression"})
CLASSES = frozenset({"abstract_class_declaration", "class", "class_declaration"})
VARIABLE_SCOPES = FUNCTIONS | {"class_static_block", "internal_module", "module", "program"}
"""The owner of a `var`."""

BLOCK_SCOPES = VARIABLE_SCOPES | {
    "catch_clause",
    "for_in_statement",
    "for_statement",
    "statement_block",
    "switch_body",
}
"""The owner of a `let` or `const`."""

SCOPES = BLOCK_SCOPES | {"class"}


NodeFactory: TypeAlias = "Callable[[ParserNode, Node | None, str, Kinds], Node]"

NODE_FACTORIES: dict[str, NodeFactory] = {}
"""The factories of the node types that have their own class. `nodes` fills this."""

Kinds: TypeAlias = "dict[int, tuple[NodeFactory, str]]"
"""The node kinds of one grammar by number: the factory of such a node, and its type.

All nodes of a type share one string with its name: no other part of a node is compared as often.
"""

_ERROR_KINDS = (0xFFFF, 0xFFFE)
"""The parser's numbers for errors in all grammars."""


@cache
def kinds_of(language: Language) -> Kinds:
    """Returns the node kinds of a grammar."""
    numbers = (*range(language.node_kind_count), *_ERROR_KINDS)
    names = {number: language.node_kind_for_id(number) for number in numbers}
    types = {name: name for name in names.values() if name}
    return {number: (NODE_FACTORIES.get(name, Node), types[name]) for number, name in names.items() if name}


class Node:
    """A syntax node with its ancestors. Offsets are bytes."""

    __slots__ = ("_scope", "end", "kinds", "node", "parent", "start", "type")

    def __init__(self, node: ParserNode, parent: Node | None, node_type: str, kinds: Kinds) -> None:
        self.node = node
        self.parent = parent
        self._scope: Node | None = None
        self.type = node_type
        self.kinds = kinds
        self.start: int = node.start_byte
        self.end: int = node.end_byte

    @property
    def id(self) -> int:
        """A number that is unique in the tree."""
        return self.node.id

    @property
    def span(self) -> tuple[int, int]:
        """Its byte range."""
        return (self.start, self.end)

    def field(self, name: str) -> Node | None:
        """Returns the child in a field of the grammar, or None.

        The classes in `nodes` have names for the fields.
        """
        found = self.node.child_by_field_name(name)
        if found is None:
            return None
        make, node_type = self.kinds[found.kind_id]
        return make(found, self, node_type, self.kinds)

    def named(self) -> list[Node]:
        """Returns the named children, without comments."""
        kinds = self.kinds
        found: list[Node] = []
        for child in self.node.named_children:
            make, node_type = kinds[child.kind_id]
            if node_type != "comment":
                found.append(make(child, self, node_type, kinds))
        return found

    def children(self) -> list[Node]:
        """Returns every child, including punctuation."""
        return [node_of(child, self, self.kinds) for child in self.node.children]

    def has_token(self, *tokens: str) -> bool:
        """Whether a child has one of these tokens or types."""
        kinds = self.kinds
        return any(kinds[child.kind_id][1] in tokens for child in self.node.children)

    def first(self) -> Node | None:
        """Returns the first named child that is not a comment."""
        kinds, node = self.kinds, self.node
        for index in range(node.named_child_count):
            child = node.named_child(index)
            if child is None:
                break
            make, node_type = kinds[child.kind_id]
            if node_type != "comment":
                return make(child, self, node_type, kinds)
        return None

    def last(self) -> Node | None:
        """Returns the last named child that is not a comment."""
        count = self.node.named_child_count
        found = self.node.named_child(count - 1) if count else None
        last = None if found is None else node_of(found, self, self.kinds)
        return last if last is None or last.type != "comment" else last.previous()

    def is_last(self) -> bool:
        """Whether no other named child of its parent follows it, except comments."""
        found = self.node.next_named_sibling
        while found is not None and self.kinds[found.kind_id][1] == "comment":
            found = found.next_named_sibling
        return found is None

    def previous(self) -> Node | None:
        """Returns the named node before it with the same parent, except comments."""
        found = self.node.prev_named_sibling
        while found is not None and self.kinds[found.kind_id][1] == "comment":
            found = found.prev_named_sibling
        return None if found is None else node_of(found, self.parent, self.kinds)

    def is_field(self, name: str) -> bool:
        """Whether the node is the child in that field of its parent."""
        if self.parent is None:
            return False
        return self.parent.node.child_by_field_name(name) == self.node

    def ancestors(self) -> Iterator[Node]:
        """Yields its parent, its grandparent and so on, up to the root."""
        up = self.parent
        while up is not None:
            yield up
            up = up.parent

    @property
    def scope(self) -> Node:
        """The nearest ancestor that can hold declarations; the root's is the root."""
        if self._scope is None:
            passed = [self]
            up = self.parent
            while up is not None and up._scope is None and up.type not in SCOPES:
                passed.append(up)
                up = up.parent
            found = passed[-1] if up is None else up if up.type in SCOPES else up._scope
            for each in passed:
                each._scope = None if each is found else found  # the root would reference itself
        return self._scope or self

    def scopes(self) -> Iterator[Node]:
        """Yields the enclosing scopes, innermost first, up to the root."""
        scope = self.scope
        while True:
            yield scope
            if scope.parent is None:
                return
            scope = scope.scope

    def contains(self, other: Node) -> bool:
        """Whether the other's text is within its own."""
        return self.start <= other.start and other.end <= self.end

    def same(self, other: Node) -> bool:
        """Whether both are the same node."""
        return self.id == other.id


class CompiledAsync(Enum):
    """The use that a compiler's helper makes of a generator emitted for an `async` function."""

    CALLED = "calls it without arguments"
    PASSED = "calls it with arguments"
    WRAPPED = "makes a function of it"


class Absent(Node):
    """A placeholder for a node that the grammar requires but the parser omitted, in broken code.

    It has no type, children or text; its position is the end of its parent. Every query about it returns the
    same result as for code that is not understood.
    """

    __slots__ = ()

    def __init__(self, parent: Node) -> None:
        self.parent = parent
        self._scope = None
        self.kinds = parent.kinds
        self.type = ""
        self.start = self.end = parent.end

    @property
    def id(self) -> int:
        """The id of its parent plus one: the parser's ids are even, as they are addresses."""
        return (0 if self.parent is None else self.parent.id) + 1

    def field(self, _name: str) -> Node | None:
        """None, because it has no fields."""
        return None

    def named(self) -> list[Node]:
        """An empty list, because it has no children."""
        return []

    def children(self) -> list[Node]:
        """An empty list, because it has no children."""
        return []

    def first(self) -> Node | None:
        """None, because it has no children."""
        return None

    def last(self) -> Node | None:
        """None, because it has no children."""
        return None

    def is_last(self) -> bool:
        """False, because its position is unknown."""
        return False

    def previous(self) -> Node | None:
        """None, because nothing is known about its position."""
        return None

    def has_token(self, *_tokens: str) -> bool:
        """False, because it has no children."""
        return False

    def is_field(self, _name: str) -> bool:
        """False, because its field is unknown."""
        return False


def node_of(node: ParserNode, parent: Node | None, kinds: Kinds) -> Node:
    """Wraps a parser node, with its parent, in the class for its type."""
    make, node_type = kinds[node.kind_id]
    return make(node, parent, node_type, kinds)
