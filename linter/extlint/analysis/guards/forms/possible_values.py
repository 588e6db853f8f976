"""Finds the expressions whose value a named condition may have (`const hasTest = !!browser.test`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.scope.reaching_definitions import MAX_WRITES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AugmentedAssignment,
    FieldDefinition,
    Function,
    MethodDefinition,
    Pair,
)
from extlint.analysis.syntax.shapes import assigned_parts, innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_statements
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.promise_values import fulfillments, sources_of_parameter
from extlint.analysis.values.property_index import (
    LazyList,
    assignment_to,
    defining_leaves,
    key_of,
    property_leaves,
    property_writes,
)

NAMES = frozenset({"identifier", "shorthand_property_identifier"})
"""The types of nodes that read a variable."""

MAX_PLACES = 60
"""The maximum number of places of a property name to examine."""


class PossibleValue(Struct, frozen=True):
    """An expression, or None for undefined, and where it is assigned or returned if that is in a function."""

    value: Node | None
    place: Node | None = None


def returned_values(evaluator: Evaluator, function: Node) -> list[PossibleValue]:
    """Returns the values that a function may return."""
    if not isinstance(function, Function):
        return []
    if function.body.type != "statement_block":
        return [PossibleValue(function.body)]
    found = return_statements(evaluator, function.body)
    return [PossibleValue(each.first(), each) for each in found]


def fulfillment_values(evaluator: Evaluator, promise: Node) -> list[PossibleValue]:
    """Returns the possible fulfillment values of a promise that is created by `new`."""
    return [PossibleValue(value, place) for value, place in fulfillments(evaluator, promise) or ()]


def assigned_values(evaluator: Evaluator, expression: Node) -> Iterable[PossibleValue]:
    """Returns the values assigned to a variable, or to any property with the name of a member expression.

    The exports of a bundle's modules are excluded, as each of them has such a property.
    """
    if expression.type in NAMES:
        return _of_variable(evaluator, expression)
    name = None if _is_of_module(evaluator, expression) else key_of(evaluator, expression)
    return [] if name is None else values_of_property(evaluator, name)


def possible_methods(evaluator: Evaluator, callee: Node) -> list[Function]:
    """Returns the functions that any property with the name of a called member holds.

    Returns an empty list if a property of that name holds something else, or there are too many of them.
    """
    name = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
    leaves = [] if name is None else [*islice(property_leaves(evaluator, name), MAX_PLACES + 1)]
    if name is None or len(leaves) > MAX_PLACES:
        return []
    named = (each.parent for each in leaves if each.is_field("name"))
    found: list[Function] = [each for each in named if isinstance(each, MethodDefinition)]
    for each in values_of_property(evaluator, name):
        function = None if each.value is None else innermost(each.value)
        if not isinstance(function, Function):
            return []
        found.append(function)
    return found


def _is_of_module(evaluator: Evaluator, place: Node) -> bool:
    """Whether a place is a property of a bundled module in the module's own code."""
    return isinstance(place, AccessExpression) and bundle_of(evaluator).module_named(place.object) is not None


def is_assigned(evaluator: Evaluator, variable: Node) -> bool:
    """Whether any value assigned to a variable is known."""
    return bool(_of_variable(evaluator, variable))


def _of_variable(evaluator: Evaluator, variable: Node) -> list[PossibleValue]:
    binding = evaluator.names.variable(variable)
    if binding is None:
        return _of_global(evaluator, evaluator.tree.source(variable))
    if len(binding.writes) > MAX_WRITES:
        return []
    found = []
    for write in binding.writes:
        source = write.source
        if write.kind == "parameter" and source is not None and len(binding.writes) == 1:
            return [PossibleValue(each) for each in sources_of_parameter(evaluator, source) or ()]
        assigned = None if source is None else _written_parts(source)
        if assigned is None or not assigned[0].same(write.item):
            return []
        found.append(PossibleValue(assigned[1], write.item))
    return found


def _written_parts(source: Node) -> tuple[Node, Node | None] | None:
    """Returns the name or pattern that is written and the value, also of `name ??= value`."""
    if isinstance(source, AugmentedAssignment):
        return (source.left, source.right) if source.is_logical else None
    return assigned_parts(source)


@once_per_script
def _of_global(evaluator: Evaluator, name: str) -> list[PossibleValue]:
    """Returns the values assigned to a property of the global object that the script does not declare."""
    writes = evaluator.names.free_writes(name)
    if name in evaluator.shared.values:
        return []
    places = property_writes(evaluator, name)
    if len(writes) + len(places) > MAX_WRITES:
        return []
    assignments = [each.source for each in writes] + [assignment_to(each) for each in places]
    found = [
        PossibleValue(each.right, each) for each in assignments if isinstance(each, AssignmentExpression)
    ]
    return found if len(found) == len(assignments) else []


@once_per_script
def values_of_property(evaluator: Evaluator, name: str) -> LazyList[PossibleValue]:
    """Returns the values that a script gives to properties with a name."""
    return LazyList(lambda: _search_property(evaluator, name))


def _search_property(evaluator: Evaluator, name: str) -> Iterator[PossibleValue]:
    for leaf in defining_leaves(evaluator, name, MAX_PLACES):
        match leaf.parent:
            case Pair(value=value) | FieldDefinition(value=value):
                if not leaf.is_field("value"):
                    yield PossibleValue(value)
            case MethodDefinition() as method if method.has_token("get"):
                yield from returned_values(evaluator, method)
            case AccessExpression() as place:
                assignment = assignment_to(place)
                if assignment is not None and not _is_of_module(evaluator, place):
                    yield PossibleValue(assignment.right, place)
