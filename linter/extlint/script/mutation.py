"""What becomes of an object after it was made, as far as a variable that holds it tells."""

from __future__ import annotations

from extlint.script.evaluate import Evaluator, carries_api
from extlint.script.flow import LOOPS, MOST_WRITES, certainly_before
from extlint.script.keys import key_of
from extlint.script.names import Binding, Effects, Role, function_of
from extlint.script.properties import assignment_to, is_changed
from extlint.script.tree import Item
from extlint.values import (
    UNKNOWN,
    ArrayValue,
    Field,
    FunctionValue,
    ObjectValue,
    Value,
    options_of,
    union_of,
)

_WRAPPERS = frozenset(
    {"as_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression"}
)
_READERS = frozenset(
    {
        "binary_expression",
        "if_statement",
        "return_statement",
        "spread_element",
        "ternary_expression",
        "unary_expression",
        "expression_statement",
    }
)
_PURE = frozenset({"console", "JSON"})


def after_uses(evaluator: Evaluator, binding: Binding, value: Value, at: Item) -> Value:
    """A variable's value at a place, less what other uses of the variable may have changed in it."""
    if not any(isinstance(each, ArrayValue | ObjectValue) for each in options_of(value)):
        return value
    effects = _effects(evaluator, binding)
    if any(not use.same(at) for use in effects.escapes):
        return union_of(_escaped(each) for each in options_of(value))
    if not effects.writes:
        return value
    if len(effects.writes) > MOST_WRITES:
        return union_of(_escaped(each) for each in options_of(value))
    return union_of(_written(evaluator, each, effects.writes, at) for each in options_of(value))


def _effects(evaluator: Evaluator, binding: Binding) -> Effects:
    if binding.effects is None:
        binding.effects = Effects()
        for use in binding.uses:
            if use.role is Role.REFERENCE and not _effect(evaluator, use.item, binding.effects.writes):
                binding.effects.escapes.append(use.item)
    return binding.effects


def _effect(evaluator: Evaluator, use: Item, places: list[Item]) -> bool:
    """Whether a use leaves the object as it is, bar the assignments that it adds to `places`."""
    item = use
    while item.parent is not None and item.parent.type in _WRAPPERS:
        item = item.parent
    up = item.parent
    if up is None:
        return False
    if up.type in {"member_expression", "subscript_expression"} and item.is_field("object"):
        return _member_effect(up, places)
    if up.type == "arguments" and up.parent is not None:
        return _is_reader(evaluator, up.parent)
    if up.type == "variable_declarator" and item.is_field("value"):
        pattern = up.field("name")
        return pattern is not None and pattern.type == "object_pattern" and not _nested(pattern)
    return up.type in _READERS


def _nested(pattern: Item) -> bool:
    return any(each.type == "pair_pattern" or each.type == "rest_pattern" for each in pattern.named())


def _member_effect(place: Item, places: list[Item]) -> bool:
    if assignment_to(place) is not None:
        places.append(place)
        return True
    if is_changed(place):
        return False
    up = place.parent
    if up is None:
        return False
    if up.type == "call_expression" and place.is_field("function"):
        return False
    if up.type in {"member_expression", "subscript_expression"} and place.is_field("object"):
        return assignment_to(up) is None and not (
            up.parent is not None and up.parent.type == "call_expression" and up.is_field("function")
        )
    return True


def _is_reader(evaluator: Evaluator, call: Item) -> bool:
    """Whether a call is known to leave its arguments as they are: the API, the console, JSON."""
    function = call.field("function")
    if function is None:
        return False
    if carries_api(evaluator.partial(function)):
        return True
    target = function.field("object") if function.type == "member_expression" else None
    if target is None or target.type != "identifier":
        return False
    name = evaluator.tree.source(target)
    if name == "Object":
        return key_of(evaluator, function) in {"entries", "freeze", "keys", "values"}
    return name in _PURE


def _escaped(value: Value) -> Value:
    """What is still known of an object that other code has had in its hands.

    Functions and members of the API that were put into it are taken to stay: replacing those is
    what nobody does, and everything else may have changed.
    """
    if isinstance(value, ArrayValue):
        return ArrayValue((), True, value.span)
    if isinstance(value, ObjectValue):
        kept = {
            name: found
            for name, found in value.fields.items()
            if isinstance(found.value, FunctionValue | ObjectValue) or carries_api(found.value)
        }
        kept = {
            name: Field(_escaped(found.value), found.key, found.maybe_absent) for name, found in kept.items()
        }
        return ObjectValue(kept, True, value.span)
    return value


def _written(evaluator: Evaluator, value: Value, places: list[Item], at: Item) -> Value:
    if not isinstance(value, ObjectValue):
        return _escaped(value)
    fields, is_open = dict(value.fields), value.open
    for place in places:
        name = key_of(evaluator, place)
        if name is None:
            return _escaped(value)
        fields[name] = _assigned_field(evaluator, fields.get(name), place, at, places)
    return ObjectValue(fields, is_open, value.span)


def _assigned_field(
    evaluator: Evaluator, old: Field | None, place: Item, at: Item, places: list[Item]
) -> Field:
    assignment = assignment_to(place)
    right = None if assignment is None else assignment.field("right")
    plain = assignment is not None and assignment.type == "assignment_expression" and right is not None
    new = evaluator.partial(right) if plain and right is not None else UNKNOWN
    key = place.field("property") or place.field("index") or place
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
