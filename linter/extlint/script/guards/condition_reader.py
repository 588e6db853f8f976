"""Reads the implications of a condition, `switch` case or `try` for the code that depends on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from extlint.script.facts.script_facts import NO_GUARDS, FailureHandling, Guards
from extlint.script.guards.certain_success import missing_if_failed
from extlint.script.guards.compiled_try import CompiledTryReader
from extlint.script.guards.conditions import condition_query, implied
from extlint.script.guards.constant_conditions import outcome_of
from extlint.script.guards.environment.conditions import environment_of
from extlint.script.guards.equalities import equalities
from extlint.script.guards.event_conditions import depends_only_on_event
from extlint.script.guards.forms.facts import (
    BROWSER_TESTED,
    CONDITIONAL,
    NOTHING_IMPLIED,
    OPEN_TEST,
    UNKNOWN_TEST,
    UNREACHABLE,
    VERSION_TESTED,
    Facts,
    is_manifest_fact,
)
from extlint.script.guards.forms.query import ConditionQuery, GuardsAt
from extlint.script.guards.forms.user_agent import is_decided_by_agent
from extlint.script.guards.switch_cases import case_facts
from extlint.script.guards.try_catch import TryReader
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import TryStatement
from extlint.script.values.evaluator import Evaluator

_MAX_BLOCK_BYTES = 500
"""The maximum number of bytes of a block whose failures are explained; a longer one may fail anyway."""

_Answer = TypeVar("_Answer")


class ConditionReader:
    """Reads the conditions of one script."""

    def __init__(self, evaluator: Evaluator, guards_at: GuardsAt) -> None:
        self._evaluator = evaluator
        self._guards_at = guards_at
        self._try_reader = TryReader(evaluator.tree)
        self._compiled_try_reader = CompiledTryReader(evaluator.tree)
        self._is_reading = False
        self._known: dict[tuple[int, bool], Guards] = {}
        """The implications of conditions, by the ids of their nodes and the outcome."""

    def implied(self, condition: Node, outcome: bool) -> Guards:
        """Returns the implications of a condition if it has an outcome, and the facts that it depends on.

        A condition that takes too much work may test anything.
        """
        if self._is_reading:
            return self._implied(condition, outcome)
        key = condition.id, outcome
        if key not in self._known:
            found = self._attempt_part(condition, partial(self._implied, condition, outcome))
            if found is None:
                return UNKNOWN_TEST
            self._known[key] = found
        return self._known[key]

    def _implied(self, condition: Node, outcome: bool) -> Guards:
        tested = implied(self._query(outcome, present=True), condition)
        tested |= {CONDITIONAL} | self._environment_of(condition, tested)
        if not depends_only_on_event(self._evaluator, condition):
            tested |= {OPEN_TEST}
        if outcome_of(self._evaluator, condition) is (not outcome):
            tested |= {UNREACHABLE}
        tested |= equalities(self._evaluator, condition, outcome)
        return Guards(tested, missing=implied(self._query(outcome, present=False), condition))

    def facts_in_case(self, case: Node) -> Facts:
        """Returns the facts that hold in a case of a `switch`."""
        compute = partial(case_facts, self._query(True, present=True), case, self._environment_of)
        found = self._attempt_part(case, compute)
        return UNKNOWN_TEST.tested if found is None else found

    def _attempt_part(self, at: Node, compute: Callable[[], _Answer]) -> _Answer | None:
        """Returns the result for a condition, including those inside of it.

        Returns None if it takes too much work.
        """
        if self._is_reading:
            return compute()
        self._is_reading = True
        try:
            return self._evaluator.attempt_optional_part(at.span, compute)
        finally:
            self._is_reading = False

    def failure_handling(self, statement: TryStatement) -> FailureHandling:
        """Returns how a failure in the block of a `try` is handled."""
        return self._try_reader.failure_handling(statement)

    def after_failure(self, block: Node) -> Guards:
        """Returns what holds after a failure in the block of a `try`, if only a missing root explains it."""
        if block.end - block.start > _MAX_BLOCK_BYTES:
            return NO_GUARDS
        found = self._attempt_part(block, partial(missing_if_failed, self._evaluator, block))
        if found is None or len(found) > 1:
            return NO_GUARDS
        return Guards(missing=found) if found else Guards(frozenset({UNREACHABLE}))

    def failure_handling_in_case(self, statement: Node, case: Node) -> FailureHandling:
        """Returns how a failure in a statement of a case is handled, if a compiled generator has the case."""
        return self._compiled_try_reader.failure_handling(statement, case)

    def _query(self, outcome: bool, *, present: bool) -> ConditionQuery:
        return condition_query(self._evaluator, self._guards_at, outcome=outcome, present=present)

    def _environment_of(self, condition: Node, known: Facts) -> Facts:
        """Returns the facts about the environment that a condition tests, whatever its outcome.

        A condition that implies known facts about the manifest does not test for a browser, and neither does
        one that each target decides because it implies facts about the user agent.
        """
        found = environment_of(self._evaluator, condition)
        if BROWSER_TESTED in found and any(map(is_decided_by_agent, known)):
            found -= {BROWSER_TESTED}
        if VERSION_TESTED not in found:
            return found
        return found - {VERSION_TESTED} | (
            NOTHING_IMPLIED if any(map(is_manifest_fact, known)) else {BROWSER_TESTED}
        )
