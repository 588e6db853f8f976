"""Resolves destructuring: finds the part of a value that a name in a pattern is bound to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ObjectValue,
    Unknown,
    Value,
    is_undefined,
    options_of,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AssignmentPattern, PairPattern
from extlint.analysis.syntax.shapes import pattern_of, target_of
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import choice_of, without_options
from extlint.analysis.values.property_index import key_of


def array_index(evaluator: Evaluator, element: Node) -> int | None:
    """Returns an element's index in its array or array pattern, counting holes, or None after a spread."""
    return None if element.parent is None else _array_indices(evaluator, element.parent).get(element.id)


@once_per_script
def _array_indices(evaluator: Evaluator, array: Node) -> dict[int, int]:  # noqa: ARG001
    """Returns the indices of an array's or array pattern's elements before its first spread, by their ids."""
    found: dict[int, int] = {}
    index = 0
    for child in array.children():
        found[child.id] = index
        if child.type == ",":
            index += 1
        elif child.type in {"rest_pattern", "spread_element"}:
            break
    return found


class _Step(Struct, frozen=True):
    """One step into a value: the member `name`, or `default` if the value is undefined.

    `rest` is the `...name` of an object pattern, which is bound to the remaining members.
    """

    at: Node
    name: str | None = None
    default: Node | None = None
    rest: Node | None = None
    is_unknown: bool = False


def names_in(pattern: Node) -> Iterator[Node]:
    """Yields the names that a pattern declares or assigns to."""
    waiting = [pattern]
    while waiting:
        each = waiting.pop()
        match each.type:
            case "identifier" | "shorthand_property_identifier_pattern":
                yield each
            case "pair_pattern" | "assignment_pattern" | "object_assignment_pattern":
                waiting.append(target_of(each))
            case "required_parameter" | "optional_parameter":
                waiting.append(pattern_of(each))
            case "array_pattern" | "object_pattern":
                waiting.extend(reversed(each.named()))


def part_of(view: View, whole: Value, pattern: Node, target: Node) -> Value:
    """Returns the part of `whole` that the name `target` inside `pattern` is bound to."""
    value = whole
    for step in reversed(_steps(view.evaluator, pattern, target)):
        if step.is_unknown:
            return UNKNOWN
        if step.rest is not None:
            value = _rest_value(view.evaluator, value, step.rest)
            continue
        value = (
            view.member(value, step.name, step.at)
            if step.name is not None
            else with_default(view, value, step.default)
        )
    return value


def requested_part_of_pattern(
    evaluator: Evaluator, pattern: Node, target: Node, requested: str | None
) -> str | None:
    """Returns the only member of a pattern's value that matters if only `requested` of `target` matters."""
    if target.same(pattern):
        return requested
    first = next(
        (each for each in reversed(_steps(evaluator, pattern, target)) if each.default is None), None
    )
    return requested if first is None else first.name


def _steps(evaluator: Evaluator, pattern: Node, target: Node) -> list[_Step]:
    """Returns the steps from the name up to the whole pattern, innermost first."""
    steps: list[_Step] = []
    child = target
    while not child.same(pattern):
        up = child.parent
        if up is None:
            break
        if child.type == "shorthand_property_identifier_pattern" and up.type == "object_pattern":
            steps.append(_Step(child, key_of(evaluator, child)))
        elif isinstance(up, AssignmentPattern):
            steps.append(_Step(up, default=up.right))
            if child.type == "shorthand_property_identifier_pattern":
                steps.append(_Step(child, key_of(evaluator, child)))
        elif up.type == "rest_pattern" and up.parent is not None and up.parent.type == "object_pattern":
            steps.append(_Step(up, rest=up))
        elif isinstance(up, PairPattern):
            name = key_of(evaluator, up)
            steps.append(_Step(up.key, name, is_unknown=name is None))
        elif up.type == "array_pattern":
            index = array_index(evaluator, child)
            is_unknown = index is None or child.type == "rest_pattern"
            steps.append(_Step(child, str(index), is_unknown=is_unknown))
        child = up
    return steps


def _rest_value(evaluator: Evaluator, value: Value, rest: Node) -> Value:
    """Returns the value of an object pattern's `...rest`: a new object without members named before it."""
    if isinstance(value, Api):
        return value
    if not isinstance(value, ObjectValue) or rest.parent is None:
        return UNKNOWN
    named = {key_of(evaluator, each) for each in rest.parent.named() if not each.same(rest)}
    is_open = value.open or None in named
    fields = {
        name: replace(field, maybe_absent=field.maybe_absent or None in named)
        for name, field in value.fields.items()
        if name not in named
    }
    return ObjectValue(fields, is_open, rest.span)


def with_default(view: View, value: Value, default: Node | None) -> Value:
    """Returns the value, with the default in place of `undefined` if it may be undefined."""
    if default is None:
        return value
    if not any(
        isinstance(each, Unknown | Api | ApiResult) or is_undefined(each) for each in options_of(value)
    ):
        return value
    return choice_of(without_options(value, is_undefined), view.partial(default))
