"""Finds implications of conditions computed elsewhere: in a variable, property, function or promise.

    const isTested = () => !!browser.management;
    if (isTested()) browser.management.getSelf();

The outcome of `isTested()` is the return value of the function, so that is read as if it were the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeAlias

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import API_ROOT
from extlint.analysis.facts.values import (
    ArrayValue,
    FunctionValue,
    Implications,
    Literal,
    Typed,
    Unknown,
    options_of,
)
from extlint.analysis.guards.forms.facts import NOTHING_IMPLIED, ConditionQuery, Facts
from extlint.analysis.guards.forms.members import may_be_unset, operand_facts, variable_facts
from extlint.analysis.guards.forms.possible_values import (
    PossibleValue,
    assigned_values,
    fulfillment_values,
    possible_methods,
    returned_values,
    values_of_property,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Function
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.syntax.shapes import innermost, parameter_items, pattern_of
from extlint.analysis.values.condition_values import (
    condition_value,
    implications_of,
    path_in_text,
    with_argument_names,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script, tentative
from extlint.analysis.values.promise_values import chained_promise
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_COMPUTED = frozenset({"binary_expression", "call_expression", "unary_expression"})
"""Expressions that are the origin of their value."""

_WHOLE_API = (API_ROOT, "chrome")
"""The root of the API that every browser has."""

MAX_PATH_TEST_BYTES = 500
"""The maximum number of bytes of a function that tests whether the API has a path."""

_MAX_TEXTS = 20
_MAX_COMPARED = 12
"""The maximum number of values of a name, or property, that is compared with a text or number."""

_ROOT = lazy(rb"\b(?:%b)\b" % "|".join(ROOTS).encode())

_PossibleValues: TypeAlias = Callable[[Evaluator, Node], Iterable[PossibleValue]]


def implied_by_name(query: ConditionQuery, item: Node) -> Facts:
    """Returns the implications of the values of a variable, or of a property of that name."""
    found = _implied_once(query, item, assigned_values) | _implied_by_origins(query, item)
    if any(each[0] == API_ROOT for each in found) and may_be_unset(query.evaluator, item):
        return frozenset(each for each in found if each[0] != API_ROOT)
    return found


def implied_by_promise(query: ConditionQuery, promise: Node) -> Facts:
    """Returns the implications of the fulfillment value of a promise created with `new`."""
    return _implied_once(query, promise, fulfillment_values)


def implied_by_function(query: ConditionQuery, function: Node) -> Facts:
    """Returns the implications of the return value of a function."""
    return _implied_once(query, function, returned_values) or _implied_by_texts(query, function)


def _implied_by_texts(query: ConditionQuery, function: Node) -> Facts:
    """Returns the member whose path the arguments are, of a function that follows it through the API.

    Its code is not understood: `(path) => path.split(".").reduce((part, key) => part?.[key], browser)`.
    """
    text = query.evaluator.tree.text
    if (
        not (query.outcome and query.present and query.arguments)
        or query.compared is not None
        or function.end - function.start > MAX_PATH_TEST_BYTES
        or _ROOT.search(text, function.start, function.end) is None
    ):
        return NOTHING_IMPLIED
    texts = [*query.arguments.values()]
    paths = map(path_in_text, (".".join(texts), *texts))
    return frozenset(each for each in paths if each is not None)


def implied_by_call(query: ConditionQuery, call: CallExpression) -> Facts:
    """Returns the implications of the value of a call, according to the called function."""
    promise = chained_promise(query.evaluator, call)
    if promise is not None:
        return _implied_by_handler(query, call, *promise)
    of_each = _implied_by_each_text(query, call)
    if of_each:
        return of_each
    callee = condition_value(query.evaluator, call.callee)
    if isinstance(callee, FunctionValue) and callee.implications is not None:
        return _facts(query, with_argument_names(callee.implications, _argument_texts(query, call)))
    definition = query.evaluator.definition(callee)
    if isinstance(definition, Function):
        return _implied_by_callee(query, call, definition)
    known = _facts(query, implications_of(query.evaluator.partial(call)))
    methods = () if known else possible_methods(query.evaluator, innermost(call.callee))
    found = [_implied_by_callee(query, call, each) for each in methods]
    return frozenset.intersection(*found) if found else known


def _implied_by_each_text(query: ConditionQuery, call: CallExpression) -> Facts:
    """Returns the implications of a function for each text of a list: `["tabs"].every((key) => key in api)`.

    If `every` is true, the function has returned true for each, and if `some` is false, false.
    """
    callee, first = innermost(call.callee), call.first_argument
    if not isinstance(callee, AccessExpression) or first is None or query.compared is not None:
        return NOTHING_IMPLIED
    if key_of(query.evaluator, callee) != ("every" if query.outcome else "some"):
        return NOTHING_IMPLIED
    listed = query.evaluator.value(callee.object)
    function = query.evaluator.definition_of(first)
    names = parameter_names(query.evaluator, function) if isinstance(function, Function) else []
    if not isinstance(listed, ArrayValue) or listed.open or not names or function is None:
        return NOTHING_IMPLIED
    texts = [each.value for each in listed.items if isinstance(each, Literal)]
    return NOTHING_IMPLIED.union(
        *(
            implied_by_function(replace(query, arguments={names[0]: each}), function)
            for each in texts[:_MAX_TEXTS]
            if isinstance(each, str)
        )
    )


def _implied_by_callee(query: ConditionQuery, call: CallExpression, definition: Function) -> Facts:
    """Returns the implications of the value of a call of a function, also for the arguments that it tests."""
    texts = _argument_texts(query, call)
    names = [*parameter_names(query.evaluator, definition), *map(str, range(len(texts)))]
    arguments = {name: text for name, text in zip(names, texts, strict=False) if text is not None}
    found = implied_by_function(replace(query, arguments=arguments), definition)
    for parameter, argument in zip(parameter_items(definition), call.arguments, strict=False):
        if not found.isdisjoint(variable_facts(query, pattern_of(parameter))):
            found |= operand_facts(query, innermost(argument))
    return found


def parameter_names(evaluator: Evaluator, function: Node) -> list[str]:
    """Returns the parameters of a function as they are written, without types."""
    return [evaluator.tree.source(pattern_of(each)) for each in parameter_items(function)]


def _argument_texts(query: ConditionQuery, call: CallExpression) -> list[str | None]:
    """Returns the texts that a call passes, with None for an argument that is not a known text."""
    return [query.text(each) for each in call.arguments]


def _implied_by_handler(query: ConditionQuery, call: CallExpression, promise: Node, method: str) -> Facts:
    """Returns implications of the fulfillment value of `promise.then(…)`, `.catch(…)` or `.finally(…)`."""
    callback = call.first_argument
    evaluator = query.evaluator
    definition = None if callback is None else evaluator.definition_of(callback)
    before = NOTHING_IMPLIED if method == "then" else query.implied_by_value(promise)
    if method == "finally":
        return before
    if not isinstance(definition, Function):
        return NOTHING_IMPLIED
    if method == "then":
        return implied_by_function(query, definition)
    values = [
        None if each.value is None else evaluator.value(each.value)
        for each in returned_values(evaluator, definition)
    ]
    never = all(value is None or query.outcome_for(value) is (not query.outcome) for value in values)
    return before if never else before & implied_by_function(query, definition)


def _implied_by_origins(query: ConditionQuery, item: Node) -> Facts:
    """Returns the implications of expressions that computed a name's value, in this script or another."""
    found = []
    for option in options_of(condition_value(query.evaluator, item)):
        if query.outcome_for(option) is (not query.outcome):
            continue
        if not isinstance(option, Typed | Unknown):
            return NOTHING_IMPLIED
        origin = None if option.span is None else query.evaluator.tree.item_at(option.span)
        if option.implications is not None:
            found.append(_facts(query, option.implications))
        elif origin is not None and origin.type in _COMPUTED and not origin.contains(item):
            found.append(query.implied_by_value(origin))
        else:
            return NOTHING_IMPLIED
    return frozenset.intersection(*found) if found else NOTHING_IMPLIED


