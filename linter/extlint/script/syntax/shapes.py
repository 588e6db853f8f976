"""Shapes of syntax that many questions share: what parentheses hide, a call and its arguments."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.script.syntax.node import Node

WRAPPERS = frozenset(
    {"as_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression"}
)


def parameter_items(function: Node) -> list[Node]:
    """The parameters of a function as they are written; TypeScript's `this` is none."""
    alone = function.field("parameter")
    if alone is not None:
        return [alone]
    listed = function.field("parameters")
    if listed is None:
        return []
    return [each for each in listed.named() if not _is_this(each)]


def _is_this(parameter: Node) -> bool:
    pattern = parameter.field("pattern")
    return pattern is not None and pattern.type == "this"


def is_rest(parameter: Node) -> bool:
    """Whether a parameter takes all arguments that are left."""
    pattern = parameter.field("pattern") or parameter
    return pattern.type == "rest_pattern"


def has_default(parameter: Node) -> bool:
    """Whether a function does well without a parameter."""
    return (
        parameter.type in {"assignment_pattern", "optional_parameter"} or parameter.field("value") is not None
    )


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


def call_of(function: Node) -> Node | None:
    """The call that calls what this expression is, where it stands."""
    whole = outermost(function)
    up = whole.parent
    return up if up is not None and up.type == "call_expression" and whole.is_field("function") else None


def arguments_of(call: Node) -> list[Node]:
    """The arguments of a call; none for a tagged template and for `new` without parentheses."""
    listed = call.field("arguments")
    return [] if listed is None or listed.type != "arguments" else listed.named()


def first_argument(call: Node) -> Node | None:
    """The first argument of a call, if it has one."""
    return next(iter(arguments_of(call)), None)


def index_of(items: Sequence[Node], wanted: Node) -> int | None:
    """The place of a node in a list of nodes."""
    return next((at for at, each in enumerate(items) if each.same(wanted)), None)
