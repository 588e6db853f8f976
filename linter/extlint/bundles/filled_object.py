"""An object that a script fills piece by piece, and the property definitions that add to it."""

from __future__ import annotations

import re

from msgspec import Struct, field

from extlint.script.facts.values import Literal
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.nodes import SubscriptExpression
from extlint.script.syntax.shapes import innermost
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of
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
    name = evaluator.certain.partial(arguments[0])
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
