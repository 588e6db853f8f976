"""The question that is put to a condition: what it implies if it has an outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.script.facts.script_facts import Guards
from extlint.script.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.script.syntax.node import Node
from extlint.script.values.constants import text_of
from extlint.script.values.evaluator import Evaluator

GuardsAt: TypeAlias = Callable[[Node], Guards]
"""What was tested before a place is reached."""


class ConditionQuery(Struct, frozen=True):
    """What is asked of a condition: what holds if it comes out as `outcome`.

    With `present` the facts that hold and the members that are there are asked for, else the members that
    are missing; `if_asked` heeds that. `arguments` are the texts that a call passes to the function in which
    the condition stands, by the names of its parameters. `read` reads any condition; see `implied`.
    """

    evaluator: Evaluator
    guards_at: GuardsAt
    read: Callable[[ConditionQuery, Node], Facts]
    outcome: bool
    present: bool
    arguments: Mapping[str, str] = {}
    depth: int = 0

    def implied(self, condition: Node, outcome: bool) -> Facts:
        """What a condition inside the one that is read implies."""
        return self.read(replace(self, outcome=outcome, depth=self.depth + 1), condition)

    def if_asked(self, members: Facts, *, present: bool) -> Facts:
        """Members that the outcome says are present, or missing, if that is what is asked for."""
        return members if present is self.present else NOTHING_IMPLIED

    def text(self, item: Node) -> str | None:
        """The text that an expression is, also by an argument of the call; None if it is not known."""
        if item.type == "identifier" and self.arguments:
            name = self.evaluator.tree.source(item)
            if name in self.arguments:
                return self.arguments[name]
        return text_of(self.evaluator.certain.value(item))
