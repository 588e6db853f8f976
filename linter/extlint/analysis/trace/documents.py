"""Finds documents and elements: those of the page itself, and those in which no code runs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Function,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import returned_expressions
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import assignment_to, each_property_write, key_of
from extlint.text.patterns import lazy

_DOCUMENT = "document"
_MAX_VARIABLES = 4
"""The most variables between an object and the document that are followed."""


def is_part_of_document(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the global `document`, or derives from it by members and calls.

    Follows variables that are declared with such a value and never written again.
    """
    left = _MAX_VARIABLES
    root = _root(item)
    while root.type == "identifier":
        binding = evaluator.names.variable(root)
        if binding is None:
            name = evaluator.tree.source(root)
            return name == _DOCUMENT and not evaluator.names.free_writes(name)
        source = binding.writes[0].source if len(binding.writes) == 1 else None
        if not left or not isinstance(source, VariableDeclarator) or source.value is None:
            return False
        root, left = _root(source.value), left - 1
    return False


def _root(item: Node) -> Node:
    """Returns the expression at the start of a chain of members and calls."""
    root = innermost(item)
    while isinstance(root, AccessExpression | CallExpression):
        root = innermost(root.object if isinstance(root, AccessExpression) else root.callee)
    return root


MAX_STEPS = 6
"""The most variables, properties and functions that are followed to the origin of an element."""

_MAX_WRITES = 20
"""The most assignments to one of them that are examined."""

_MAX_ORIGINS = 200
"""The most expressions that are examined in total."""

_FACTORIES = frozenset(
    {"createDocument", "createHTMLDocument", "parseFromString", "parseHTML", "parseHTMLUnsafe"}
)
_MAY_CREATE = lazy(rb"\b(?:create(?:HTML)?Document|parseFromString|parseHTML(?:Unsafe)?|template)\b")


def may_be_inert(evaluator: Evaluator, item: Node) -> bool:
    """Whether a value may be a document without a window, an element of one, or a `<template>`.

    Sanitizers parse markup in such a document to inspect the result; handlers do not run there.
    """
    if not _may_create_any(evaluator):
        return False
    waiting, visited = [(item, 0)], set[int]()
    while waiting and len(visited) < _MAX_ORIGINS:
        each, steps = waiting.pop()
        each = innermost(each)
        if each.id in visited or steps > MAX_STEPS:
            continue
        visited.add(each.id)
        evaluator.tree.spend(1)
        if _is_creation(evaluator, each):
            return True
        waiting += ((origin, steps + 1) for origin in _origins(evaluator, each))
    return False


@once_per_script
def _may_create_any(evaluator: Evaluator) -> bool:
    return _MAY_CREATE.search(evaluator.tree.text) is not None


def _is_creation(evaluator: Evaluator, item: Node) -> bool:
    """Whether a call creates such a document or a `<template>`."""
    if not isinstance(item, CallExpression) or not isinstance(item.callee, AccessExpression):
        return False
    name, first = key_of(evaluator, item.callee), item.first_argument
    if name != "createElement" or first is None:
        return name in _FACTORIES
    tag_name = evaluator.text(first)
    return tag_name is not None and tag_name.lower() == "template"


def _origins(evaluator: Evaluator, item: Node) -> Iterator[Node]:
    """Yields the expressions that an element may come from."""
    match item:
        case AccessExpression():
            yield item.object
            name = key_of(evaluator, item)
            for place in () if name is None else islice(each_property_write(evaluator, name), _MAX_WRITES):
                assignment = assignment_to(place)
                if assignment is not None:
                    yield assignment.right
        case CallExpression(callee=AccessExpression() as callee):
            yield callee.object
        case CallExpression():
            definition = evaluator.definition_of(item.callee)
            if isinstance(definition, Function):
                yield from returned_expressions(evaluator, definition)
        case ConditionalExpression():
            yield from (item.consequence, item.alternative)
        case BinaryExpression():
            yield from (item.left, item.right)
        case AssignmentExpression():
            yield item.right
        case Node(type="identifier"):
            binding = evaluator.names.variable(item)
            for write in () if binding is None else binding.writes[:_MAX_WRITES]:
                source = write.source
                value = source.value if isinstance(source, VariableDeclarator) else source
                if isinstance(value, AssignmentExpression):
                    value = value.right
                if value is not None and write.kind != "parameter":
                    yield value
