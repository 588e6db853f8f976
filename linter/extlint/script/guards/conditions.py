"""What a condition tells of the API: which members are there, or missing, if it holds or fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec.structs import replace

from extlint.script.facts.script_facts import ApiPath
from extlint.script.facts.values import (
    ConditionFacts,
    FunctionValue,
    Kind,
    Literal,
    Typed,
    Unknown,
    options_of,
)
from extlint.script.guards.condition_values import condition_value
from extlint.script.guards.existence import (
    NOTHING_TOLD,
    ExistenceTest,
    asked_for,
    asked_in,
    boolean_argument,
    held_in,
    holder_in,
    member_in,
    operand_of_typeof,
    shortened_typeof,
)
from extlint.script.guards.manifest_tests import manifest_facts
from extlint.script.guards.permissions import granted_by
from extlint.script.guards.user_agent import agent_facts, either
from extlint.script.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import arguments_of, innermost, parameter_items
from extlint.script.values.condition_facts import told_by, with_arguments
from extlint.script.values.constants import text_of
from extlint.script.values.constants import truth as outcome
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.memo import once_per_script
from extlint.script.values.possible_values import (
    NAMES,
    PossibleValue,
    answers_of,
    given_values,
    settled_values,
)
from extlint.script.values.settled_promises import promise_before

_MAX_DEPTH = 40
_MADE = frozenset({"binary_expression", "call_expression", "unary_expression"})
"""Expressions whose value says that they made it."""


def implied(ask: ExistenceTest, condition: Node) -> frozenset[ApiPath]:
    """The members that are there (or, not `present`, are missing) if a condition has an outcome."""
    if ask.depth > _MAX_DEPTH:
        return NOTHING_TOLD
    item = innermost(condition)
    ask.evaluator.tree.spend(1)
    of_manifest = manifest_facts(ask.evaluator, item, ask.truth)
    if of_manifest:
        return of_manifest if ask.present else NOTHING_TOLD
    of_agent = agent_facts(ask, item)
    if of_agent:
        return of_agent if ask.present else NOTHING_TOLD
    match item.type:
        case "await_expression":
            return _inner(ask, item.first(), ask.truth)
        case "sequence_expression":
            return _inner(ask, item.named()[-1], ask.truth)
        case "unary_expression" if item.has("!"):
            return _inner(ask, item.field("argument"), not ask.truth)
        case "ternary_expression":
            return _ternary(ask, item)
        case "binary_expression":
            return _binary(ask, item)
        case "assignment_expression":
            return _inner(ask, item.field("right"), ask.truth)
        case "call_expression":
            return _call(ask, item)
        case "new_expression":
            return _told_once(ask, item, settled_values)
    member = member_in(ask, item)
    if member:
        return member if ask.truth is ask.present else NOTHING_TOLD
    if item.type in NAMES or item.type in MEMBERS:
        told = _told_once(ask, item, given_values) | _of_value(ask, item)
        return told | holder_in(ask, item) if ask.truth is ask.present else told
    return NOTHING_TOLD


def _of_value(ask: ExistenceTest, item: Node) -> frozenset[ApiPath]:
    """What the expressions tell that made the value of a name, in this script or in another."""
    found = []
    for option in options_of(condition_value(ask.evaluator, item)):
        if outcome(option) is (not ask.truth):
            continue
        if not isinstance(option, Typed | Unknown):
            return NOTHING_TOLD
        made_by = None if option.span is None else ask.evaluator.tree.item_at(option.span)
        if option.told is not None:
            found.append(_facts(ask, option.told))
        elif made_by is not None and made_by.type in _MADE and not made_by.contains(item):
            found.append(_inner(ask, made_by, ask.truth))
        else:
            return NOTHING_TOLD
    return frozenset.intersection(*found) if found else NOTHING_TOLD


def _inner(ask: ExistenceTest, inner: Node | None, truth: bool) -> frozenset[ApiPath]:
    return NOTHING_TOLD if inner is None else implied(replace(ask, truth=truth, depth=ask.depth + 1), inner)


def _told_once(
    ask: ExistenceTest, item: Node, find: Callable[[Evaluator, Node], Iterable[PossibleValue]]
) -> frozenset[ApiPath]:
    """What the answers that are found for a node tell; what was told before is not asked again.

    A question inside itself tells nothing. One that was asked deeper down may have been cut short.
    """
    key = (item.id, ask.truth, ask.present, tuple(sorted(ask.given.items())))
    known = _told_so_far(ask.evaluator)
    depth, told = known.get(key, (_MAX_DEPTH + 1, NOTHING_TOLD))
    if depth > ask.depth:
        known[key] = (ask.depth, NOTHING_TOLD)
        told = _told_by(ask, find(ask.evaluator, item))
        known[key] = (ask.depth, told)
    return told


_Question: TypeAlias = tuple[int, bool, bool, tuple[tuple[str, str], ...]]
"""A node, the outcome and whether what is present is asked for, and texts by names of parameters."""


@once_per_script
def _told_so_far(evaluator: Evaluator) -> dict[_Question, tuple[int, frozenset[ApiPath]]]:  # noqa: ARG001
    """What tests in functions and by name tell, with how deep the question was that was answered."""
    return {}


def _told_by(ask: ExistenceTest, answers: Iterable[PossibleValue]) -> frozenset[ApiPath]:
    """What holds whichever of several expressions the condition was, those of another outcome aside."""
    found: list[frozenset[ApiPath]] = []
    for each in answers:
        if each.value is None or outcome(ask.evaluator.value(each.value)) is (not ask.truth):
            continue
        told = _inner(ask, each.value, ask.truth)
        if each.place is not None and outcome(ask.evaluator.value(each.value)) is not None:
            guards = ask.around(each.place)
            told |= guards.tested if ask.present else guards.missing
        if not told:
            return NOTHING_TOLD
        found.append(told)
    return frozenset.intersection(*found) if found else NOTHING_TOLD


def _ternary(ask: ExistenceTest, item: Node) -> frozenset[ApiPath]:
    condition = item.field("condition")
    found = []
    for branch, truth in ((item.field("consequence"), True), (item.field("alternative"), False)):
        if branch is not None and outcome(ask.evaluator.value(branch)) is not (not ask.truth):
            found.append(_inner(ask, condition, truth) | _inner(ask, branch, ask.truth))
    return frozenset.intersection(*found) if found else NOTHING_TOLD


def _call(ask: ExistenceTest, call: Node) -> frozenset[ApiPath]:
    inner = boolean_argument(ask.evaluator, call)
    if inner is not None:
        return _inner(ask, inner, ask.truth)
    owned = asked_for(ask, call)
    if owned is not None:
        return owned if ask.truth is ask.present else NOTHING_TOLD
    granted = granted_by(ask, call)
    if granted is not None:
        return granted if ask.truth and ask.present else NOTHING_TOLD
    promise = promise_before(ask.evaluator, call)
    if promise is not None:
        return _settled(ask, call, *promise)
    function = call.field("function")
    if function is None:
        return NOTHING_TOLD
    callee = condition_value(ask.evaluator, function)
    if isinstance(callee, FunctionValue) and callee.told is not None:
        return _facts(ask, with_arguments(callee.told, _texts(ask, call)))
    definition = ask.evaluator.definition(callee)
    if definition is None or definition.type not in FUNCTIONS:
        return _facts(ask, told_by(ask.evaluator.partial(call)))
    names = parameter_names(ask.evaluator, definition)
    given = {name: text for name, text in zip(names, _texts(ask, call), strict=False) if text is not None}
    return told_by_function(replace(ask, given=given), definition)


def told_by_function(ask: ExistenceTest, function: Node) -> frozenset[ApiPath]:
    """The members that are there, or missing, if what a function answers has an outcome."""
    return _told_once(ask, function, answers_of)


def parameter_names(evaluator: Evaluator, function: Node) -> list[str]:
    """The parameters of a function as they are written, types aside."""
    return [evaluator.tree.source(each.field("pattern") or each) for each in parameter_items(function)]


def _texts(ask: ExistenceTest, call: Node) -> list[str | None]:
    """The texts that a call gives, None for what is no text that is known."""
    source, value = ask.evaluator.tree.source, ask.evaluator.value
    return [
        (ask.given.get(source(each)) if each.type == "identifier" else None) or text_of(value(each))
        for each in arguments_of(call)
    ]


def _facts(ask: ExistenceTest, told: ConditionFacts) -> frozenset[ApiPath]:
    if ask.present:
        return told.if_true if ask.truth else told.if_false
    return told.missing_if_true if ask.truth else told.missing_if_false


def _settled(ask: ExistenceTest, call: Node, promise: Node, method: str) -> frozenset[ApiPath]:
    """What is told by the value that `promise.then(…)`, `.catch(…)` or `.finally(…)` is fulfilled with."""
    callback = next(iter(arguments_of(call)), None)
    definition = None if callback is None else ask.evaluator.definition(ask.evaluator.value(callback))
    before = NOTHING_TOLD if method == "then" else _inner(ask, promise, ask.truth)
    if method == "finally":
        return before
    if definition is None or definition.type not in FUNCTIONS:
        return NOTHING_TOLD
    if method == "then":
        return _told_once(ask, definition, answers_of)
    values = [
        None if each.value is None else ask.evaluator.value(each.value)
        for each in answers_of(ask.evaluator, definition)
    ]
    never = all(value is None or outcome(value) is (not ask.truth) for value in values)
    return before if never else before & _told_once(ask, definition, answers_of)


def case_implies(ask: ExistenceTest, case: Node) -> frozenset[ApiPath]:
    """The members that are there in a case of `switch (typeof api.x)` or of `switch (true)`."""
    switch = case.parent.parent if case.parent is not None else None
    subject, value = (None if switch is None else switch.field("value")), case.field("value")
    if subject is None or value is None:
        return NOTHING_TOLD
    if outcome(ask.evaluator.value(subject)):
        return implied(ask, value)
    inner = operand_of_typeof(subject)
    if inner is None or text_of(ask.evaluator.value(value)) in {None, "undefined"}:
        return NOTHING_TOLD
    return held_in(ask, inner)


def _binary(ask: ExistenceTest, item: Node) -> frozenset[ApiPath]:
    left, right, operator = item.field("left"), item.field("right"), item.field("operator")
    if left is None or right is None or operator is None:
        return NOTHING_TOLD
    if operator.type in {"&&", "||", "??"}:
        first, second = _inner(ask, left, ask.truth), _inner(ask, right, ask.truth)
        if (operator.type == "&&") is ask.truth:
            return first | second
        for side, other in ((left, second), (right, first)):
            if outcome(ask.evaluator.value(side)) is (not ask.truth):
                return other
        if not ask.present:
            first, second = first | _root(ask, left), second | _root(ask, right)
        return _in_either_case(first, second, ask.present) | either(first, second)
    if operator.type == "in":
        return asked_in(ask, left, right) if ask.truth is ask.present else NOTHING_TOLD
    if operator.type in {"==", "===", "!=", "!=="}:
        same = operator.type in {"==", "==="}
        for subject, against in ((left, right), (right, left)):
            found = _compared(ask, subject, against, same is ask.truth)
            if found is not None:
                path, is_there = found
                return path if is_there is ask.present else NOTHING_TOLD
    if operator.type in {"<", ">"}:
        for subject, against, says_there in ((left, right, "<"), (right, left, ">")):
            path = shortened_typeof(ask, subject, against)
            if path:
                is_there = (operator.type == says_there) is ask.truth
                return path if is_there is ask.present else NOTHING_TOLD
    if operator.type == "instanceof" and ask.truth and ask.present:
        return held_in(ask, innermost(left))
    return NOTHING_TOLD


def _root(ask: ExistenceTest, condition: Node) -> frozenset[ApiPath]:
    """The path of the whole API, of which all lacks where it is missing, if a condition asks for that."""
    item = innermost(condition)
    operator = item.field("operator") if item.type == "binary_expression" else None
    asked: Node | None = item
    if operator is not None:
        left, is_not = item.field("left"), operator.type in {"!=", "!=="}
        asked = operand_of_typeof(left) if left is not None and is_not else None
    found = None if asked is None else ask.evaluator.api(asked)
    return NOTHING_TOLD if found is None or found.path else frozenset({()})


def _in_either_case(
    first: frozenset[ApiPath], second: frozenset[ApiPath], present: bool
) -> frozenset[ApiPath]:
    """What is there, or missing, by each of two answers, of which one holds.

    What is in a namespace is missing with it, and a namespace is there with what is in it.
    """
    found = first & second
    for one, other in ((first, second), (second, first)):
        for path in one:
            if any((each[: len(path)] == path) if present else (path[: len(each)] == each) for each in other):
                found |= {path}
    return found - {()}


def _compared(
    ask: ExistenceTest, subject: Node, against: Node, equal: bool
) -> tuple[frozenset[ApiPath], bool] | None:
    """The member that a comparison tells of, and whether it is there."""
    subject, value = innermost(subject), ask.evaluator.value(against)
    if not isinstance(value, Literal):
        return None
    inner = operand_of_typeof(subject)
    if inner is not None:
        path = held_in(ask, inner)
        if not path or value.kind is not Kind.STRING:
            return None
        if value.value == "undefined":
            return path, not equal
        return (path, True) if equal else None
    if value.kind in {Kind.NULL, Kind.UNDEFINED}:
        path = held_in(ask, subject)
        return (path, not equal) if path else None
    if value.kind is Kind.BOOLEAN:
        path = _inner(replace(ask, present=True), subject, bool(value.value) is equal)
        return (path, True) if path else None
    return None
