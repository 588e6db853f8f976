"""An object that a script fills piece by piece, and the property definitions that add to it.

Such an object is, for instance, the exports of a module.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from extlint.analysis.facts.values import (
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
    is_nullish,
    options_of,
)
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import SubscriptExpression
from extlint.analysis.syntax.shapes import innermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_value
from extlint.analysis.values.interop import is_es_module, reexported_properties
from extlint.analysis.values.options import join, without_options
from extlint.analysis.values.property_index import key_of
from extlint.analysis.values.value_sizes import within_limits
from extlint.text.patterns import lazy

MAX_HELPER_BYTES = 2_000
"""The maximum size in bytes of a function that defines getters on its argument."""

DEFINES_GETTERS = lazy(r"\bget\b(?=.*\benumerable\b)|\benumerable\b(?=.*\bget\b)", re.DOTALL)


class FilledObject(Struct, eq=False):
    """The content of an object: the values assigned to it as a whole and to its properties.

    `getters` are functions that return a property's value; `copied` are objects whose properties are copied
    into it. `is_es_module` is true if it receives `__esModule`, and `escapes` if unseen code may add more to
    it.
    """

    whole: list[Node] = field(default_factory=list)
    written: dict[str, list[Node]] = field(default_factory=dict)
    getters: dict[str, list[Node]] = field(default_factory=dict)
    copied: list[Node] = field(default_factory=list)
    is_es_module: bool = False
    escapes: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether no content is known."""
        return not (self.whole or self.written or self.getters or self.copied or self.is_es_module)


def helper_text(evaluator: Evaluator, function: Node) -> str:
    """Returns the text of a function short enough to do nothing but fill an object, or an empty string."""
    return evaluator.tree.source(function) if function.end - function.start <= MAX_HELPER_BYTES else ""


def add_getters(evaluator: Evaluator, found: FilledObject, arguments: list[Node]) -> bool:
    """Adds properties from getters: `{a: () => x}`, `"a", () => x`, `["a", 0, x, "b", () => y]`.

    Returns whether the arguments have such a form.
    """
    arguments = [innermost(each) for each in arguments]
    first = arguments[0]
    if first.type == "object":
        for child in first.named():
            name = key_of(evaluator, child)
            getter = child if child.type == "method_definition" else child.field("value")
            if name is not None and getter is not None:
                _add_getter(found, name, getter)
        return True
    if first.type in {"string", "template_string"} and len(arguments) > 1:
        name = key_of(evaluator, first) or evaluator.tree.source(first)[1:-1]
        _add_getter(found, name, arguments[1])
        return True
    if first.type == "array":
        _add_listed(evaluator, found, first.named())
        return True
    return False


def _add_listed(evaluator: Evaluator, found: FilledObject, items: list[Node]) -> None:
    at = 0
    while at + 1 < len(items):
        name, value = evaluator.tree.source(items[at])[1:-1], items[at + 1]
        at += 2
        if items[at - 2].type != "string":
            return
        if value.type == "number" and at < len(items):
            found.written.setdefault(name, []).append(items[at])
            at += 1
        else:
            _add_getter(found, name, value)


def _add_getter(found: FilledObject, name: str, getter: Node) -> None:
    getter = innermost(getter)
    if getter.type in FUNCTIONS:
        found.getters.setdefault(name, []).append(getter)


def define_property(evaluator: Evaluator, found: FilledObject, arguments: list[Node]) -> None:
    """Records a call of `Object.defineProperty(object, "name", {get, value})`."""
    descriptor = innermost(arguments[1]) if len(arguments) == 2 else None
    if descriptor is None or descriptor.type != "object":
        found.escapes = True
        return
    name = evaluator.partial(arguments[0])
    found.escapes |= not isinstance(name, Literal)
    for child in descriptor.named():
        part = key_of(evaluator, child)
        value = child if child.type == "method_definition" else child.field("value")
        if value is None or part not in {"get", "value"}:
            continue
        if isinstance(name, Literal) and isinstance(name.value, str):
            if name.value == "__esModule":
                found.is_es_module = True
            elif part == "get":
                _add_getter(found, name.value, value)
            else:
                found.written.setdefault(name.value, []).append(value)
        elif part == "get" and value.type in FUNCTIONS:
            _record_copied_object(found, value)


def _record_copied_object(found: FilledObject, getter: Node) -> None:
    """Records `get() { return other[key]; }`, which copies every property of the other object."""
    body = getter.field("body")
    last = body if body is None or body.type != "statement_block" else body.first()
    result = last.first() if last is not None and last.type == "return_statement" else last
    if isinstance(result, SubscriptExpression):
        found.copied.append(result.object)


def filled_value(evaluator: Evaluator, found: FilledObject) -> Value | None:
    """Returns the object with all its known content, or None if no content is known."""
    if found.is_empty:
        return None
    base: Value = ObjectValue({}, False)
    if found.whole:
        values = [evaluator.possible.partial(each) for each in found.whole]
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
        fields |= reexported_properties(evaluator.possible.partial(each))
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
    written = join(*(evaluator.possible.partial(each) for each in found.written.get(name, ())))
    getter_value = join(*(return_value(evaluator.possible, each) for each in found.getters.get(name, ())))
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
