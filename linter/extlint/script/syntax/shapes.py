"""Common syntactic queries: what parentheses enclose, the arguments of a call, the name of a declaration."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.script.syntax.node import CompiledAsync, Node
from extlint.script.syntax.nodes import (
    AssignmentExpression,
    AssignmentPattern,
    CallExpression,
    CallOrNewExpression,
    CompiledAsyncFunction,
    Function,
    PairPattern,
    Parameter,
    VariableDeclarator,
)

WRAPPERS = frozenset(
    {"as_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression"}
)


def parameter_items(function: Node) -> list[Node]:
    """The parameters of a function as they are written; none if it is no function."""
    return function.parameters if isinstance(function, Function) else []


def pattern_of(parameter: Node) -> Node:
    """What a parameter binds: a name, or a pattern."""
    return parameter.pattern if isinstance(parameter, Parameter) else parameter


def pattern_and_default(parameter: Node) -> tuple[Node, Node | None]:
    """What a parameter binds, and its default if it has one."""
    match parameter:
        case Parameter():
            return parameter.pattern, parameter.value
        case AssignmentPattern():
            return parameter.left, parameter.right
    return parameter, None


def declared_name(declaration: Node) -> Node | None:
    """The name that a declaration of a function, class, enum or type binds, if it has one."""
    return declaration.field("name")


def target_of(part: Node) -> Node:
    """What a part of a pattern binds: the target after a colon, or before a default."""
    match part:
        case PairPattern():
            return part.value
        case AssignmentPattern():
            return part.left
    return part


def is_rest(parameter: Node) -> bool:
    """Whether it is a rest parameter."""
    return pattern_of(parameter).type == "rest_pattern"


def has_default(parameter: Node) -> bool:
    """Whether a parameter is optional."""
    if isinstance(parameter, Parameter):
        return parameter.type == "optional_parameter" or parameter.value is not None
    return isinstance(parameter, AssignmentPattern)


def assigned_parts(source: Node) -> tuple[Node, Node | None] | None:
    """The name or pattern that a declarator or an assignment writes, and the value if there is one.

    None of any other node.
    """
    if isinstance(source, VariableDeclarator):
        return source.name, source.value
    return (source.left, source.right) if isinstance(source, AssignmentExpression) else None


def outermost(expression: Node) -> Node:
    """The expression with the parentheses and type annotations around it."""
    while expression.parent is not None and expression.parent.type in WRAPPERS:
        expression = expression.parent
    return expression


def innermost(expression: Node) -> Node:
    """The expression inside the parentheses and type annotations."""
    while expression.type in WRAPPERS and (inner := expression.first()) is not None:
        expression = inner
    return expression


def function_around(node: Node) -> Function | None:
    """The innermost function that a node stands in, also among its parameters; None at the top level."""
    return next((each for each in node.scopes() if isinstance(each, Function)), None)


def call_of(function: Node) -> CallExpression | None:
    """The call that calls what this expression is, where it stands, or has the helper of a compiler do so."""
    whole = outermost(function)
    up = whole.parent
    if isinstance(function, CompiledAsyncFunction) and function.use is not CompiledAsync.PASSED:
        taker = call_with(whole)
        if not isinstance(taker, CallExpression):
            return None
        return taker if function.use is CompiledAsync.CALLED else call_of(taker)
    return up if isinstance(up, CallExpression) and whole.is_field("function") else None


def compiled_async_of(call: CallOrNewExpression) -> CompiledAsyncFunction | None:
    """The generator that stands for an `async` function in a call of the helper of a compiler."""
    listed = call.node.child_by_field_name("arguments")
    count = 0 if listed is None else listed.named_child_count
    last = None if listed is None or not count else listed.named_child(count - 1)
    if last is None or last.type not in {"generator_function", "parenthesized_expression"}:
        return None
    found = innermost(call.arguments[-1])
    return found if isinstance(found, CompiledAsyncFunction) else None


def call_with(argument: Node) -> CallOrNewExpression | None:
    """The call, or the making of an instance, of which this whole expression is an argument."""
    listed = argument.parent
    if listed is None or listed.type != "arguments":
        return None
    return listed.parent if isinstance(listed.parent, CallOrNewExpression) else None


def arguments_of(call: Node) -> list[Node]:
    """The arguments of a call; none for a tagged template and for `new` without parentheses."""
    return call.arguments if isinstance(call, CallOrNewExpression) else []


def first_argument(call: Node) -> Node | None:
    """The first argument of a call, if it has one."""
    return next(iter(arguments_of(call)), None)


def index_of(nodes: Sequence[Node], wanted: Node) -> int | None:
    """The place of a node in a list of nodes."""
    return next((at for at, each in enumerate(nodes) if each.same(wanted)), None)
