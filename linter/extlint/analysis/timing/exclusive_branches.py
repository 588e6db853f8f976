"""Finds mutually exclusive branches of a function, which compare the same value with different literals.

if (message.type === "open") { … } if (message.type === "close") { … }
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.scope.reaching_definitions import LOOPS
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, BinaryExpression, Function, IfStatement
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import is_written
from extlint.analysis.values.property_names import key_of

_KINDS = frozenset({Kind.NUMBER, Kind.STRING})
_MAX_PARTS = 8


class ExclusiveBranches:
    """Compares nodes of one function."""

    def __init__(self, evaluator: Evaluator, function: Function) -> None:
        self._evaluator = evaluator
        self._function = function
        self._known: dict[int, list[tuple[object, Literal]]] = {}

    def are_exclusive(self, one: Node, other: Node) -> bool:
        """Whether at most one of two nodes runs in one call of the function."""
        known = dict(self._equalities(one))
        return bool(known) and any(
            subject in known and known[subject].kind is value.kind and known[subject].value != value.value
            for subject, value in self._equalities(other)
        )

    def _equalities(self, place: Node) -> list[tuple[object, Literal]]:
        """Returns the subjects that certainly equal a literal when a node runs, with that literal."""
        if place.id not in self._known:
            self._known[place.id] = [*self._implied_around(place)]
        return self._known[place.id]

    def _implied_around(self, place: Node) -> Iterator[tuple[object, Literal]]:
        evaluator, function = self._evaluator, self._function
        child = place
        while (up := child.parent) is not None and not up.same(function):
            if isinstance(up, IfStatement) and child.is_field("consequence"):
                for each in _conjuncts(up.condition):
                    if each.operator in {"==", "==="}:
                        yield from _equality(evaluator, each.left, each.right, function)
                        yield from _equality(evaluator, each.right, each.left, function)
            child = up


def _conjuncts(condition: Node) -> Iterator[BinaryExpression]:
    """Yields the comparisons that must all be true for a condition to be true."""
    waiting = [condition]
    while waiting:
        item = innermost(waiting.pop())
        if isinstance(item, BinaryExpression):
            if item.operator == "&&":
                waiting += [item.right, item.left]
            else:
                yield item


def _equality(
    evaluator: Evaluator, subject: Node, value: Node, function: Function
) -> Iterator[tuple[object, Literal]]:
    found = evaluator.value(innermost(value))
    if isinstance(found, Literal) and found.kind in _KINDS:
        key = _identity(evaluator, innermost(subject), function)
        if key is not None:
            yield key, found


def _identity(evaluator: Evaluator, subject: Node, function: Function) -> object | None:
    """Returns a key for a variable or a property of one, or None if its value may change during a call."""
    names: list[str] = []
    while isinstance(subject, AccessExpression) and len(names) < _MAX_PARTS:
        name = key_of(evaluator, subject)
        if name is None or is_written(evaluator, name):
            return None
        names.append(name)
        subject = innermost(subject.object)
    binding = evaluator.names.variable(subject) if subject.type == "identifier" else None
    if binding is None or len(binding.writes) != 1 or len(binding.declarations) != 1:
        return None
    declared = binding.declarations[0].item
    inside = takewhile(lambda each: not each.same(function), declared.ancestors())
    return None if any(each.type in LOOPS for each in inside) else (declared.id, *names)
