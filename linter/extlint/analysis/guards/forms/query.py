"""The query of a condition: its implications if it has an outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.script_facts import Guards
from extlint.analysis.facts.values import Literal, Value
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator

GuardsAt: TypeAlias = Callable[[Node], Guards]
"""A function that returns the guards of a place."""


class ConditionQuery(Struct, frozen=True):
    """A query of a condition: the facts that hold if it has the outcome `outcome`.

    `present` requests the facts that hold and the members that exist, and its negation the members that are
    missing; `if_requested` respects this. `arguments` are the texts that a call passes to the function that
    contains the condition, by the names of its parameters. `read` reads any condition; see `implied`.
    With `compared`, the outcome is whether the value equals this text or number, not whether it is truthy.
    """

    evaluator: Evaluator
    guards_at: GuardsAt
    read: Callable[[ConditionQuery, Node], Facts]
    outcome: bool
    present: bool
    arguments: Mapping[str, str] = {}
    depth: int = 0
    compared: Literal | None = None

    def implied(self, condition: Node, outcome: bool) -> Facts:
        """Returns the implications of a nested condition."""
        return self.read(replace(self, outcome=outcome, depth=self.depth + 1, compared=None), condition)

    def implied_by_value(self, value: Node) -> Facts:
        """Returns the implications of an expression that has the same value."""
        return self.read(replace(self, depth=self.depth + 1), value)

    def implied_by_comparison(self, subject: Node, literal: Literal, equal: bool) -> Facts:
        """Returns the implications of an expression that equals a text or number, or differs from it."""
        return self.read(replace(self, outcome=equal, depth=self.depth + 1, compared=literal), subject)

    def outcome_of(self, item: Node) -> bool | None:
        """Returns the outcome of a condition that is this expression, or None if unknown."""
        if self.compared is None:
            from extlint.analysis.values.condition_values import truth_of

            return truth_of(self.evaluator, item)
        return self.outcome_for(self.evaluator.value(item))

    def outcome_for(self, value: Value) -> bool | None:
        """Returns the outcome of a condition with this value, or None if unknown."""
        if self.compared is None:
            return truth(value)
        same = self.compared.kind, self.compared.value
        return (value.kind, value.value) == same if isinstance(value, Literal) else None

    def if_requested(self, members: Facts, *, present: bool) -> Facts:
        """Returns members that the outcome proves to be present, or missing, if those are requested."""
        return members if present is self.present else NOTHING_IMPLIED

    def text(self, item: Node) -> str | None:
        """Returns the text that an expression evaluates to, possibly by an argument of the call.

        Returns None if unknown.
        """
        if item.type == "identifier" and self.arguments:
            name = self.evaluator.tree.source(item)
            if name in self.arguments:
                return self.arguments[name]
        return self.evaluator.text(item)
