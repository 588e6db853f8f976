"""Which parameters of a function are read in it."""

from __future__ import annotations

from msgspec.structs import replace

from extlint.script.facts.values import FunctionValue, Union, Value
from extlint.script.scope.identifiers import Role
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import Parameter
from extlint.script.syntax.shapes import parameter_items, pattern_of
from extlint.script.values.evaluator import Evaluator


def with_reads(evaluator: Evaluator, value: Value) -> Value:
    """The value; of a function of the script with those of its parameters that are certainly read."""
    if isinstance(value, Union):
        return replace(value, options=tuple(with_reads(evaluator, each) for each in value.options))
    if not isinstance(value, FunctionValue) or not value.parameters:
        return value
    function = evaluator.definition(value)
    if function is None:
        return value
    read = [each.span for each in parameter_items(function) if is_read(evaluator, each)]
    return replace(value, read=frozenset(read))


def is_read(evaluator: Evaluator, parameter: Node) -> bool:
    """Whether a function uses what it is passed for a parameter, and nothing else in its place.

    A pattern takes apart what it is given. A parameter that has a default, or that is assigned to, may hold
    something of the function's own. One whose type admits `undefined` is read by code that knows of that.
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
    return any(each.role is Role.REFERENCE for each in binding.uses)


_UNDEFINED = frozenset({"undefined", "void"})
_AROUND_TYPES = frozenset({"parenthesized_type", "type_annotation", "union_type"})


def _may_be_undefined(evaluator: Evaluator, annotation: Node | None) -> bool:
    """Whether TypeScript's type of a parameter has `undefined` or `void` among its alternatives."""
    waiting = [] if annotation is None else [annotation]
    while waiting:
        part = waiting.pop()
        if part.type in _AROUND_TYPES:
            waiting += part.named()
        elif evaluator.tree.source(part) in _UNDEFINED:
            return True
    return False
