"""Finds the implications of a condition: the members that exist, or are missing, if it holds or fails.

Conditions are split into tests here. `extlint.analysis.guards.forms.table` lists the forms of tests, and
`extlint.analysis.guards.indirect_conditions` resolves names, calls and promises.
"""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.facts.script_facts import API_ROOT
from extlint.analysis.facts.values import Literal
from extlint.analysis.guards.forms.comparisons import implied_by_type_name
from extlint.analysis.guards.forms.facts import (
    NOTHING_IMPLIED,
    ConditionQuery,
    Facts,
    GuardsAt,
    in_either_case,
)
from extlint.analysis.guards.forms.members import member_facts, operand_facts, owner_facts, variable_facts
from extlint.analysis.guards.forms.possible_values import NAMES
from extlint.analysis.guards.forms.table import implied_by_form
from extlint.analysis.guards.indirect_conditions import (
    implied_by_call,
    implied_by_name,
    implied_by_promise,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    NewExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.condition_values import truth_of
from extlint.analysis.values.constants import truth
from extlint.analysis.values.evaluator import Evaluator

MAX_DEPTH = 40


def condition_query(
    evaluator: Evaluator,
    guards_at: GuardsAt,
    *,
    outcome: bool,
    present: bool = True,
    arguments: Mapping[str, str] | None = None,
) -> ConditionQuery:
    """Returns a query that reads any condition."""
    return ConditionQuery(evaluator, guards_at, implied, outcome, present, arguments or {})


def implied(query: ConditionQuery, condition: Node) -> Facts:
    """Returns the facts (without `present`, the missing members) implied by a condition's outcome."""
    if query.depth > MAX_DEPTH:
        return NOTHING_IMPLIED
    item = innermost(condition)
    query.evaluator.tree.spend(1)
    if query.compared is not None:
        return _compared(query, item, query.compared)
    if not isinstance(item, BinaryExpression):
        found = implied_by_form(query, item, item.type)
        return _combined(query, item) if found is None else found
    if item.is_logical:
        return _logical(query, item)
    return implied_by_form(query, item, item.operator) or NOTHING_IMPLIED


def _combined(query: ConditionQuery, item: Node) -> Facts:
    """Returns the implications of an expression that is a member or has the outcome of other conditions."""
    match item:
        case AwaitExpression():
            return query.implied(item.argument, query.outcome)
        case Node(type="sequence_expression"):
            return query.implied(item.named()[-1], query.outcome)
        case UnaryExpression(operator="!"):
            return query.implied(item.argument, not query.outcome)
        case ConditionalExpression():
            return _conditional(query, item)
        case AssignmentExpression():
            written = query.if_requested(variable_facts(query, item.left), present=query.outcome)
            return query.implied(item.right, query.outcome) | written
        case AugmentedAssignment(is_logical=True):
            return query.implied(item.left, query.outcome)
        case CallExpression():
            member = query.if_requested(operand_facts(query, item), present=query.outcome)
            return implied_by_call(query, item) | member
        case NewExpression():
            return implied_by_promise(query, item)
    member = member_facts(query, item)
    if member:
        owners = owner_facts(query, item) if query.present else NOTHING_IMPLIED
        return query.if_requested(member | owners, present=query.outcome)
    if item.type in NAMES or isinstance(item, AccessExpression):
        operand = query.if_requested(operand_facts(query, item, member), present=query.outcome)
        return implied_by_name(query, item) | operand
    return NOTHING_IMPLIED


def _compared(query: ConditionQuery, item: Node, literal: Literal) -> Facts:
    """Returns the implications of an expression whose value equals a literal, or differs from it."""
    match item:
        case ConditionalExpression():
            return _conditional(query, item)
        case BinaryExpression(operator="&&") if query.outcome and truth(literal):
            return query.implied(item.left, True) | query.implied_by_value(item.right)
        case AwaitExpression():
            return query.implied_by_value(item.argument)
        case AssignmentExpression():
            return query.implied_by_value(item.right)
        case UnaryExpression(operator="typeof"):
            return implied_by_type_name(query, innermost(item.argument))
    owners = owner_facts(query, item) if query.outcome and query.present else NOTHING_IMPLIED
    if isinstance(item, CallExpression):
        return implied_by_call(query, item) | owners
    is_name = item.type in NAMES or isinstance(item, AccessExpression)
    return implied_by_name(query, item) | owners if is_name else NOTHING_IMPLIED


def _conditional(query: ConditionQuery, item: ConditionalExpression) -> Facts:
    condition = item.condition
    found = []
    for branch, outcome in ((item.consequence, True), (item.alternative, False)):
        if query.outcome_of(branch) is not (not query.outcome):
            found.append(query.implied(condition, outcome) | query.implied_by_value(branch))
    return frozenset.intersection(*found) if found else NOTHING_IMPLIED


def _logical(query: ConditionQuery, item: BinaryExpression) -> Facts:
    left, right = item.left, item.right
    first, second = query.implied(left, query.outcome), query.implied(right, query.outcome)
    if (item.operator == "&&") is query.outcome:
        return first | second
    for side, other in ((left, second), (right, first)):
        if truth_of(query.evaluator, side) is (not query.outcome):
            return other
    return _common_members(first, second, query.present) | in_either_case(first, second, query.present)


def _common_members(first: Facts, second: Facts, present: bool) -> Facts:
    """Returns the members that exist, or are missing, in each of two alternatives.

    The members of a missing namespace or root are missing, and a namespace exists if one of its members does.
    """
    found = first & second
    if not present:
        first, second = (
            each | {()} if any(path[0] == API_ROOT for path in each) else each for each in (first, second)
        )
    for one, other in ((first, second), (second, first)):
        for path in one:
            if any((each[: len(path)] == path) if present else (path[: len(each)] == each) for each in other):
                found |= {path}
    return found - {()}
