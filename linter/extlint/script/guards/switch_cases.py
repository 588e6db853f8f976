"""Determines the facts that hold in a case of a `switch`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from extlint.script.guards.branches import exits_block
from extlint.script.guards.constant_conditions import is_case_selected
from extlint.script.guards.event_conditions import is_event_value
from extlint.script.guards.forms import manifest, typeof
from extlint.script.guards.forms.facts import CONDITIONAL, NOTHING_IMPLIED, OPEN_TEST, UNREACHABLE, Facts
from extlint.script.guards.forms.query import ConditionQuery
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import SwitchCase, SwitchStatement
from extlint.script.syntax.shapes import index_of
from extlint.script.values.constants import truth


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
    cases = body.named()
    at = index_of(cases, case) or 0
    known = NOTHING_IMPLIED
    if at == 0 or _does_not_fall_through(cases[at - 1]):
        # A case implies its own value, and the `default` excludes the values of all others.
        relevant_cases = [each for each in cases if isinstance(each, SwitchCase)] if value is None else [case]
        known = known.union(
            *(
                manifest.implied_by_case(query.evaluator, subject, each.value, value is not None)
                for each in relevant_cases
                if isinstance(each, SwitchCase)
            )
        )
        if _is_never_selected(query, subject, case, cases):
            known |= {UNREACHABLE}
    found = known | {CONDITIONAL} | environment_of(subject, known)
    if not is_event_value(query.evaluator, subject):
        found |= {OPEN_TEST}
    if value is None:
        return found
    return found | environment_of(value, known) | _implied(query, subject, value)


def _is_never_selected(query: ConditionQuery, subject: Node, case: Node, cases: Sequence[Node]) -> bool:
    """Whether no value of a `switch` selects a case, or all select another than the `default`."""
    if isinstance(case, SwitchCase):
        return is_case_selected(query.evaluator, subject, case.value) is False
    listed = (each for each in cases if isinstance(each, SwitchCase))
    return any(is_case_selected(query.evaluator, subject, each.value) for each in listed)


def _implied(query: ConditionQuery, subject: Node, value: Node) -> Facts:
    """Returns the members that exist in a case of `switch (typeof api.x)` or of `switch (true)`."""
    if truth(query.evaluator.certain.value(subject)):
        return query.read(query, value)
    return typeof.implied_by_case(query, subject, value)


def _does_not_fall_through(case: Node) -> bool:
    """Whether a case certainly does not fall through into the next one."""
    statements = [each for each in case.named() if not each.is_field("value")]
    return bool(statements) and exits_block(statements[-1])
