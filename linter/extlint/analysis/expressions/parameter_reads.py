"""Determines which parameters a function reads."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.analysis.facts.values import FunctionValue, Kind, Literal, ObjectValue, Union, Value
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    Parameter,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import call_of, parameter_items, pattern_of
from extlint.analysis.values.evaluator import Evaluator


def with_reads(evaluator: Evaluator, value: Value) -> Value:
    """Returns the value, adding to each function of the script the parameters that it certainly reads.

    This includes the functions that are properties of an object.
    """
    if isinstance(value, Union):
        return replace(value, options=tuple(with_reads(evaluator, each) for each in value.options))
    if isinstance(value, ObjectValue):
        functions = {
            key: replace(each, value=with_reads(evaluator, each.value))
            for key, each in value.fields.items()
            if isinstance(each.value, FunctionValue)
        }
        return replace(value, fields={**value.fields, **functions}) if functions else value
    if not isinstance(value, FunctionValue) or not value.parameters:
        return value
    function = evaluator.definition(value)
    if function is None:
        return value
    read = [each.span for each in parameter_items(function) if is_read(evaluator, each)]
    return replace(value, read=frozenset(read))


def is_read(evaluator: Evaluator, parameter: Node) -> bool:
    """Whether a function certainly reads the argument of a parameter.

    A pattern reads its argument. A parameter with a default, or one that is assigned, may hold another
    value. Code that reads a parameter whose type allows `undefined`, that compares it with `undefined`, or
    that reads it with `?.` or `??`, expects that it may be missing.
    """
    pattern = pattern_of(parameter)
    if isinstance(parameter, Parameter):
        if parameter.value is not None:
            return False
        if pattern.type == "identifier" and _may_be_undefined(evaluator, parameter.annotation):
            return False
    if pattern.type != "identifier":
        return pattern.type in {"array_pattern", "object_pattern"}
    binding = evaluator.names.variable(pattern)
    if binding is None or any(each.role is Role.WRITE for each in binding.writes):
        return False
    reads = [each.item for each in binding.uses if each.role is Role.REFERENCE]
    return bool(reads) and not any(
        _has_alternative(each) or _is_compared_with_undefined(evaluator, each) for each in reads
    )


def _has_alternative(read: Node) -> bool:
    """Whether a variable is read in a way that is useful only if it may be undefined: `it?.id`, `it ?? 1`."""
    match read.parent:
        case BinaryExpression(operator="??"):
            return read.is_field("left")
        case AccessExpression() | CallExpression() as up if (
            read.is_field("object") or call_of(read) is not None
        ):
            return up.has_token("optional_chain") or up.has_token("?.")
    return False


_COMPARISONS = frozenset({"==", "!=", "===", "!=="})


def _is_compared_with_undefined(evaluator: Evaluator, read: Node) -> bool:
    """Whether a read of a variable is compared with undefined.

    Examples: `it === undefined`, `typeof it !== "undefined"`.
    """
    side, parent = read, read.parent
    by_type = isinstance(parent, UnaryExpression) and parent.operator == "typeof"
    if by_type and parent is not None:
        side, parent = parent, parent.parent
    if not isinstance(parent, BinaryExpression) or parent.operator not in _COMPARISONS:
        return False
    other = evaluator.possible.value(parent.right if side.same(parent.left) else parent.left)
    if not isinstance(other, Literal):
        return False
    return other.value == "undefined" if by_type else other.kind is Kind.UNDEFINED


_UNDEFINED = frozenset({"undefined", "void"})
_AROUND_TYPES = frozenset({"parenthesized_type", "type_annotation", "union_type"})


def _may_be_undefined(evaluator: Evaluator, annotation: Node | None) -> bool:
    """Whether the TypeScript type of a parameter is a union with `undefined` or `void`."""
    waiting = [] if annotation is None else [annotation]
    while waiting:
        part = waiting.pop()
        if part.type in _AROUND_TYPES:
            waiting += part.named()
        elif evaluator.tree.source(part) in _UNDEFINED:
            return True
    return False