def _facts(query: ConditionQuery, facts: Implications) -> Facts:
    if query.compared is not None:
        return NOTHING_IMPLIED
    if query.present:
        return facts.if_true if query.outcome else facts.if_false
    return facts.missing_if_true if query.outcome else facts.missing_if_false


_Key: TypeAlias = tuple[int, bool, bool, tuple[tuple[str, str], ...], Literal | None]
"""A node, the outcome, whether present facts are requested, the arguments, and the compared literal."""


def implied_by_property(query: ConditionQuery, name: str) -> Facts:
    """Returns the implications of the values that a script gives to properties with a name."""
    return _implied_by_each(query, values_of_property(query.evaluator, name))


@once_per_script
def _known_implications(evaluator: Evaluator) -> dict[_Key, tuple[int, Facts]]:  # noqa: ARG001
    """Returns the known implications of the values of nodes, with the depth of the query that found them."""
    return {}


def _implied_once(query: ConditionQuery, item: Node, possible_values: _PossibleValues) -> Facts:
    """Returns the implications of the values that a node may have, computed once.

    A query inside itself finds nothing. The result of a deeper query may have been cut short, so it is not
    reused.
    """
    key = (item.id, query.outcome, query.present, tuple(sorted(query.arguments.items())), query.compared)
    known = _known_implications(query.evaluator)
    at = known.get(key)
    if at is not None and at[0] <= query.depth:
        return at[1]
    with tentative(known, key, (query.depth, NOTHING_IMPLIED)):
        found = _implied_by_each(query, possible_values(query.evaluator, item))
    known[key] = (query.depth, found)
    return found


def _implied_by_each(query: ConditionQuery, values: Iterable[PossibleValue]) -> Facts:
    """Returns the facts that hold for every possible value of a condition except those of another outcome.

    A value without the API does not count if there are others: where code uses the API, it exists.
    """
    found: list[tuple[Facts, bool]] = []
    known = values if query.compared is None else [*islice(values, _MAX_COMPARED + 1)]
    if isinstance(known, list) and len(known) > _MAX_COMPARED:
        return NOTHING_IMPLIED
    for each in known:
        if each.value is None:
            continue
        outcome = query.outcome_of(each.value)
        if outcome is (not query.outcome):
            continue
        facts, has_api = query.implied_by_value(each.value), True
        if each.place is not None and outcome is not None:
            guards = query.guards_at(each.place)
            facts |= guards.tested if query.present else guards.missing
            has_api = _WHOLE_API not in guards.missing
        if has_api and not facts:
            return NOTHING_IMPLIED
        found.append((facts, has_api))
    with_api = [facts for facts, has_api in found if has_api] or [facts for facts, _ in found]
    return frozenset.intersection(*with_api) if with_api else NOTHING_IMPLIED
