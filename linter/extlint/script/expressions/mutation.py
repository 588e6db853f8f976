"""How the uses of a variable mutate the object that it holds."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from extlint.script.expressions.consumed import is_later, reading_call
from extlint.script.expressions.pure_calls import is_reader, only_reads
from extlint.script.facts.values import (
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    Field,
    FunctionValue,
    ObjectValue,
    Unknown,
    Value,
    options_of,
    union_of,
)
from extlint.script.scope.bindings import Binding, Effects
from extlint.script.scope.identifiers import Role, function_of
from extlint.script.scope.reaching_definitions import LOOPS, MAX_WRITES, certainly_before
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    ForInStatement,
    MemberExpression,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import call_of, call_with, outermost
from extlint.script.values.api_results import ITEM_METHODS, READING_METHODS, REORDERING_METHODS, is_promise
from extlint.script.values.evaluator import Evaluator, carries_api
from extlint.script.values.property_index import assignment_to, is_changed
from extlint.script.values.property_names import key_of

_READERS = frozenset(
    {
        "arrow_function",
        "await_expression",
        "binary_expression",
        "if_statement",
        "return_statement",
        "spread_element",
        "switch_statement",
        "template_substitution",
        "ternary_expression",
        "unary_expression",
        "expression_statement",
    }
)


def after_mutations(evaluator: Evaluator, binding: Binding, value: Value, at: Node) -> Value:
    """The value of a variable at a place, without what other uses of the variable may have mutated."""
    if not any(isinstance(each, ApiResult | ArrayValue | ObjectValue) for each in options_of(value)):
        return value
    effects = _before(evaluator, binding, _effects(evaluator, binding), at)
    if any(not use.same(at) for use in effects.escapes) or len(effects.writes) > MAX_WRITES:
        written = {key_of(evaluator, each) for each in (*effects.writes, *effects.changes)}
        return union_of(escaped(each, written) for each in options_of(value))
    parts_escape = any(not use.same(at) for use in effects.part_escapes)
    items_escape = any(not use.same(at) for use in effects.items)
    inner = {key_of(evaluator, each) for each in effects.inner if not each.contains(at)}
    return union_of(
        _after_writes(
            evaluator,
            _with_changed_members(each, inner),
            effects.writes,
            parts_escape or (items_escape and _has_objects(each)),
            at,
        )
        for each in options_of(value)
    )


def _before(evaluator: Evaluator, binding: Binding, effects: Effects, at: Node) -> Effects:
    """The effects without those that follow a call of the API that reads the object at a place."""
    if effects.harmless:
        return effects
    call = reading_call(evaluator, at)
    if call is None:
        return effects

    def kept(uses: list[Node]) -> list[Node]:
        return [each for each in uses if each.same(at) or not is_later(binding, each, at, call)]

    return Effects(
        kept(effects.escapes),
        kept(effects.part_escapes),
        kept(effects.items),
        kept(effects.writes),
        kept(effects.changes),
        kept(effects.inner),
    )


def _with_changed_members(value: Value, names: Collection[str | None]) -> Value:
    """What is known of an object if other code may mutate the values of some of its members."""
    if not names:
        return value
    if not isinstance(value, ObjectValue) or None in names:
        return escaped(value) if isinstance(value, ArrayValue | ObjectValue) else value
    fields = {
        name: replace(each, value=union_of(map(escaped, options_of(each.value)))) if name in names else each
        for name, each in value.fields.items()
    }
    return ObjectValue(fields, value.open, value.span)


def _has_objects(value: Value) -> bool:
    """Whether an array has items that can be mutated."""
    return isinstance(value, ArrayValue) and any(
        isinstance(option, ObjectValue | ArrayValue) for item in value.items for option in options_of(item)
    )


def _after_writes(
    evaluator: Evaluator, value: Value, writes: list[Node], parts_escape: bool, at: Node
) -> Value:
    """What is known of an object after writes to it; its parts may have escaped too."""
    if isinstance(value, ApiResult):
        return UNKNOWN if writes else value
    if parts_escape:
        return escaped(value)
    return _written(evaluator, value, writes, at) if writes else value


def _effects(evaluator: Evaluator, binding: Binding) -> Effects:
    if binding.effects is None:
        found = Effects()
        for use in binding.uses:
            if use.role is Role.REFERENCE:
                _add_effect(evaluator, use.item, found)
        binding.effects = found
    return binding.effects


def _add_effect(evaluator: Evaluator, use: Node, effects: Effects) -> None:
    """Adds the effect of one use on the object, if it has any."""
    whole = outermost(use)
    up, call = whole.parent, call_with(whole)
    if up is None:
        effects.escapes.append(use)
    elif isinstance(up, AccessExpression) and whole.is_field("object"):
        _add_member_effect(use, up, effects)
    elif isinstance(up, ForInStatement) or _is_destructured(whole, up):
        effects.part_escapes.append(use)
    elif isinstance(call, CallExpression):
        if not (is_reader(evaluator, call) or only_reads(evaluator, call, whole, _effects)):
            effects.escapes.append(use)
    elif up.type not in _READERS:
        effects.escapes.append(use)


def _is_destructured(value: Node, up: Node) -> bool:
    """Whether the object is destructured (`const {a} = object`)."""
    return isinstance(up, VariableDeclarator) and value.is_field("value") and up.name.type == "object_pattern"


def _add_member_effect(use: Node, place: AccessExpression, effects: Effects) -> None:
    up: Node | None = place.parent
    if assignment_to(place) is not None:
        effects.writes.append(place)
    elif is_changed(place) or up is None:
        effects.changes.append(place)
        effects.escapes.append(use)
    elif isinstance(up, CallExpression) and place.is_field("function"):
        name = place.property.node.text if isinstance(place, MemberExpression) else None
        method = (name or b"").decode("utf-8", "replace")
        if method in REORDERING_METHODS:
            effects.part_escapes.append(use)
        elif method in ITEM_METHODS:
            effects.items.append(use)
        elif method not in READING_METHODS:
            effects.escapes.append(use)
    elif isinstance(up, AccessExpression) and place.is_field("object"):
        while isinstance(up.parent, AccessExpression) and up.is_field("object"):
            up = up.parent
        if call_of(up) is not None or assignment_to(up) is not None or is_changed(up):
            effects.inner.append(place)


def escaped(value: Value, written: Collection[str | None] = ()) -> Value:
    """What is still known of an object that has escaped to other code.

    Its functions and members of the API are assumed to be unchanged, except those whose names are in
    `written`: programs do not replace them. Everything else may have changed.
    """
    if isinstance(value, ArrayValue):
        return ArrayValue((), True, value.span)
    if isinstance(value, ApiResult):
        return value if is_promise(value) else UNKNOWN
    if isinstance(value, ObjectValue):
        left = {
            name: Field(escaped(found.value), found.key, found.maybe_absent)
            for name, found in value.fields.items()
        }
        changed = None in written
        kept = {name: each for name, each in left.items() if _stays(each.value, changed or name in written)}
        return ObjectValue(kept, True, value.span)
    return value


def _stays(value: Value, is_written: bool) -> bool:
    if carries_api(value):
        return True
    holds_members = isinstance(value, FunctionValue) or (isinstance(value, ObjectValue) and value.fields)
    return bool(holds_members) and not is_written


def shared_with_scripts(value: Value, *, constant: bool) -> Value:
    """What is still known of a variable that other scripts of the same realm use.

    The API, objects that hold it and functions are assumed to be unchanged; any other variable that is
    not `constant` may have been reassigned.
    """
    return union_of(kept for option in options_of(value) for kept in _shared_option(option, constant))


def _shared_option(option: Value, constant: bool) -> tuple[Value, ...]:
    match option:
        case Api() | Unknown():
            return (option,)
        case FunctionValue():
            return (replace(option, parameters=None),)
        case ObjectValue() | ArrayValue():
            kept = escaped(option)
            return (kept,) if constant or (isinstance(kept, ObjectValue) and kept.fields) else (UNKNOWN,)
    return (option,) if constant else (UNKNOWN,)


def _written(evaluator: Evaluator, value: Value, places: list[Node], at: Node) -> Value:
    if not isinstance(value, ObjectValue):
        return escaped(value)
    fields, is_open = dict(value.fields), value.open
    for place in places:
        name = key_of(evaluator, place)
        if name is None:
            return escaped(value, {None})
        old = fields.get(name) or (Field(UNKNOWN, None, True) if is_open else None)
        fields[name] = _assigned_field(evaluator, old, place, at, places)
    return ObjectValue(fields, is_open, value.span)


def _assigned_field(
    evaluator: Evaluator, old: Field | None, place: Node, at: Node, places: list[Node]
) -> Field:
    assignment = assignment_to(place)
    new = evaluator.partial(assignment.right) if isinstance(assignment, AssignmentExpression) else UNKNOWN
    key = place.key if isinstance(place, AccessExpression) else place
    name = key_of(evaluator, place)
    alone = all(other.same(place) or key_of(evaluator, other) != name for other in places)
    in_loop = any(up.type in LOOPS for up in place.ancestors())
    if (
        alone
        and not in_loop
        and assignment is not None
        and assignment.end <= at.start
        and function_of(place).same(function_of(at))
        and certainly_before(place, at)
    ):
        return Field(new, key.span)
    if old is None:
        return Field(new, key.span, True)
    return Field(union_of((old.value, new)), old.key, old.maybe_absent)
