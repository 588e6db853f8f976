"""What an occurrence of a name does: it declares a variable, writes one, or reads one.

The syntax around it tells, and says in which scope a declaration is visible.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.script.syntax.node import BLOCK_SCOPES, CLASSES, FUNCTIONS, MEMBERS, VARIABLE_SCOPES, Node

_VARIABLES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern", "undefined"}
)

_OTHER_NAMED = frozenset({"enum_declaration", "function_signature", "internal_module", "module"})
_PATTERNS = frozenset({"array_pattern", "object_pattern", "rest_pattern"})


class Role(Enum):
    """What an occurrence of a name does."""

    DECLARATION = "declaration"
    WRITE = "write"
    REFERENCE = "reference"


class Identifier(Struct, frozen=True):
    """A place where a variable's name stands.

    For a declaration `source` is the node that gives it its value (a declarator, a parameter, a
    function …), `kind` says which sort it is, and `scope` is where it is visible. For a write
    `source` is the assignment.
    """

    item: Node
    role: Role
    kind: str = ""
    source: Node | None = None
    scope: Node | None = None

    @property
    def constant(self) -> bool:
        """Whether it declares what is never assigned to again."""
        up = None if self.source is None else self.source.parent
        if up is None or up.type != "lexical_declaration":
            return False
        kind = up.field("kind")
        return kind is not None and kind.type == "const"


def _enclosing(item: Node, kinds: frozenset[str]) -> Node:
    """The nearest scope of one of these kinds around a node, or the root."""
    up = item
    for up in item.scopes():
        if up.type in kinds:
            break
    return up


def function_of(item: Node) -> Node:
    """The function that a node's code belongs to, or the program."""
    return _enclosing(item, VARIABLE_SCOPES)


def classify(item: Node, offset: int) -> Identifier | None:
    """What the name at an offset does, told by the leaf there; None if it is no variable."""
    if item.start != offset or item.parent is None:
        return None
    if item.type == "type_identifier":
        if item.parent.type in CLASSES and item.is_field("name"):
            return _declared_by(item, item.parent)
        return None
    if item.type not in _VARIABLES:
        return None
    child, up = item, item.parent
    while True:
        parent = up.parent
        if up.type in _PATTERNS and parent is not None:
            child, up = up, parent
            continue
        if up.type in {"assignment_pattern", "object_assignment_pattern"} and parent is not None:
            if not child.is_field("left"):
                return Identifier(item, Role.REFERENCE)
            child, up = up, parent
            continue
        if up.type == "pair_pattern" and parent is not None:
            if not child.is_field("value"):
                return Identifier(item, Role.REFERENCE)
            child, up = up, parent
            continue
        if up.type in {"required_parameter", "optional_parameter"} and parent is not None:
            if not child.is_field("pattern"):
                return Identifier(item, Role.REFERENCE)
            child, up = up, parent
            continue
        return _role(item, child, up)


def _role(item: Node, child: Node, up: Node) -> Identifier | None:
    match up.type:
        case "variable_declarator" if child.is_field("name"):
            return _declared_variable(item, up)
        case "formal_parameters":
            function = up.parent
            if function is None or function.type not in FUNCTIONS:
                return None
            return Identifier(item, Role.DECLARATION, "parameter", child, function)
        case "arrow_function" if child.is_field("parameter"):
            return Identifier(item, Role.DECLARATION, "parameter", child, up)
        case "catch_clause" if child.is_field("parameter"):
            return Identifier(item, Role.DECLARATION, "catch", up, up)
        case "for_in_statement" if child.is_field("left"):
            kind = up.field("kind")
            if kind is None:
                return Identifier(item, Role.WRITE, "loop", up)
            scope = function_of(up) if kind.type == "var" else up
            return Identifier(item, Role.DECLARATION, "loop", up, scope)
        case "assignment_expression" if child.is_field("left"):
            return Identifier(item, Role.WRITE, "assignment", up)
        case "augmented_assignment_expression" if child.is_field("left"):
            return Identifier(item, Role.WRITE, "augmented", up)
        case "update_expression":
            return Identifier(item, Role.WRITE, "update", up)
        case "import_specifier":
            alias = up.field("alias")
            return _imported(item, up) if alias is None or alias.same(item) else None
        case "import_clause" | "namespace_import" | "import_require_clause" | "import_alias":
            first = up.first()
            return _imported(item, up) if first is not None and first.same(item) else None
        case "export_specifier" if child.is_field("alias"):
            return None
        case "type_query" | "nested_identifier" | "nested_type_identifier" | "type_predicate" | "asserts":
            return None
    if child.is_field("name") and (up.type in FUNCTIONS | CLASSES or up.type in _OTHER_NAMED):
        return _declared_by(item, up)
    return None if _in_type_query(child, up) else Identifier(item, Role.REFERENCE)


def _in_type_query(child: Node, up: Node | None) -> bool:
    """Whether a name is a type's (`let x: typeof browser.tabs`)."""
    while up is not None and up.type in MEMBERS and child.is_field("object"):
        child, up = up, up.parent
    return up is not None and up.type == "type_query"


def _declared_variable(item: Node, declarator: Node) -> Identifier | None:
    statement = declarator.parent
    if statement is None or _is_ambient(statement):
        return None
    if statement.type == "variable_declaration":
        return Identifier(item, Role.DECLARATION, "var", declarator, function_of(declarator))
    return Identifier(item, Role.DECLARATION, "let", declarator, _enclosing(declarator, BLOCK_SCOPES))


def _declared_by(item: Node, named: Node) -> Identifier | None:
    """A function, class, enum or module that carries its own name."""
    if _is_ambient(named):
        return None
    kind = "function" if named.type in FUNCTIONS else "class" if named.type in CLASSES else "other"
    if named.type in {"function_expression", "generator_function", "class"}:
        scope = named
    elif kind == "function":
        scope = function_of(named)
    else:
        scope = _enclosing(named, BLOCK_SCOPES)
    return Identifier(item, Role.DECLARATION, kind, named, scope)


def _imported(item: Node, clause: Node) -> Identifier:
    return Identifier(item, Role.DECLARATION, "import", clause, _enclosing(clause, frozenset({"program"})))


def _is_ambient(item: Node) -> bool:
    """Whether a declaration only tells TypeScript of something that exists elsewhere (`declare …`)."""
    return item.parent is not None and item.parent.type == "ambient_declaration"
