"""Reads the implications of a condition, `switch` case or `try` for the code that depends on it.

A variable cannot equal two texts at once, so conditions around a place may exclude each other. This is known
for parameters and block-scoped variables that are not reassigned: each time that their function or block
runs, they are created anew, with one value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeGuard, TypeVar

from extlint.analysis.facts.script_facts import NO_GUARDS, FailureHandling, Guards
from extlint.analysis.facts.values import Kind, Literal
from extlint.analysis.guards.certain_success import missing_if_failed
from extlint.analysis.guards.conditions import condition_query, implied
from extlint.analysis.guards.constant_conditions import is_case_selected, outcome_of
from extlint.analysis.guards.environment_conditions import environment_of
from extlint.analysis.guards.event_conditions import depends_only_on_event, is_event_value
from extlint.analysis.guards.forms import manifest, own_address
from extlint.analysis.guards.forms.facts import (
    BROWSER_TESTED,
    CONDITIONAL,
    EQUAL,
    NOTHING_IMPLIED,
    OPEN_TEST,
    UNKNOWN_TEST,
    UNREACHABLE,
    VERSION_TESTED,
    ConditionQuery,
    Facts,
    GuardsAt,
    is_manifest_fact,
)
from extlint.analysis.guards.forms.user_agent import is_decided_by_agent
from extlint.analysis.guards.promise_handlers import CompiledTryReader
from extlint.analysis.guards.try_catch import TryReader
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    LexicalDeclaration,
    SwitchCase,
    SwitchStatement,
    TryStatement,
)
from extlint.analysis.syntax.shapes import combined_outcome, exits_block, innermost, required_parts, swapped
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script


def case_facts(query: ConditionQuery, case: Node, environment_of: Callable[[Node, Facts], Facts]) -> Facts:
    """Returns the facts that hold in a case, or in the `default` if the node is that.

    `environment_of` returns the facts that an expression tests about the browser, given its implications for
    the manifest.
    """
    body = case.parent
    switch = None if body is None else body.parent
    if body is None or not isinstance(switch, SwitchStatement):
        return NOTHING_IMPLIED
    subject, value = switch.value, case.value if isinstance(case, SwitchCase) else None
    # A case implies its own value, and the `default` excludes the values of all others.
    cases = [each for each in (body.named() if value is None else [case]) if isinstance(each, SwitchCase)]
    previous = case.previous()
    known = NOTHING_IMPLIED
    if previous is None or _does_not_fall_through(previous):
        known = known.union(
            *(
                manifest.implied_by_case(query.evaluator, subject, each.value, value is not None)
                | own_address.implied_by_case(query, subject, each.value, value is not None)
                for each in cases
            )
        )
        known = known.union(*(_implied(query, subject, each.value, value is not None) for each in cases))
        if _is_never_selected(query, subject, case, cases):
            known |= {UNREACHABLE}
    found = known | {CONDITIONAL} | environment_of(subject, known)
    if not is_event_value(query.evaluator, subject):
        found |= {OPEN_TEST}
    if value is None:
        return found
    return found | environment_of(value, known)


def _is_never_selected(query: ConditionQuery, subject: Node, case: Node, cases: Sequence[SwitchCase]) -> bool:
    """Whether no value of a `switch` selects a case, or all select another than the `default`."""
    if isinstance(case, SwitchCase):
        return is_case_selected(query.evaluator, subject, case.value) is False
    return any(is_case_selected(query.evaluator, subject, each.value) for each in cases)


def _implied(query: ConditionQuery, subject: Node, value: Node, equal: bool) -> Facts:
    """Returns the members that exist in a case of `switch (typeof api.x)` or of `switch (true)`."""
    literal = query.evaluator.value(value)
    if isinstance(literal, Literal) and literal.kind in (Kind.NUMBER, Kind.STRING):
        return query.implied_by_comparison(subject, literal, equal)
    return query.read(query, value) if equal and truth(query.evaluator.value(subject)) else NOTHING_IMPLIED


def _does_not_fall_through(case: Node) -> bool:
    """Whether a case certainly does not fall through into the next one."""
    last = case.last()
    return last is not None and not last.is_field("value") and exits_block(last)


_STRICT = {"===": True, "!==": False}


def equalities(evaluator: Evaluator, condition: Node, outcome: bool) -> Facts:
    """Returns the facts that variables equal texts, if a condition has an outcome."""
    return NOTHING_IMPLIED.union(
        *(
            _equalities_of_comparison(evaluator, part)
            for part, expected in required_parts(condition, outcome, partial(outcome_of, evaluator))
            if isinstance(part, BinaryExpression) and _STRICT.get(part.operator) is expected
        )
    )


def _equalities_of_comparison(evaluator: Evaluator, comparison: BinaryExpression) -> Facts:
    for operand, other, _ in swapped(comparison):
        if operand.type != "identifier":
            continue
        binding = evaluator.names.variable(operand)
        value = evaluator.value(other) if binding is not None and _is_constant(binding) else None
        if binding is not None and isinstance(value, Literal) and value.kind is Kind.STRING:
            return frozenset({("", EQUAL, str(binding.declarations[0].item.start), str(value.value))})
    return NOTHING_IMPLIED


def _is_constant(binding: Binding) -> bool:
    """Whether a variable keeps its initial value."""
    if len(binding.writes) != 1 or len(binding.declarations) != 1:
        return False
    write = binding.writes[0]
    if write.kind == "parameter":
        return True
    source = write.source
    return source is not None and isinstance(source.parent, LexicalDeclaration)


def _needs_both(condition: Node, outcome: bool) -> TypeGuard[BinaryExpression]:
    """Whether a condition is a logical one that has an outcome only if both of its operands have it."""
    return isinstance(condition, BinaryExpression) and condition.operator == ("&&" if outcome else "||")


@once_per_script
def _nature_of(evaluator: Evaluator, condition: Node) -> tuple[bool, bool | None]:
    """Returns whether a condition depends only on an event, and its outcome if it always has the same."""
    return depends_only_on_event(evaluator, condition), outcome_of(evaluator, condition)


_MAX_BLOCK_BYTES = 500
"""The maximum number of bytes of a block whose failures are explained; a longer one may fail anyway."""

_Answer = TypeVar("_Answer")


class ConditionReader:
    """Reads the conditions of one script."""

    def __init__(self, evaluator: Evaluator, guards_at: GuardsAt, never_true: frozenset[int]) -> None:
        """`never_true` are the ends of members that are never truthy, and of values that nothing equals."""
        self._evaluator = evaluator
        self._guards_at = guards_at
        self._never_true = never_true
        self._try_reader = TryReader(evaluator.tree)
        self._compiled_try_reader = CompiledTryReader(evaluator.tree)
        self._is_reading = False
        self._known: dict[tuple[int, bool], Guards] = {}
        """The implications of conditions and cases, by the ids of their nodes and the outcome."""

    def implied(self, condition: Node, outcome: bool) -> Guards:
        """Returns the implications of a condition if it has an outcome, and the facts that it depends on.

        Those of a chain such as `a && b && c` are those of `a && b` and `c`, so that no place in a long chain
        reads all conditions before it again.
        """
        chain: list[BinaryExpression] = []
        item = innermost(condition)
        while not self._is_reading and (item.id, outcome) not in self._known and _needs_both(item, outcome):
            chain.append(item)
            item = innermost(item.left)
        found = self._implied_once(item, outcome)
        for each in reversed(chain):
            right = self._implied_once(innermost(each.right), outcome)
            found = Guards(found.tested | right.tested, missing=found.missing | right.missing)
            self._known[each.id, outcome] = found
        return found

    def _implied_once(self, condition: Node, outcome: bool) -> Guards:
        return self._read_once(condition, outcome, partial(self._implied, condition, outcome))

    def _implied(self, condition: Node, outcome: bool) -> Guards:
        tested = implied(self._query(outcome, present=True), condition)
        tested |= {CONDITIONAL} | self._environment_of(condition, tested)
        is_of_event, only_outcome = _nature_of(self._evaluator, condition)
        if not is_of_event:
            tested |= {OPEN_TEST}
        if self._never_true and only_outcome is None:
            only_outcome = combined_outcome(condition, self._outcome_by_members)
        if only_outcome is (not outcome):
            tested |= {UNREACHABLE}
        tested |= equalities(self._evaluator, condition, outcome)
        return Guards(tested, missing=implied(self._query(outcome, present=False), condition))

    def _outcome_by_members(self, part: Node, _depth: int) -> bool | None:
        """Returns the outcome of a condition that has a member which is never true, or None."""
        match part:
            case AccessExpression():
                return False if part.end in self._never_true else None
            case BinaryExpression(operator="==" | "===" | "!=" | "!==") if any(
                each.end in self._never_true and isinstance(self._evaluator.value(each), Literal)
                for each in (part.left, part.right)
            ):
                return part.operator.startswith("!")
        return None

    def _never_selects(self, case: Node | None) -> bool:
        """Whether no value of a `switch` selects a case or one before that falls through into it."""
        while isinstance(case, SwitchCase) and case.value.end in self._never_true:
            case = case.previous()
            if case is None or _does_not_fall_through(case):
                return True
        return False

    def facts_in_case(self, case: Node) -> Facts:
        """Returns the facts that hold in a case of a `switch`."""
        return self._read_once(case, True, partial(self._in_case, case)).tested

    def _in_case(self, case: Node) -> Guards:
        found = case_facts(self._query(True, present=True), case, self._environment_of)
        return Guards(found | {UNREACHABLE} if self._never_selects(case) else found)

    def _read_once(self, condition: Node, outcome: bool, read: Callable[[], Guards]) -> Guards:
        """Returns the implications of a condition. One that takes too much work may test anything."""
        if self._is_reading:
            return read()
        key = condition.id, outcome
        if key not in self._known:
            found = self._attempt_part(condition, read)
            if found is None:
                return UNKNOWN_TEST
            self._known[key] = found
        return self._known[key]

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
