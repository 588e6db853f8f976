"""How a function, class or object is defined: by which names it goes, and what it is a member of."""

from __future__ import annotations

from itertools import islice

from extlint.script.syntax.node import CompiledAsync, Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    Class,
    EnumDeclaration,
    ExportSpecifier,
    FieldDefinition,
    Function,
    MethodDefinition,
    Pair,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import call_of, call_with, compiled_async_of, outermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of

DEFAULT = "default"
"""The name of what a module exports by default."""

LITERALS = frozenset({"object", "pair"})

_WRAPPING = frozenset({"debounce", "memoize", "once", "throttle", "useCallback"})
"""Functions of libraries that return what calls their first argument, and do not call it themselves."""


def runs_separately(child: Node, up: Node) -> bool:
    """Whether a part of a node runs at another time than what is around the node."""
    if isinstance(up, Function):
        return call_of(up) is None
    return isinstance(up, FieldDefinition) and child.is_field("value") and not up.has("static")


def outermost_literal(literal: Node) -> Node:
    """The object literal that one is a part of, or that itself."""
    whole = literal
    for up in literal.ancestors():
        if up.type not in LITERALS:
            break
        whole = up
    return whole


def wrapped(evaluator: Evaluator, function: Node) -> Node:
    """The call that makes what is called instead of a function: `debounce(function)`."""
    while True:
        whole = outermost(function)
        call = call_with(whole)
        if not isinstance(call, CallExpression) or not call.arguments[0].same(whole):
            return function
        compiled = compiled_async_of(call)
        if compiled is None or compiled.use is not CompiledAsync.WRAPPED:
            callee = call.callee
            is_member = isinstance(callee, AccessExpression)
            name = key_of(evaluator, callee) if is_member else evaluator.tree.source(callee)
            if name not in _WRAPPING:
                return function
        function = call


def declared_name(made: Node) -> Node | None:
    """The variable that holds a function, class or object from the start."""
    if isinstance(made, Function | Class | EnumDeclaration) and made.type.endswith("_declaration"):
        return made.name
    whole = outermost(made)
    up = whole.parent
    if isinstance(up, VariableDeclarator) and whole.is_field("value"):
        return up.name if up.name.type == "identifier" else None
    return None


def exported_as(evaluator: Evaluator, name: Node) -> str | None:
    """The name by which a module exports a variable where it is named, or None if it does not there."""
    up = name.parent
    if isinstance(up, ExportSpecifier):
        return evaluator.tree.source(up.alias or name).strip("\"'")
    statement = next((each for each in islice(name.ancestors(), 3) if each.type == "export_statement"), None)
    if statement is None or (up is not None and up.type not in _EXPORTING):
        return None
    return DEFAULT if statement.has("default") else evaluator.tree.source(name)


_EXPORTING = frozenset(
    {
        "abstract_class_declaration",
        "class_declaration",
        "export_statement",
        "function_declaration",
        "generator_function_declaration",
        "variable_declarator",
    }
)


def member_definition(entered: Node) -> Node | None:
    """What gives a function its name as a property: a part of a class or object, or an assigned member."""
    if isinstance(entered, MethodDefinition | FieldDefinition):
        return entered
    whole = outermost(entered)
    match whole.parent:
        case AssignmentExpression(left=AccessExpression() as member) if whole.is_field("right"):
            return member
        case FieldDefinition() | Pair() as named if whole.is_field("value"):
            return named
    return None


def owner_of(member: Node) -> Node | None:
    """The class or object literal that a member stands in."""
    up = member.parent
    if up is None or up.type == "object":
        return up
    return up.parent if up.type == "class_body" else None
