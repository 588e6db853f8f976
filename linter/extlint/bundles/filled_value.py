"""The value of an object that was filled piece by piece, such as a module's exports."""

from __future__ import annotations

from extlint.bundles.filled_object import FilledObject
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
from extlint.script.values.evaluator import Evaluator, is_nullish, join, without_options
from extlint.script.values.functions import return_value
from extlint.script.values.interop import is_es_module, reexported_properties
from extlint.script.values.value_sizes import within_limits


def filled_value(evaluator: Evaluator, found: FilledObject) -> Value | None:
    """Returns the object with all its known content, or None if no content is known."""
    if found.is_empty:
        return None
    base: Value = ObjectValue({}, False)
    if found.whole:
        values = [evaluator.partial(each) for each in found.whole]
        base = without_options(join(*values), is_nullish)
        if base == NOTHING:
            return None if not found.written else UNKNOWN
    options = [_completed(evaluator, _value_after_escape(each), found) for each in options_of(base)]
    return join(*options)


def _completed(evaluator: Evaluator, base: Value, found: FilledObject) -> Value:
    if not isinstance(base, ObjectValue):
        return base
    fields: dict[str, Field] = {}
    for each in found.copied:
        fields |= reexported_properties(evaluator.partial(each))
    fields |= base.fields
    for name in dict.fromkeys((*found.written, *found.getters)):
        value = _property_value(evaluator, found, name)
        if value is not None:
            fields[name] = Field(value)
    if found.is_es_module:
        fields["__esModule"] = Field(Literal(Kind.BOOLEAN, True))
    elif "__esModule" not in fields and not found.escapes and not found.copied:
        known = not found.whole or is_es_module(base) is False
        if known:
            fields["__esModule"] = Field(Literal(Kind.UNDEFINED))
    return within_limits(evaluator, ObjectValue(fields, True, None))


def _property_value(evaluator: Evaluator, found: FilledObject, name: str) -> Value | None:
    """Returns the value of a property as other modules read it.

    Returns None if unknown; values that they may change are dropped.
    """
    written = join(*(evaluator.partial(each) for each in found.written.get(name, ())))
    getter_value = join(*(return_value(evaluator, each) for each in found.getters.get(name, ())))
    if name == "__esModule":
        return written
    if any(isinstance(each, Literal) and not is_nullish(each) for each in options_of(written)):
        return None
    value = without_options(join(written, getter_value), is_nullish)
    return None if value == NOTHING else join(*(_value_after_escape(each) for each in options_of(value)))


def _value_after_escape(value: Value) -> Value:
    """Returns the part of a value that is still known after another module has accessed it.

    API values, functions and objects that were stored in an object are assumed to remain there.
    """
    if not isinstance(value, ObjectValue):
        return value
    fields = {
        name: Field(_value_after_escape(each.value), each.key, each.maybe_absent)
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
