"""The query of a condition: its implications if it has an outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.script_facts import Guards
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator

GuardsAt: TypeAlias = Callable[[Node], Guards]
"""A function that returns the guards of a place."""


class ConditionQuery(Struct, frozen=True):
    """A query of a condition: the facts that hold if it has the outcome `outcome`.

    `present` requests the facts that hold and the members that exist, and its negation the members that are
    missing; `if_requested` respects this. `arguments` are the texts that a call passes to the function that
    contains the condition, by the names of its parameters. `read` reads any condition; see `implied`.
    """

    evaluator: Evaluator
    guards_at: GuardsAt
    read: Callable[[ConditionQuery, Node], Facts]
    outcome: bool
    present: bool
    arguments: Mapping[str, str] = {}
    depth: int = 0

    def implied(self, condition: Node, outcome: bool) -> Facts:
        """Returns the implications of a nested condition."""
        return self.read(replace(self, outcome=outcome, depth=self.depth + 1), condition)

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
