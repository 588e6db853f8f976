"""The variables of a script: occurrences by role, the effects of uses, and the places with the API.

The syntax around an identifier determines its role, and the scope of a declaration.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Set
from enum import Enum
from typing import Any

from msgspec import Struct, field

from extlint.analysis.syntax.node import BLOCK_SCOPES, CLASSES, FUNCTIONS, VARIABLE_SCOPES, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    CatchClause,
    Class,
    ExportSpecifier,
    ForInStatement,
    Function,
    ImportSpecifier,
    LexicalDeclaration,
    PairPattern,
    Parameter,
    UpdateExpression,
    VariableDeclarator,
)


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


_VARIABLES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern", "undefined"}
)

_NAMED = FUNCTIONS | CLASSES | {"enum_declaration", "function_signature", "internal_module", "module"}
_PATTERNS = frozenset({"array_pattern", "object_pattern", "rest_pattern"})


def _enclosing(node: Node, kinds: frozenset[str]) -> Node:
    """Returns the nearest enclosing scope of one of these kinds, or the root."""
    up = node.scope
    while up.type not in kinds and up.parent is not None:
        up = up.scope
    return up


def function_of(node: Node) -> Node:
    """Returns the function that a node's code belongs to, or the program."""
    return _enclosing(node, VARIABLE_SCOPES)


def classify(leaf: Node, offset: int) -> Identifier | None:
    """Returns the identifier at an offset, given the leaf there, or None if it does not name a variable."""
    if leaf.start != offset or leaf.parent is None:
        return None
    if leaf.type == "type_identifier":
        if isinstance(leaf.parent, Class) and leaf.is_field("name"):
            return _named_declaration(leaf, leaf.parent)
        return None
    if leaf.type not in _VARIABLES:
        return None
    child, up = leaf, leaf.parent
    while up.parent is not None:
        match up:
            case AssignmentPattern():
                goes_on = child.is_field("left")
            case PairPattern():
                goes_on = child.is_field("value")
            case Parameter():
                goes_on = child.is_field("pattern")
            case _ if up.type in _PATTERNS:
                goes_on = True
            case _:
                break
        if not goes_on:
            return Identifier(leaf, Role.REFERENCE)
        child, up = up, up.parent
    return _role(leaf, child, up)


def _role(name: Node, child: Node, up: Node) -> Identifier | None:
    """Returns the role of a name in the node `up`; `child` is the name or the pattern that contains it."""
    match up:
        case VariableDeclarator() if child.is_field("name"):
            return _declared_variable(name, up)
        case Function() if child.is_field("parameter"):
            return Identifier(name, Role.DECLARATION, "parameter", child, up)
        case CatchClause() if child.is_field("parameter"):
            return Identifier(name, Role.DECLARATION, "catch", up, up)
        case ForInStatement() if child.is_field("left"):
            return _loop_variable(name, up)
        case AssignmentExpression() if child.is_field("left"):
            return Identifier(name, Role.WRITE, "assignment", up)
        case AugmentedAssignment() if child.is_field("left"):
            return Identifier(name, Role.WRITE, "augmented", up)
        case UpdateExpression():
            return Identifier(name, Role.WRITE, "update", up)
        case ImportSpecifier():
            return _imported_name(name, up) if name.same(up.alias or up.name) else None
        case ExportSpecifier() if child.is_field("alias"):
            return None
    match up.type:
        case "formal_parameters":
            function = up.parent
            if not isinstance(function, Function):
                return None
            return Identifier(name, Role.DECLARATION, "parameter", child, function)
        case "import_clause" | "namespace_import" | "import_require_clause" | "import_alias":
            first = up.first()
            return _imported_name(name, up) if first is not None and first.same(name) else None
        case "type_query" | "nested_identifier" | "nested_type_identifier" | "type_predicate" | "asserts":
            return None
    if child.is_field("name") and up.type in _NAMED:
        return _named_declaration(name, up)
    return None if _is_in_type_name(child, up) else Identifier(name, Role.REFERENCE)


def _is_in_type_name(child: Node, up: Node | None) -> bool:
    """Whether a name is part of a type (`let x: typeof browser.tabs`, `import Tab = browser.tabs.Tab`)."""
    while isinstance(up, AccessExpression) and child.is_field("object"):
        child, up = up, up.parent
    return up is not None and up.type in {"nested_identifier", "type_query"}


def _loop_variable(name: Node, loop: ForInStatement) -> Identifier:
    if not loop.kind:
        return Identifier(name, Role.WRITE, "loop", loop)
    scope = function_of(loop) if loop.kind == "var" else loop
    return Identifier(name, Role.DECLARATION, "loop", loop, scope)


def _declared_variable(name: Node, declarator: Node) -> Identifier | None:
    statement = declarator.parent
    if statement is None or _is_ambient(statement):
        return None
    if statement.type == "variable_declaration":
        return Identifier(name, Role.DECLARATION, "var", declarator, function_of(declarator))
    return Identifier(name, Role.DECLARATION, "let", declarator, _enclosing(declarator, BLOCK_SCOPES))


def _named_declaration(name: Node, named: Node) -> Identifier | None:
    """Returns the declaration made by a named function, class, enum or module."""
    if _is_ambient(named):
        return None
    kind = "function" if isinstance(named, Function) else "class" if isinstance(named, Class) else "other"
    if named.type in {"function_expression", "generator_function", "class"}:
        scope = named
    elif kind == "function":
        scope = function_of(named)
    else:
        scope = _enclosing(named, BLOCK_SCOPES)
    return Identifier(name, Role.DECLARATION, kind, named, scope)


def _imported_name(name: Node, clause: Node) -> Identifier:
    return Identifier(name, Role.DECLARATION, "import", clause, _enclosing(clause, frozenset({"program"})))


def _is_ambient(declaration: Node) -> bool:
    """Whether a declaration is ambient: it only describes something that exists elsewhere (`declare …`)."""
    return declaration.parent is not None and declaration.parent.type == "ambient_declaration"
