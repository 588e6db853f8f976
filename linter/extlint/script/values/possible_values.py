"""The expressions that a condition with a name stands for (`const hasTest = !!browser.test`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from extlint.script.scope.bindings import TooManyOccurrencesError
from extlint.script.scope.reaching_definitions import MAX_WRITES
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.functions import return_statements
from extlint.script.values.lazy_list import LazyList
from extlint.script.values.memo import once_per_script
from extlint.script.values.property_index import assignment_to, property_leaves, property_writes
from extlint.script.values.property_names import key_of
from extlint.script.values.settled_promises import passed_by_callers, settling

NAMES = frozenset({"identifier", "shorthand_property_identifier"})
"""How a variable is named where it is read."""

MAX_PLACES = 60
"""Places where a property of one name stands that are looked at."""


class PossibleValue(Struct, frozen=True):
    """An expression that may be meant, None for undefined, and where it is given if that is in a function."""

    value: Node | None
    place: Node | None = None


def answers_of(evaluator: Evaluator, function: Node) -> list[PossibleValue]:
    """What a function may answer."""
    body = function.field("body")
    if body is None:
        return []
    if body.type != "statement_block":
        return [PossibleValue(body)]
    found = return_statements(evaluator, body)
    return [PossibleValue(each.first(), each) for each in found or ()]


def settled_values(evaluator: Evaluator, made: Node) -> list[PossibleValue]:
    """What a promise that is made by `new` is fulfilled with."""
    return [PossibleValue(value, place) for value, place in settling(evaluator, made) or ()]


def given_values(evaluator: Evaluator, item: Node) -> Iterable[PossibleValue]:
    """What a variable, or a property that goes by the name of a member expression, is given."""
    if item.type in NAMES:
        return _of_variable(evaluator, item)
    name = key_of(evaluator, item)
    return [] if name is None else _of_property(evaluator, name)


def is_given(evaluator: Evaluator, variable: Node) -> bool:
    """Whether what a variable is given is known."""
    return bool(_of_variable(evaluator, variable))


def _of_variable(evaluator: Evaluator, item: Node) -> list[PossibleValue]:
    binding = evaluator.names.variable(item)
    if binding is None:
        return _of_global(evaluator, item)
    if len(binding.writes) > MAX_WRITES:
        return []
    found = []
    for write in binding.writes:
        source = write.source
        if write.kind == "parameter" and source is not None and len(binding.writes) == 1:
            return [PossibleValue(each) for each in passed_by_callers(evaluator, source) or ()]
        if source is None or write.kind not in {"assignment", "let", "var"}:
            return []
        name, value = (
            source.field("name") or source.field("left"),
            source.field("value") or source.field("right"),
        )
        if name is None or not name.same(write.item):
            return []
        found.append(PossibleValue(value, write.item))
    return found


def _of_global(evaluator: Evaluator, item: Node) -> list[PossibleValue]:
    """What a property of the global object is given, of which nothing in the script is the declaration."""
    name = evaluator.tree.source(item)
    try:
        writes = evaluator.names.free_writes(name)
        if evaluator.names.resolve(name, item) is not None or name in evaluator.shared.values:
            return []
    except TooManyOccurrencesError:
        return []
    places = property_writes(evaluator, name)
    if len(writes) + len(places) > MAX_WRITES:
        return []
    assigned = [each.source for each in writes] + [assignment_to(each) for each in places]
    if any(each is None or each.type != "assignment_expression" for each in assigned):
        return []
    return [PossibleValue(each.field("right"), each) for each in assigned if each is not None]


@once_per_script
def _of_property(evaluator: Evaluator, name: str) -> LazyList[PossibleValue]:
    return LazyList(_search_property(evaluator, name))


def _search_property(evaluator: Evaluator, name: str) -> Iterator[PossibleValue]:
    for leaf in islice(property_leaves(evaluator, name), MAX_PLACES):
        place = leaf.parent
        if place is None:
            continue
        match place.type:
            case "pair" | "field_definition" | "public_field_definition":
                if not leaf.is_field("value"):
                    yield PossibleValue(place.field("value"))
            case "method_definition" if place.has("get"):
                yield from answers_of(evaluator, place)
            case kind if kind in MEMBERS:
                assignment = assignment_to(place)
                if assignment is not None:
                    yield PossibleValue(assignment.field("right"), place)
