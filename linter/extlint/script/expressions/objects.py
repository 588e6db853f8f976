"""Objects, arrays, functions and classes that the script makes."""

from __future__ import annotations

from extlint.script.facts.values import (
    UNKNOWN,
    ArrayValue,
    Field,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    is_larger,
    options_of,
    placed,
)
from extlint.script.syntax.node import CLASSES, Node
from extlint.script.syntax.shapes import has_default, is_rest, parameter_items
from extlint.script.values.evaluator import Evaluator, join
from extlint.script.values.functions import returned, serves_others
from extlint.script.values.property_names import key_of

MAX_PARTS = 20_000
"""Parts of an array or object, theirs included; a larger one is only known to be one."""


def array_value(evaluator: Evaluator, item: Node) -> Value:
    """The value of an array literal; one with holes or a spread in it is known only up to there."""
    items: list[Value] = []
    expects = True
    for child in item.all():
        if child.type == ",":
            if expects:
                return ArrayValue(tuple(items), True, item.span)
            expects = True
        elif child.type == "spread_element":
            return ArrayValue(tuple(items), True, item.span)
        elif child.node.is_named and child.type != "comment":
            items.append(placed(evaluator.value(child), child.span))
            expects = False
    found = ArrayValue(tuple(items), False, item.span)
    return ArrayValue((), True, item.span) if is_larger(found, MAX_PARTS) else found


def object_value(evaluator: Evaluator, item: Node) -> Value:
    """The value of an object literal, properties in the order in which they are set."""
    fields: dict[str, Field] = {}
    is_open = False
    evaluator.define(item)
    for child in item.named():
        if child.type == "spread_element":
            inner = child.first()
            spread = UNKNOWN if inner is None else evaluator.partial(inner)
            fields, is_open = _spread(fields, is_open, spread)
            continue
        name = key_of(evaluator, child)
        if name is None:
            fields = {key: Field(UNKNOWN, found.key, found.maybe_absent) for key, found in fields.items()}
            is_open = True
        elif name == "__proto__" and child.type == "pair":
            is_open = True
        else:
            key = child.field("key") or child.field("name") or child
            fields[name] = Field(_property(evaluator, child), key.span)
    found = ObjectValue(fields, is_open, item.span)
    return ObjectValue({}, True, item.span) if is_larger(found, MAX_PARTS) else found


def _property(evaluator: Evaluator, child: Node) -> Value:
    if child.type == "pair":
        value = child.field("value")
        return UNKNOWN if value is None else placed(evaluator.value(value), value.span)
    if child.type == "method_definition":
        if child.has("get"):
            return join(returned(evaluator, child), UNKNOWN)
        return UNKNOWN if child.has("set") else evaluator.value(child)
    return placed(evaluator.value(child), child.span)


def _spread(fields: dict[str, Field], is_open: bool, spread: Value) -> tuple[dict[str, Field], bool]:
    """The fields after `...spread`."""
    options = options_of(spread)
    merged = dict(fields)
    for option in options:
        if isinstance(option, ObjectValue) and not option.open:
            for name, found in option.fields.items():
                before = merged.get(name)
                if len(options) == 1 and not found.maybe_absent:
                    merged[name] = found
                elif before is None:
                    value = join(found.value, UNKNOWN) if is_open else found.value
                    merged[name] = Field(value, found.key, True)
                else:
                    merged[name] = Field(join(before.value, found.value), before.key, before.maybe_absent)
        elif not _spreads_nothing(option):
            unknown = {key: Field(UNKNOWN, found.key, found.maybe_absent) for key, found in merged.items()}
            return unknown, True
    return merged, is_open


def _spreads_nothing(value: Value) -> bool:
    if isinstance(value, Literal):
        return value.kind is not Kind.STRING
    if isinstance(value, Typed):
        return value.kind in {Kind.BOOLEAN, Kind.NUMBER, Kind.BIGINT}
    return isinstance(value, FunctionValue)


def function_value(evaluator: Evaluator, item: Node) -> Value:
    """The value of a function or class."""
    span = evaluator.define(item)
    if item.type in CLASSES:
        return FunctionValue(None, is_class=True, span=span)
    listed = parameter_items(item)
    plain = [each for each in listed if not is_rest(each)]
    counted = max((at for at, each in enumerate(plain, 1) if not has_default(each)), default=0)
    body = item.field("body")
    source = evaluator.tree.text[body.start : body.end] if body is not None else b""
    known = counted == 0 or not serves_others(evaluator, item, counted)
    return FunctionValue(
        tuple(each.span for each in plain[:counted]) if known else None,
        len(plain) < len(listed),
        item.type != "arrow_function" and b"arguments" in source,
        span=span,
    )
