"""What a condition implies: which members are there, or missing, if it holds or fails.

Here conditions are taken apart into tests. `extlint.script.guards.forms.table` lists the forms of those, and
`extlint.script.guards.indirect_conditions` reads what stands behind a name, a call or a promise.
"""

from __future__ import annotations

from collections.abc import Mapping

from extlint.script.guards.forms.facts import NOTHING_IMPLIED, Facts
from extlint.script.guards.forms.members import member_facts, variable_facts
from extlint.script.guards.forms.query import ConditionQuery, GuardsAt
from extlint.script.guards.forms.table import implied_by_form
from extlint.script.guards.forms.typeof import operand_of_typeof
from extlint.script.guards.forms.user_agent import in_either_case as user_agent_in_either_case
from extlint.script.guards.indirect_conditions import (
    implied_by_call,
    implied_by_name,
    implied_by_promise,
)
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.shapes import innermost
from extlint.script.values.constants import truth
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.possible_values import NAMES

MAX_DEPTH = 40
_LOGICAL = frozenset({"&&", "||", "??"})


def condition_query(
    evaluator: Evaluator,
    guards_at: GuardsAt,
    *,
    outcome: bool,
    present: bool = True,
    arguments: Mapping[str, str] | None = None,
) -> ConditionQuery:
    """A query that reads any condition."""
    return ConditionQuery(evaluator, guards_at, implied, outcome, present, arguments or {})


def implied(query: ConditionQuery, condition: Node) -> Facts:
    """The facts that hold (or, not `present`, the members that are missing) if a condition has an outcome."""
    if query.depth > MAX_DEPTH:
        return NOTHING_IMPLIED
    item = innermost(condition)
    query.evaluator.tree.spend(1)
    operator = item.field("operator") if item.type == "binary_expression" else None
    if operator is not None and operator.type in _LOGICAL:
        return _logical(query, item, operator.type)
    found = implied_by_form(query, item, item.type if operator is None else operator.type)
    return _combined(query, item) if found is None else found


def _combined(query: ConditionQuery, item: Node) -> Facts:
    """What an expression implies that makes an outcome of other conditions, or is a member itself."""
    match item.type:
        case "await_expression":
            return query.implied(item.first(), query.outcome)
        case "sequence_expression":
            return query.implied(item.named()[-1], query.outcome)
        case "unary_expression" if item.has("!"):
            return query.implied(item.field("argument"), not query.outcome)
        case "ternary_expression":
            return _ternary(query, item)
        case "assignment_expression":
            return query.implied(item.field("right"), query.outcome)
        case "call_expression":
            return implied_by_call(query, item)
        case "new_expression":
            return implied_by_promise(query, item)
        case "binary_expression":
            return NOTHING_IMPLIED
    member = member_facts(query, item)
    if member:
        return query.if_asked(member, present=query.outcome)
    if item.type in NAMES or item.type in MEMBERS:
        return implied_by_name(query, item) | query.if_asked(
            variable_facts(query, item), present=query.outcome
        )
    return NOTHING_IMPLIED


def _ternary(query: ConditionQuery, item: Node) -> Facts:
    condition = item.field("condition")
    found = []
    for branch, outcome in ((item.field("consequence"), True), (item.field("alternative"), False)):
        if branch is not None and truth(query.evaluator.value(branch)) is not (not query.outcome):
            found.append(query.implied(condition, outcome) | query.implied(branch, query.outcome))
    return frozenset.intersection(*found) if found else NOTHING_IMPLIED


def _logical(query: ConditionQuery, item: Node, operator: str) -> Facts:
    left, right = item.field("left"), item.field("right")
    if left is None or right is None:
        return NOTHING_IMPLIED
    first, second = query.implied(left, query.outcome), query.implied(right, query.outcome)
    if (operator == "&&") is query.outcome:
        return first | second
    for side, other in ((left, second), (right, first)):
        if truth(query.evaluator.value(side)) is (not query.outcome):
            return other
    if not query.present:
        first, second = first | _root(query, left), second | _root(query, right)
    return _in_either_case(first, second, query.present) | user_agent_in_either_case(first, second)


def _root(query: ConditionQuery, condition: Node) -> Facts:
    """The path of the whole API, of which all lacks where it is missing, if a condition asks for that."""
    item = innermost(condition)
    operator = item.field("operator") if item.type == "binary_expression" else None
    tested: Node | None = item
    if operator is not None:
        left, is_not = item.field("left"), operator.type in {"!=", "!=="}
        tested = operand_of_typeof(left) if left is not None and is_not else None
    found = None if tested is None else query.evaluator.api(tested)
    return NOTHING_IMPLIED if found is None or found.path else frozenset({()})


def _in_either_case(first: Facts, second: Facts, present: bool) -> Facts:
    """What is there, or missing, by each of two answers, of which one holds.

    What is in a namespace is missing with it, and a namespace is there with what is in it.
    """
    found = first & second
    for one, other in ((first, second), (second, first)):
        for path in one:
            if any((each[: len(path)] == path) if present else (path[: len(each)] == each) for each in other):
                found |= {path}
    return found - {()}
