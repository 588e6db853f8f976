"""What holds after an early exit: `if (!browser.management) return;`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct
from tree_sitter import Node as ParserNode

from extlint.script.facts.script_facts import NO_GUARDS, ApiPath, Guards
from extlint.script.guards.branches import leaves
from extlint.script.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.script.syntax.node import Node, node_of
from extlint.script.syntax.nodes import IfStatement
from extlint.script.syntax.tree import SyntaxTree
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import tentative

_MAY_WAIT = frozenset({"expression_statement", "lexical_declaration", "variable_declaration"})
"""The kinds of statements that may wait for a request of permissions."""

ImpliedGuards: TypeAlias = Callable[[Node, bool], Guards]
"""What a condition implies if it has an outcome."""


class EarlyExit(Struct, frozen=True):
    """Where an early exit ends, and what is known after it and those before it."""

    end: int
    tested: Facts
    missing: Facts


class _Body:
    """The early exits of a body, in order, as far as they were asked for."""

    def __init__(self, statements: Iterator[Node]) -> None:
        self.exits: list[EarlyExit] = []
        self.is_read = False
        """Whether more of them are being read right now."""
        self._statements = statements
        self._following = next(statements, None)

    def statements_before(self, offset: int) -> Iterator[Node]:
        """The statements that end before an offset, and did not yet come."""
        while self._following is not None and self._following.end <= offset:
            yield self._following
            self._following = next(self._statements, None)


class EarlyExits:
    """Finds the early exits of the bodies of one script.

    Who asks says each time what conditions imply: if this kept it, both would keep each other in memory.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[int, _Body] = {}

    def before(self, child: Node, body: Node, implied: ImpliedGuards) -> EarlyExit | None:
        """The last early exit before a node of a body."""
        exits = self._exits_before(child.start, body, implied)
        index = bisect_right(exits, child.start, key=lambda each: each.end)
        return exits[index - 1] if index else None

    def _exits_before(self, offset: int, body: Node, implied: ImpliedGuards) -> list[EarlyExit]:
        """The early exits of a body up to an offset at least, and the requests that it waits for.

        They are read one by one, as the conditions of each depend on those before it. Who asks meanwhile
        gets those that were read.
        """
        if body.id not in self._known:
            self._evaluator.tree.spend(body.node.named_child_count)
            self._known[body.id] = _Body(_statements(self._evaluator.tree, body))
        known = self._known[body.id]
        if not known.is_read:
            known.is_read = True
            with tentative(self._known, body.id, known):
                for statement in known.statements_before(offset):
                    self._add_exit(statement, known.exits, implied)
            known.is_read = False
        return known.exits

    def _add_exit(self, statement: Node, found: list[EarlyExit], implied: ImpliedGuards) -> None:
        after, requested = None, NOTHING_IMPLIED
        if isinstance(statement, IfStatement):
            after = _after(statement, implied)
        else:
            requested = self._requested_before(statement)
        if after is not None or requested:
            tested = found[-1].tested if found else NOTHING_IMPLIED
            missing = found[-1].missing if found else NOTHING_IMPLIED
            tested |= requested if after is None else after.tested
            missing |= NO_GUARDS.missing if after is None else after.missing
            found.append(EarlyExit(statement.end, tested, missing))

    def _requested_before(self, statement: Node) -> Facts:
        from extlint.script.guards.forms.permissions import requested_before

        return requested_before(self._evaluator, statement)


def _after(statement: IfStatement, implied: ImpliedGuards) -> Guards | None:
    """What holds after an `if` of which a branch leaves; None if none does."""
    branches: list[tuple[Node, Node]] = []
    branch: Node | None = statement
    while isinstance(branch, IfStatement):
        branches.append((branch.condition, branch.consequence))
        branch = None if branch.alternative is None else branch.alternative.first()
    exits = [leaves(consequence) for _, consequence in branches]
    last_leaves = branch is not None and leaves(branch)
    if not any(exits) and not last_leaves:
        return None
    tested = missing = frozenset[ApiPath]()
    through: list[Guards] = []
    for (condition, _), is_exit in zip(branches, exits, strict=True):
        if not is_exit:
            held = implied(condition, True)
            through.append(Guards(tested | held.tested, missing=missing | held.missing))
        failed = implied(condition, False)
        tested |= failed.tested
        missing |= failed.missing
    if not last_leaves:
        through.append(Guards(tested, missing=missing))
    if not through:
        return None
    return Guards(
        frozenset.intersection(*(each.tested for each in through)),
        missing=frozenset.intersection(*(each.missing for each in through)),
    )


def _statements(tree: SyntaxTree, body: Node) -> Iterator[Node]:
    """The statements of a body that may leave it or wait: of the top of a bundle, a few of thousands."""
    waits = tree.places.stands_within(b"await", body.start, body.end)
    found: list[ParserNode] = []
    for child in body.node.named_children:
        kind = body.kinds[child.kind_id][1]
        if kind == "if_statement" or (
            waits
            and kind in _MAY_WAIT
            and tree.places.stands_within(b"await", child.start_byte, child.end_byte)
        ):
            found.append(child)
    return (node_of(child, body, body.kinds) for child in found)
