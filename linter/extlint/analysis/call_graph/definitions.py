"""Finds the definition of a function, class or object: its names, and the owner that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import CompiledAsync, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    CallExpression,
    Class,
    EnumDeclaration,
    ExportSpecifier,
    FieldDefinition,
    Function,
    MemberExpression,
    MethodDefinition,
    NewExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_of, call_with_argument, compiled_async_of, outermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.api_results import ITERATION_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements
from extlint.analysis.values.property_index import key_of

DEFAULT = "default"
"""The name of the default export."""

LITERALS = frozenset({"object", "pair"})

_WRAPPING = frozenset({"debounce", "memoize", "once", "throttle", "useCallback"})
"""Library functions that return a wrapper of their first argument, and do not call it themselves."""


def runs_separately(child: Node, up: Node) -> bool:
    """Whether a part of a node runs at a different time than the code around the node."""
    if isinstance(up, Function):
        return call_of(up) is None
    return isinstance(up, FieldDefinition) and child.is_field("value") and not up.has_token("static")


def throws_in_place(tree: SyntaxTree, function: Node) -> bool:
    """Whether the exceptions of a function are thrown where it is passed.

    It is called at once for each item of a list, or a promise that it creates is awaited, or returned for
    callers to await.
    """
    call = call_with_argument(outermost(function))
    if isinstance(call, NewExpression):
        whole = outermost(call)
        up = whole.parent
        is_passed_on = (
            isinstance(up, AwaitExpression)
            or (up is not None and up.type == "return_statement")
            or (isinstance(up, Function) and whole.is_field("body"))
        )
        return tree.source(call.callee) == "Promise" and is_passed_on
    method = call.callee.property if call is not None and isinstance(call.callee, MemberExpression) else None
    is_iteration = method is not None and tree.source(method) in ITERATION_METHODS
    return is_iteration and isinstance(function, Function) and not function.has_token("async")


def literals_around(literal: Node) -> Iterator[Node]:
    """Yields an object literal, and those that contain it as a member, up to the outermost one."""
    yield literal
    for up in literal.ancestors():
        if up.type not in LITERALS:
            break
        if up.type == "object":
            yield up


def outermost_literal(literal: Node) -> Node:
    """Returns the outermost object literal that contains a literal, or the literal itself."""
    *_, whole = literals_around(literal)
    return whole


def outermost_wrapper(evaluator: Evaluator, function: Node) -> Node:
    """Returns the call that a function is the result of, or the function itself.

    The call wraps the function, `debounce(function)`, or returns it: `(() => { …; return function; })()`.
    """
    while (call := _wrapping_call(evaluator, function) or _returning_call(evaluator, function)) is not None:
        function = call
    return function


def _wrapping_call(evaluator: Evaluator, function: Node) -> CallExpression | None:
    whole = outermost(function)
    call = call_with_argument(whole)
    if not isinstance(call, CallExpression) or not call.arguments[0].same(whole):
        return None
    compiled = compiled_async_of(call)
    if compiled is not None and compiled.use is CompiledAsync.WRAPPED:
        return call
    callee = call.callee
    is_member = isinstance(callee, AccessExpression)
    name = key_of(evaluator, callee) if is_member else evaluator.tree.source(callee)
    return call if name in _WRAPPING else None


def _returning_call(evaluator: Evaluator, function: Node) -> CallExpression | None:
    """Returns the immediate call of a function that always returns the given one, or None."""
    whole = outermost(function)
    up = whole.parent
    if up is not None and up.type == "return_statement" and up.parent is not None:
        body = up.parent
        up = body.parent
        if body.type != "statement_block" or len(return_statements(evaluator, body)) != 1:
            return None
    elif not whole.is_field("body"):
        return None
    if not isinstance(up, Function) or up.has_token("async") or up.has_token("*"):
        return None
    return call_of(up)


def declared_name(definition: Node) -> Node | None:
    """Returns the variable that initially holds a function, class or object, or None."""
    if isinstance(definition, Function | Class | EnumDeclaration) and definition.type.endswith(
        "_declaration"
    ):
        return definition.name
    whole = outermost(definition)
    up = whole.parent
    if isinstance(up, VariableDeclarator) and whole.is_field("value"):
        return up.name if up.name.type == "identifier" else None
    return None


def declared_variable(evaluator: Evaluator, definition: Node) -> Binding | None:
    """Returns the variable that `declared_name` names, or None."""
    name = declared_name(definition)
    return None if name is None else evaluator.names.variable(name)


def exported_as(evaluator: Evaluator, name: Node) -> str | None:
    """Returns the name by which a module exports a variable at a reference to it.

    Returns None if it does not there.
    """
    up = name.parent
    if isinstance(up, ExportSpecifier):
        return evaluator.tree.source(up.alias or name).strip("\"'")
    statement = next((each for each in islice(name.ancestors(), 3) if each.type == "export_statement"), None)
    if statement is None or (up is not None and up.type not in _EXPORTING):
        return None
    return DEFAULT if statement.has_token("default") else evaluator.tree.source(name)


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
    """Returns the definition that names a function, or None.

    It is a property, a part of a class or object, or an assigned member.
    """
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
    """Returns the class or object literal that contains a member, or None."""
    up = member.parent
    if up is None or up.type == "object":
        return up
    return up.parent if up.type == "class_body" else None


def literal_with(member: Node) -> Node | None:
    """Returns the outermost object literal that contains a member, or None."""
    owner = owner_of(member)
    return outermost_literal(owner) if owner is not None and owner.type == "object" else None
