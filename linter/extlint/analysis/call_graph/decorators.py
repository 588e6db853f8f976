"""Determines whether a decorator may pass a class, or a member of it, to other code."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import CallExpression, Class, Function, ImportStatement
from extlint.analysis.values.evaluator import Evaluator


def may_be_passed_on(evaluator: Evaluator, declared: Node) -> bool:
    """Whether a decorator may pass a class, or a member of it, to other code.

    One of the program without arguments has no name of an event: it may only wrap the member.
    """
    found = _decorators_of(declared)
    if isinstance(declared, Class):
        return any(True for _ in found)
    return not all(_only_wraps(evaluator, each) for each in found)


def _decorators_of(declared: Node) -> Iterator[Node]:
    yield from (part for part in declared.named() if part.type == "decorator")
    before = declared.previous()
    while before is not None and before.type == "decorator":
        yield before
        before = before.previous()


def _only_wraps(evaluator: Evaluator, decorator: Node) -> bool:
    name = decorator.first()
    if isinstance(name, CallExpression):
        name = None if name.arguments else name.callee
    binding = evaluator.names.variable(name) if name is not None and name.type == "identifier" else None
    source = None if binding is None or len(binding.writes) != 1 else binding.writes[0].source
    if source is None or isinstance(source, Function):
        return source is not None
    statement = next((each for each in source.ancestors() if isinstance(each, ImportStatement)), None)
    module = None if statement is None else statement.source
    return module is not None and bool(evaluator.imported(evaluator.tree.source(module)[1:-1]))
