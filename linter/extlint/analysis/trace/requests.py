"""Finds calls of the Web platform about requests that return promises: `fetch(url)`, `response.json()`."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AwaitExpression,
    CallExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of

_BODY_METHODS = frozenset({"arrayBuffer", "blob", "bytes", "formData", "json", "text"})


def calls_about_requests(evaluator: Evaluator) -> Iterator[CallExpression]:
    """Yields the calls of `fetch`, and those that read the body of a response in a constant."""
    for at in evaluator.tree.places.iter_offsets(b"fetch"):
        name = evaluator.tree.leaf_at(at)
        call = name.parent
        if not isinstance(call, CallExpression) or not call.callee.same(name):
            continue
        if not evaluator.names.is_global(name, {"fetch"}):
            continue
        yield call
        for use in _uses_of_response(evaluator, call):
            read = _read_of_body(evaluator, use)
            if read is not None:
                yield read


def _uses_of_response(evaluator: Evaluator, call: CallExpression) -> Iterator[Node]:
    awaited = outermost(call).parent
    declared = outermost(awaited).parent if isinstance(awaited, AwaitExpression) else None
    if isinstance(declared, VariableDeclarator):
        binding = evaluator.names.variable(declared.name)
        if binding is not None and len(binding.writes) == 1:
            yield from (each.item for each in binding.uses)


def _read_of_body(evaluator: Evaluator, response: Node) -> CallExpression | None:
    member = response.parent
    if not isinstance(member, AccessExpression) or key_of(evaluator, member) not in _BODY_METHODS:
        return None
    call = member.parent
    return call if isinstance(call, CallExpression) and call.callee.same(member) else None
