"""Computes the value of an object after assignments to its members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from extlint.analysis.expressions.escaped_values import escaped_value
from extlint.analysis.facts.values import UNKNOWN, Field, ObjectValue, Value, union_of
from extlint.analysis.scope.identifiers import function_of
from extlint.analysis.scope.reaching_definitions import LOOPS, certainly_runs_before
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, AssignmentExpression, AugmentedAssignment
from extlint.analysis.values.evaluator import Evaluator, View
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import assignment_to
from extlint.analysis.values.property_names import key_of
from extlint.analysis.values.value_sizes import within_limits
from extlint.text.positions import ByteSpan


class MemberWrite(Struct, frozen=True, eq=False):
    """An assignment to a member: its name if that is known, and the position of the key."""

    place: Node
    name: str | None
    key: ByteSpan
    assignment: AssignmentExpression | AugmentedAssignment | None
    function: Node
    in_loop: bool


@once_per_script
def member_write(evaluator: Evaluator, place: Node) -> MemberWrite:
    """Returns the write at a place where a member is assigned."""
    return MemberWrite(
        place,
        key_of(evaluator, place),
        (place.key if isinstance(place, AccessExpression) else place).span,
        assignment_to(place),
        function_of(place),
        any(up.type in LOOPS for up in place.ancestors()),
    )


def value_after_writes(
    view: View, value: Value, places: Sequence[Node], at: Node, requested: str | None
) -> Value:
    """Returns the value at a place of an object to whose members a script assigns.

    If `requested` is set, only the assigned member of that name is added.
    """
    if not places:
        return value
    if not isinstance(value, ObjectValue):
        return escaped_value(value)
    writes = [member_write(view.evaluator, place) for place in places]
    if any(each.name is None for each in writes):
        return escaped_value(value, {None})
    counts = Counter(each.name for each in writes)
    fields, is_open, here = dict(value.fields), value.open, function_of(at)
    for each in writes:
        name = each.name or ""
        if requested is not None and name != requested:
            continue
        old = fields.get(name) or (Field(UNKNOWN, None, True) if is_open else None)
        replaces = counts[name] == 1 and each.function.same(here) and _is_complete_before(each, at)
        fields[name] = _assigned_field(view, old, each, replaces=replaces)
    return within_limits(view.evaluator, ObjectValue(fields, is_open, value.span))


def _is_complete_before(write: MemberWrite, at: Node) -> bool:
    """Whether the only write of a member is certainly complete before the code at a place runs."""
    return (
        not write.in_loop
        and write.assignment is not None
        and write.assignment.end <= at.start
        and certainly_runs_before(write.place, at)
    )


def _assigned_field(view: View, old: Field | None, write: MemberWrite, *, replaces: bool) -> Field:
    assignment = write.assignment
    new = view.partial(assignment.right) if isinstance(assignment, AssignmentExpression) else UNKNOWN
    if replaces:
        return Field(new, write.key)
    if old is None:
        return Field(new, write.key, True)
    return Field(union_of((old.value, new)), old.key, old.maybe_absent)
