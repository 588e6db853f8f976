"""Finds what conditions around a node say about values that do not change during a call of its function.

if (message.type === "open") { … } if (message.type === "close" && message.save) { … }

The two branches are mutually exclusive, and the second one only runs if the message has the field `save`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TypeAlias

from extlint.analysis.facts.events import MessageTest
from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    Function,
    SwitchCase,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import (
    EQUAL,
    UNEQUAL,
    conditions_of,
    exits_block,
    innermost,
    required_parts,
    swapped,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import is_written, key_of

_KINDS = frozenset({Kind.NUMBER, Kind.STRING})
_MAX_PARTS = 8

_Subject: TypeAlias = tuple[int, tuple[str, ...]]
"""The declaration of a variable, and the names that lead to a property of it."""


class ExclusiveBranches:
    """Compares nodes of one function."""

    def __init__(self, evaluator: Evaluator, function: Function) -> None:
        self._evaluator = evaluator
        self._function = function
        self._known: dict[int, list[tuple[_Subject, Literal]]] = {}

    def are_exclusive(self, one: Node, other: Node) -> bool:
        """Whether at most one of two nodes runs in one call of the function."""
        known = dict(self._equalities(one))
        return bool(known) and any(
            subject in known and known[subject].kind is value.kind and known[subject].value != value.value
            for subject, value in self._equalities(other)
        )

    def _equalities(self, place: Node) -> list[tuple[_Subject, Literal]]:
        """Returns the subjects that certainly equal a literal when a node runs, with that literal."""
        if place.id not in self._known:
            self._known[place.id] = [*self._implied_around(place)]
        return self._known[place.id]

    def tests_of(self, place: Node, message: Node) -> frozenset[MessageTest]:
        """Returns the tests that a variable, declared at a node, has passed whenever another node runs."""
        equal = dict(self._equalities(place))
        passed = (
            _identity(self._evaluator, each, self._function)
            for each, outcome in self._required_around(place)
            if outcome
        )
        found = set()
        for subject in (*equal, *(each for each in passed if each is not None)):
            declared, names = subject
            value = equal[subject].value if subject in equal and len(names) <= 1 else None
            found |= {MessageTest("".join(names[:1]), value)} if declared == message.id else set()
        return frozenset(found)

    def cases_around(self, place: Node, message: Node) -> frozenset[MessageTest]:
        """Returns tests of a variable: it has passed one of them whenever a node in a `switch` runs.

        Returns none if the variable is not known to have passed any.
        """
        child = place
        while (up := child.parent) is not None and not up.same(self._function):
            switch = up.parent
            if isinstance(switch, SwitchStatement) and not child.is_field("value"):
                subject = _identity(self._evaluator, innermost(switch.value), self._function)
                values = self._values_before(switch, child) if subject else None
                if subject is not None and subject[0] == message.id and len(subject[1]) <= 1 and values:
                    return frozenset(MessageTest("".join(subject[1]), each.value) for each in values)
            child = up
        return frozenset()

    def _values_before(self, switch: SwitchStatement, at: Node) -> list[Literal] | None:
        """Returns the values of a case and of those that run into it, or None if not all are known."""
        found: list[Literal] = []
        for each in reversed([each for each in switch.body.named() if each.start <= at.start]):
            if each.type == "comment":
                continue
            statements = each.named()[isinstance(each, SwitchCase) :]
            if not each.same(at) and any(map(exits_block, statements)):
                break
            value = self._evaluator.value(each.value) if isinstance(each, SwitchCase) else None
            if not isinstance(value, Literal) or value.kind not in _KINDS:
                return None
            found.append(value)
        return found

    def _implied_around(self, place: Node) -> Iterator[tuple[_Subject, Literal]]:
        evaluator, function = self._evaluator, self._function
        for each, outcome in self._required_around(place):
            if isinstance(each, BinaryExpression) and each.operator in (EQUAL if outcome else UNEQUAL):
                for subject, value, _ in swapped(each):
                    yield from _equality(evaluator, subject, value, function)

    def _required_around(self, place: Node) -> Iterator[tuple[Node, bool]]:
        """Yields the conditions outside of loops that lead to a node, each with the required outcome."""
        child = place
        while (up := child.parent) is not None and not up.same(self._function):
            for condition, outcome in () if up.type in LOOPS else conditions_of(child, up):
                yield from required_parts(condition, outcome)
            child = up


def _equality(
    evaluator: Evaluator, subject: Node, value: Node, function: Function
) -> Iterator[tuple[_Subject, Literal]]:
    found = evaluator.value(innermost(value))
    if isinstance(found, Literal) and found.kind in _KINDS:
        key = _identity(evaluator, innermost(subject), function)
        if key is not None:
            yield key, found


def _identity(evaluator: Evaluator, subject: Node, function: Function) -> _Subject | None:
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
    return None if any(each.type in LOOPS for each in inside) else (declared.id, (*reversed(names),))
