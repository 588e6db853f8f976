"""Determines how the uses of a variable mutate the object that it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import takewhile

from msgspec.structs import replace

from extlint.script.expressions.escaped_values import escaped_value
from extlint.script.facts.values import (
    UNKNOWN,
    ApiResult,
    ArrayValue,
    ObjectValue,
    Value,
    options_of,
    union_of,
)
from extlint.script.scope.model import Binding, Effects, Role
from extlint.script.scope.reaching_definitions import MAX_WRITES
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AccessExpression,
    CallExpression,
    ForInStatement,
    MemberExpression,
    VariableDeclarator,
)
from extlint.script.syntax.shapes import call_of, call_with_argument, outermost
from extlint.script.values.api_results import ITEM_METHODS, READING_METHODS, REORDERING_METHODS
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_index import assignment_to, is_changed
from extlint.script.values.property_names import key_of

_MAX_KEPT = 20

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


def value_after_mutations(
    evaluator: Evaluator, binding: Binding, value: Value, at: Node, requested: str | None = None
) -> Value:
    """Returns the value of a variable at a place, without the parts that its other uses may have mutated.

    If `requested` is set, only the assigned member of that name is added.
    """
    if not any(isinstance(each, ApiResult | ArrayValue | ObjectValue) for each in options_of(value)):
        return value
    effects = _effects_before_read(evaluator.full, binding, _effects(evaluator.full, binding), at)
    if any(not use.same(at) for use in effects.escapes) or len(effects.writes) > MAX_WRITES:
        return union_of(map(partial(_escaped, evaluator, effects), options_of(value)))
    parts_escape = any(not use.same(at) for use in effects.part_escapes)
    items_escape = any(not use.same(at) for use in effects.items)

    def written(each: Value) -> Value:
        changed = _with_changed_members(evaluator, effects, each, at)
        if not isinstance(each, ApiResult) and (parts_escape or (items_escape and _has_objects(each))):
            return _cached(effects, "escaped parts", changed, partial(escaped_value, changed))
        return _value_after_writes(evaluator, changed, effects.writes, at, requested)

    return union_of(map(written, options_of(value)))


def _escaped(evaluator: Evaluator, effects: Effects, value: Value) -> Value:
    """Returns the known part of an escaped object, which is the same for every read of the variable."""
    if "written" not in effects.derived:
        written = {key_of(evaluator, each) for each in (*effects.writes, *effects.changes)}
        effects.derived["written"] = written
    return _cached(effects, "escaped", value, lambda: escaped_value(value, effects.derived["written"]))


def _cached(effects: Effects, key: str, value: Value, compute: Callable[[], Value]) -> Value:
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
    from extlint.script.expressions.consumed import is_after_call, reading_call

    call = reading_call(evaluator, at)
    if call is None:
        return effects

    def kept(uses: list[Node]) -> list[Node]:
        return [each for each in uses if each.same(at) or not is_after_call(binding, each, at, call)]

    return Effects(
        kept(effects.escapes),
        kept(effects.part_escapes),
        kept(effects.items),
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
    names, counts = _inner_names(evaluator, effects)
    around = Counter(names[up.id] for up in takewhile(_is_in_expression, at.ancestors()) if up.id in names)
    own = {name for name, count in around.items() if count == counts[name]}
    if len(own) == len(counts):
        return value
    if not isinstance(value, ObjectValue) or (None in counts and None not in own):
        return escaped_value(value) if isinstance(value, ArrayValue | ObjectValue) else value
    changed = _cached(effects, "changed", value, partial(_with_parts_escaped, value, counts.keys()))
    unchanged = {name: value.fields[name] for name in own if name is not None and name in value.fields}
    if not unchanged or not isinstance(changed, ObjectValue):
        return changed
    return ObjectValue({**changed.fields, **unchanged}, value.open, value.span)


def _is_in_expression(up: Node) -> bool:
    return up.type not in {"program", "statement_block"}


def _inner_names(
    evaluator: Evaluator, effects: Effects
) -> tuple[Mapping[int, str | None], Mapping[str | None, int]]:
    """Returns the names of members whose parts may be written, by node, and how often each name occurs."""
    if "inner" not in effects.derived:
        names = {each.id: key_of(evaluator, each) for each in effects.inner}
        effects.derived["inner"] = names, Counter(names.values())
    found: tuple[Mapping[int, str | None], Mapping[str | None, int]] = effects.derived["inner"]
    return found


def _with_parts_escaped(value: ObjectValue, names: Collection[str | None]) -> Value:
    fields = {
        name: replace(each, value=union_of(map(escaped_value, options_of(each.value))))
        if name in names
        else each
        for name, each in value.fields.items()
    }
    return ObjectValue(fields, value.open, value.span)


def _has_objects(value: Value) -> bool:
    """Whether an array has items that can be mutated."""
    return isinstance(value, ArrayValue) and any(
        isinstance(option, ObjectValue | ArrayValue) for item in value.items for option in options_of(item)
    )


def _value_after_writes(
    evaluator: Evaluator, value: Value, writes: list[Node], at: Node, requested: str | None
) -> Value:
    """Returns the value of an object after writes to it."""
    if isinstance(value, ApiResult):
        return UNKNOWN if writes else value
    if not writes:
        return value
    from extlint.script.expressions.member_writes import value_after_writes

    return value_after_writes(evaluator, value, writes, at, requested)


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
    up, call = whole.parent, call_with_argument(whole)
    if up is None:
        effects.escapes.append(use)
    elif isinstance(up, AccessExpression) and whole.is_field("object"):
        _add_member_effect(evaluator, use, up, effects)
    elif isinstance(up, ForInStatement) or _is_destructured(whole, up):
        effects.part_escapes.append(use)
    elif isinstance(call, CallExpression):
        if not _only_reads(evaluator, call, whole):
            effects.escapes.append(use)
    elif up.type not in _READERS:
        effects.escapes.append(use)


def _only_reads(evaluator: Evaluator, call: CallExpression, argument: Node) -> bool:
    from extlint.script.expressions.pure_calls import is_reader, only_reads

    return is_reader(evaluator, call) or only_reads(evaluator, call, argument, _effects)


def _is_destructured(value: Node, up: Node) -> bool:
    """Whether the object is destructured (`const {a} = object`)."""
    return isinstance(up, VariableDeclarator) and value.is_field("value") and up.name.type == "object_pattern"


def _add_member_effect(evaluator: Evaluator, use: Node, place: AccessExpression, effects: Effects) -> None:
    up: Node | None = place.parent
    if assignment_to(place) is not None:
        effects.writes.append(place)
    elif is_changed(place) or up is None:
        effects.changes.append(place)
        effects.escapes.append(use)
    elif isinstance(up, CallExpression) and place.is_field("function"):
        method = evaluator.tree.source(place.property) if isinstance(place, MemberExpression) else ""
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
