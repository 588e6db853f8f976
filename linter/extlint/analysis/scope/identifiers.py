"""Classifies identifiers by role: declaring, writing or reading a variable.

The surrounding syntax determines the role and the scope of a declaration.
"""

from __future__ import annotations

from extlint.analysis.scope.model import Identifier, Role
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
    PairPattern,
    Parameter,
    UpdateExpression,
    VariableDeclarator,
)

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
