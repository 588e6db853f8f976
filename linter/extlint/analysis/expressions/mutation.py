"""Determines how the uses of a variable mutate its object, and what remains known of a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import partial
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Unknown,
    Value,
    options_of,
    union_of,
)
from extlint.analysis.scope.model import Binding, Effects, function_of
from extlint.analysis.scope.reaching_definitions import MAX_WRITES, certainly_runs_before
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import AccessExpression, AssignmentExpression, AugmentedAssignment
from extlint.analysis.values.api_results import is_promise, is_response
from extlint.analysis.values.evaluator import GLOBAL, Evaluator, View
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import carries_api, join
from extlint.analysis.values.property_index import assignment_to, key_of
from extlint.analysis.values.value_sizes import within_limits
from extlint.text.positions import ByteSpan


def escaped_value(value: Value, written: Collection[str | None] = ()) -> Value:
    """Returns the part of a value that is still known after it has escaped to other code.

    Functions and members of the API in an object are assumed to be unchanged, except those whose names are in
    `written`: programs do not replace them. Everything else may have changed.
    """
    if isinstance(value, ArrayValue):
        return ArrayValue((), True, value.span)
    if isinstance(value, ApiResult):
        return value if is_promise(value) else UNKNOWN
    if isinstance(value, ObjectValue):
        left = {
            name: Field(escaped_value(found.value), found.key, found.maybe_absent)
            for name, found in value.fields.items()
        }
        changed = None in written
        remaining = {
            name: each for name, each in left.items() if _stays(each.value, changed or name in written)
        }
        return ObjectValue(remaining, True, value.span)
    return value


def _stays(value: Value, is_written: bool) -> bool:
    if carries_api(value):
        return True
    holds_members = isinstance(value, FunctionValue) or (isinstance(value, ObjectValue) and value.fields)
    return bool(holds_members) and not is_written


def shared_with_scripts(value: Value, *, constant: bool) -> Value:
    """Returns the part of a variable's value that is known even though other scripts of the realm use it.

    The API, objects that contain it and functions are assumed to be unchanged; any other variable that is
    not `constant` may have been reassigned.
    """
    return union_of(part for option in options_of(value) for part in _shared_option(option, constant))


def _shared_option(option: Value, constant: bool) -> tuple[Value, ...]:
    match option:
        case Api() | Unknown():
            return (option,)
        case FunctionValue():
            return (replace(option, parameters=None),)
        case ObjectValue() | ArrayValue():
            escaped = escaped_value(option)
            return (
                (escaped,)
                if constant or (isinstance(escaped, ObjectValue) and escaped.fields)
                else (UNKNOWN,)
            )
    return (option,) if constant else (UNKNOWN,)


def stable_part(value: Value, *, only_api: bool = False) -> Value:
    """Returns the known part of the value of a property that other code can write too.

    Members of the API, its results, functions and instances of the script's own classes are assumed to be
    unchanged, since programs do not replace them; any other value may have changed.
    """
    stable_options = [_stable_option(each, only_api=only_api) for each in options_of(value)]
    return UNKNOWN if all(isinstance(each, Literal) for each in stable_options) else join(*stable_options)


def is_partly_unstable(value: Value) -> bool:
    """Whether some option of a value becomes unknown because other code may change it."""
    return any(_stable_option(each, only_api=False) == UNKNOWN for each in options_of(value))


def _stable_option(value: Value, *, only_api: bool) -> Value:
    match value:
        case Api() | ApiResult():
            return value
        case Literal(kind=Kind.NULL | Kind.UNDEFINED):
            return value
        case FunctionValue() | InstanceValue(builtin=False):
            return UNKNOWN if only_api else value
        case ObjectValue():
            left = escaped_value(value)
            return left if isinstance(left, ObjectValue) and left.fields else UNKNOWN
    return value if value == GLOBAL else UNKNOWN


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


_MAX_KEPT = 20

MAX_CHANGED_NAMES = 200
"""The most names of members for which each read of a variable is distinguished."""


def value_after_mutations(
    view: View, binding: Binding, value: Value, at: Node, requested: str | None = None
) -> Value:
    """Returns the value of a variable at a place, without the parts that its other uses may have mutated.

    If `requested` is set, only the assigned member of that name is added.
    """
    evaluator = view.evaluator
    if not any(
        isinstance(each, ApiResult | ArrayValue | ObjectValue) and not is_response(each)
        for each in options_of(value)
    ):
        return value
    from extlint.analysis.expressions.object_effects import effects_of

    effects = _effects_before_read(evaluator, binding, effects_of(evaluator, binding), at)
    if any(not use.same(at) for use in effects.escapes) or len(effects.writes) > MAX_WRITES:
        return union_of(map(partial(_escaped, evaluator, effects), options_of(value)))
    is_returned = any(_is_kept_by_caller(binding, use, at) for use in effects.returned)
    parts_escape = any(not use.same(at) for use in effects.part_escapes)
    items_escape = any(not use.same(at) for use in effects.items)

    def written(each: Value) -> Value:
        if isinstance(each, ApiResult):
            return UNKNOWN if effects.writes else each
        if isinstance(each, ArrayValue) and (parts_escape or (items_escape and _has_objects(each))):
            return _escaped(evaluator, effects, each)
        changed = value_after_writes(view, each, effects.writes, at, requested)
        if is_returned:
            return escaped_value(changed)
        if parts_escape:
            return _with_parts_escaped(effects, changed, frozenset({None}))
        return _with_changed_members(evaluator, effects, changed, at)

    return union_of(map(written, options_of(value)))


def _is_kept_by_caller(binding: Binding, use: Node, at: Node) -> bool:
    """Whether a function returns the object to a caller that may change it before a place reads it."""
    here = function_of(use)
    is_local = all(function_of(each.item).same(here) for each in binding.declarations)
    return not use.same(at) and not (is_local and function_of(at).same(here))


def _escaped(evaluator: Evaluator, effects: Effects, value: Value) -> Value:
    """Returns the known part of an escaped object, which is the same for every read of the variable."""
    if "written" not in effects.derived:
        written = {key_of(evaluator, each) for each in (*effects.writes, *effects.changes)}
        effects.derived["written"] = written
    return _cached(effects, "escaped", value, lambda: escaped_value(value, effects.derived["written"]))


def _cached(effects: Effects, key: Hashable, value: Value, compute: Callable[[], Value]) -> Value:
    """Returns the value that results from these effects, computed once for the same object."""
    known: dict[int, tuple[Value, Value]] = effects.derived.setdefault(key, {})
    if id(value) not in known:
        if len(known) >= _MAX_KEPT:
            known.clear()
        known[id(value)] = value, compute()
    return known[id(value)][1]


def _effects_before_read(evaluator: Evaluator, binding: Binding, effects: Effects, at: Node) -> Effects:
    """Returns the effects without those that follow an API call that reads the object at a place."""
    if effects.is_harmless:
        return effects
    from extlint.analysis.expressions.object_effects import is_after_call, reading_call

    call = reading_call(evaluator, at)
    if call is None:
        return effects

    def kept(uses: list[Node]) -> list[Node]:
        return [each for each in uses if each.same(at) or not is_after_call(binding, each, at, call)]

    return Effects(
        kept(effects.escapes),
        kept(effects.part_escapes),
        kept(effects.items),
        kept(effects.returned),
        kept(effects.writes),
        kept(effects.changes),
        kept(effects.inner),
    )


def _with_changed_members(evaluator: Evaluator, effects: Effects, value: Value, at: Node) -> Value:
    """Returns the known part of an object if other code may mutate the values of some of its members.

    A member that is named only where the variable is read is not mutated by other code.
    """
    if not effects.inner:
        return value
    names, counts, changed = _inner_names(evaluator, effects)
    if len(changed) <= MAX_CHANGED_NAMES:
        around = Counter(
            names[up.id] for up in takewhile(_is_in_expression, at.ancestors()) if up.id in names
        )
        changed -= {name for name, count in around.items() if count == counts[name]}
    if not changed:
        return value
    if isinstance(value, ArrayValue) and _has_objects(value):
        return escaped_value(value)
    return _with_parts_escaped(effects, value, changed)


def _is_in_expression(up: Node) -> bool:
    return up.type not in {"program", "statement_block"}


def _inner_names(
    evaluator: Evaluator, effects: Effects
) -> tuple[Mapping[int, str | None], Mapping[str | None, int], frozenset[str | None]]:
    """Returns the names of members whose parts may be written: by node, how often each occurs, and all."""
    if "inner" not in effects.derived:
        names = {each.id: key_of(evaluator, each) for each in effects.inner}
        counts = Counter(names.values())
        effects.derived["inner"] = names, counts, frozenset(counts)
    found: tuple[Mapping[int, str | None], Mapping[str | None, int], frozenset[str | None]]
    found = effects.derived["inner"]
    return found


def _with_parts_escaped(effects: Effects, value: Value, names: frozenset[str | None]) -> Value:
    """Returns an object without the known parts of members with some names, or of all for the name None."""
    if not isinstance(value, ObjectValue):
        return value

    def compute() -> Value:
        fields = {
            name: replace(each, value=union_of(map(escaped_value, options_of(each.value))))
            if name in names or None in names
            else each
            for name, each in value.fields.items()
        }
        return ObjectValue(fields, value.open, value.span)

    return _cached(effects, ("parts", names), value, compute)


def _has_objects(value: Value) -> bool:
    """Whether an array has items that can be mutated."""
    return isinstance(value, ArrayValue) and any(
        isinstance(option, ObjectValue | ArrayValue) for item in value.items for option in options_of(item)
    )
