"""The value of an object that was filled piece by piece, such as what a module exports."""

from __future__ import annotations

from extlint.bundles.filled import DEFINES_GETTERS, Filled, add_getters, helper_text
from extlint.bundles.interop import is_marked, spread_over
from extlint.script.facts.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ApiResult,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.shapes import first_argument, innermost
from extlint.script.values.evaluator import Evaluator, is_nullish, join, without
from extlint.script.values.functions import returned


def gathered(evaluator: Evaluator, function: Node, call: Node) -> Value | None:
    """What a helper gives that makes an object of getters, `make({a: () => x})`; None if it is none."""
    first = first_argument(call)
    if first is None or first.type != "object":
        return None
    if not all(innermost(each.field("value") or each).type in FUNCTIONS for each in first.named()):
        return None
    if not first.named() or not DEFINES_GETTERS.search(helper_text(evaluator, function)):
        return None
    found = Filled()
    add_getters(evaluator, found, [first])
    return filled_value(evaluator, found)


def filled_value(evaluator: Evaluator, found: Filled) -> Value | None:
    """The object with all that was put into it; None if nothing is known to be."""
    if found.is_empty:
        return None
    base: Value = ObjectValue({}, False)
    if found.whole:
        values = [evaluator.partial(each) for each in found.whole]
        base = without(join(*values), is_nullish)
        if base == NOTHING:
            return None if not found.written else UNKNOWN
    options = [_completed(evaluator, _handed_over(each), found) for each in options_of(base)]
    return join(*options)


def _completed(evaluator: Evaluator, base: Value, found: Filled) -> Value:
    if not isinstance(base, ObjectValue):
        return base
    fields: dict[str, Field] = {}
    for each in found.copied:
        fields |= spread_over(evaluator.partial(each))
    fields |= base.fields
    for name in dict.fromkeys((*found.written, *found.getters)):
        value = _property_value(evaluator, found, name)
        if value is not None:
            fields[name] = Field(value)
    if found.marked:
        fields["__esModule"] = Field(Literal(Kind.BOOLEAN, True))
    elif "__esModule" not in fields and not found.open and not found.copied:
        known = not found.whole or is_marked(base) is False
        if known:
            fields["__esModule"] = Field(Literal(Kind.UNDEFINED))
    return ObjectValue(fields, True, None)


def _property_value(evaluator: Evaluator, found: Filled, name: str) -> Value | None:
    """What a property holds that other modules read; of what they may change only the API's own is kept."""
    written = join(*(evaluator.partial(each) for each in found.written.get(name, ())))
    given = join(*(returned(evaluator, each) for each in found.getters.get(name, ())))
    if name == "__esModule":
        return written
    if any(isinstance(each, Literal) and not is_nullish(each) for each in options_of(written)):
        return None
    value = without(join(written, given), is_nullish)
    return None if value == NOTHING else join(*(_handed_over(each) for each in options_of(value)))


def _handed_over(value: Value) -> Value:
    """What is still known of a value that another module has in its hands.

    The API, functions and objects that were put into an object are taken to stay there.
    """
    if not isinstance(value, ObjectValue):
        return value
    fields = {
        name: Field(_handed_over(each.value), each.key, each.maybe_absent)
        for name, each in value.fields.items()
        if name == "__esModule"
        or any(
            isinstance(option, Api | ApiResult | FunctionValue | InstanceValue | ObjectValue)
            for option in options_of(each.value)
        )
    }
    if not value.open and "__esModule" not in fields:
        fields["__esModule"] = Field(Literal(Kind.UNDEFINED))
    return ObjectValue(fields, True, value.span)
