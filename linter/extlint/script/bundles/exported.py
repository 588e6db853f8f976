"""What is put into the object that a module exports, or into another that is filled piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, field

from extlint.script.bundles.interop import is_marked, spread_over
from extlint.script.bundles.marks import REQUIRE, is_definer
from extlint.script.bundles.runtime import runtime_of
from extlint.script.evaluate import Evaluator, is_nullish, join, without
from extlint.script.functions import returned
from extlint.script.keys import key_of
from extlint.script.occurrences import Role
from extlint.script.properties import assignment_to
from extlint.script.shape import first_argument, index_of, innermost, outermost, parameter_items
from extlint.script.tree import FUNCTIONS, MEMBERS, Item
from extlint.values import (
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

MOST_USES = 2_000
"""Uses of one object that are looked at."""

LONGEST_HELPER = 2_000
"""Bytes of a function that defines getters on what it is given."""

_DEFINES_GETTERS = re.compile(r"\bget\b(?=.*\benumerable\b)|\benumerable\b(?=.*\bget\b)", re.DOTALL)
_COPIES = re.compile(r"\bfor\s*\((?:var|let|const)?\s*[\w$]+\s+(?:in|of)\b|\bforEach\b|\bkeys\b")
_READERS = frozenset({"entries", "freeze", "getOwnPropertyNames", "keys", "log", "seal", "values"})


class Filled(Struct, eq=False):
    """What becomes of an object: the values assigned to it as a whole and to its properties.

    `getters` are functions that give a property's value; `copied` are objects whose properties it is
    given. `open` is true where others had it in their hands.
    """

    whole: list[Item] = field(default_factory=list)
    written: dict[str, list[Item]] = field(default_factory=dict)
    getters: dict[str, list[Item]] = field(default_factory=dict)
    copied: list[Item] = field(default_factory=list)
    marked: bool = False
    open: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known to be put into it."""
        return not (self.whole or self.written or self.getters or self.copied or self.marked)


class Filling:
    """Follows an object through the names that it has."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._seen: set[tuple[int, bool]] = set()
        self.found = Filled()

    def uses(self, places: Iterable[Item], *, module: bool) -> None:
        """The places where the object is named; `module` if it is the one that has it as `exports`."""
        waiting = [(place, module) for place in places]
        while waiting:
            place, is_module = waiting.pop()
            if (place.id, is_module) in self._seen:
                continue
            self._seen.add((place.id, is_module))
            self._evaluator.tree.spend(3)
            if len(self._seen) > MOST_USES:
                self.found.open = True
                return
            if is_module:
                waiting += self._module(place)
            else:
                waiting += [(each, False) for each in self._exports(place)]

    def _module(self, place: Item) -> list[tuple[Item, bool]]:
        """What a use of `module` leads to: `module.exports`, or the parameters of functions."""
        whole = outermost(place)
        up = whole.parent
        if up is None:
            return []
        if up.type in MEMBERS and whole.is_field("object"):
            return [(up, False)] if key_of(self._evaluator, up) == "exports" else []
        if up.type == "arguments" and up.parent is not None:
            return [(use, True) for use in self._parameter_uses(whole, up)]
        if up.type == "array":
            listed = up.parent
            if listed is not None and listed.type == "arguments" and listed.parent is not None:
                return [(use, True) for use in self._applied_uses(whole, up, listed.parent)]
        return []

    def _exports(self, place: Item) -> list[Item]:
        """Notes what a use of the object puts into it; gives further places that name it."""
        whole = outermost(place)
        up = whole.parent
        if up is None:
            return []
        if up.type in MEMBERS and whole.is_field("object"):
            self._property(up)
        elif up.type == "assignment_expression" and whole.is_field("left"):
            right = up.field("right")
            if whole.type in MEMBERS and right is not None:
                self.found.whole.append(right)
        elif up.type == "arguments" and up.parent is not None and up.parent.type == "call_expression":
            return self._passed(whole, up, up.parent)
        elif up.type == "variable_declarator" and whole.is_field("value"):
            name = up.field("name")
            binding = None
            if name is not None and name.type == "identifier":
                binding = self._evaluator.names.variable(name)
            if binding is not None:
                return [use.item for use in binding.uses if use.role is Role.REFERENCE]
        return []

    def _property(self, member: Item) -> None:
        target = outermost(member)
        assignment = assignment_to(target)
        right = None if assignment is None else assignment.field("right")
        name = key_of(self._evaluator, member)
        if right is not None and name is not None:
            self.found.written.setdefault(name, []).append(right)

    def _passed(self, whole: Item, listed: Item, call: Item) -> list[Item]:
        """What a call that is given the object puts into it."""
        callee, arguments = call.field("function"), listed.named()
        if callee is None:
            return []
        index = index_of(arguments, whole) or 0
        others = [each for at, each in enumerate(arguments) if at != index]
        method = key_of(self._evaluator, callee) if callee.type in MEMBERS else None
        if method in {"defineProperty", "defineProperties"} and index == 0:
            self._defined(others)
            return []
        value = self._evaluator.partial(callee)
        runtime_method = method if self._is_require(callee) else None
        if runtime_method == "r":
            self.found.marked = True
            return []
        helper = self._evaluator.definition(value)
        text = ""
        if helper is not None and helper.type in FUNCTIONS and innermost(callee).type not in FUNCTIONS:
            text = self._evaluator.tree.source(helper) if _is_short(helper) else ""
        if is_definer(value) and index == 0 and others and self._getters(others):
            return []
        if runtime_method == "d" or _DEFINES_GETTERS.search(text) or "defineProperty" in text:
            if index == 0 and (not others or self._getters(others)):
                self.found.marked |= "__esModule" in text
                return []
            if len(others) == 1 and _COPIES.search(text):
                self.found.copied.append(others[0])
                return []
        if helper is not None and helper.type in FUNCTIONS:
            return self._parameter_uses(whole, listed)
        self.found.open |= method not in _READERS
        return []

    def getters(self, listed: Item) -> None:
        """An object of getters, of which the properties are made."""
        self._getters([listed])

    def _is_require(self, callee: Item) -> bool:
        owner = callee.field("object") if callee.type in MEMBERS else None
        if owner is None:
            return False
        value = self._evaluator.partial(owner)
        if isinstance(value, InstanceValue):
            return value.class_name == REQUIRE
        definition = self._evaluator.definition(value)
        return (
            definition is not None
            and definition.type in FUNCTIONS
            and runtime_of(self._evaluator, definition) is not None
        )

    def _getters(self, arguments: list[Item]) -> bool:
        """Properties by getters: `{a: () => x}`, `"a", () => x`, `["a", 0, x, "b", () => y]`."""
        arguments = [innermost(each) for each in arguments]
        first = arguments[0]
        if first.type == "object":
            for child in first.named():
                name = key_of(self._evaluator, child)
                getter = child if child.type == "method_definition" else child.field("value")
                if name is not None and getter is not None:
                    self._getter(name, getter)
            return True
        if first.type in {"string", "template_string"} and len(arguments) > 1:
            name = key_of(self._evaluator, first) or self._evaluator.tree.source(first)[1:-1]
            self._getter(name, arguments[1])
            return True
        if first.type == "array":
            self._listed(first.named())
            return True
        return False

    def _listed(self, items: list[Item]) -> None:
        at = 0
        while at + 1 < len(items):
            name, value = self._evaluator.tree.source(items[at])[1:-1], items[at + 1]
            at += 2
            if items[at - 2].type != "string":
                return
            if value.type == "number" and at < len(items):
                self.found.written.setdefault(name, []).append(items[at])
                at += 1
            else:
                self._getter(name, value)

    def _getter(self, name: str, getter: Item) -> None:
        getter = innermost(getter)
        if getter.type in FUNCTIONS:
            self.found.getters.setdefault(name, []).append(getter)

    def _defined(self, arguments: list[Item]) -> None:
        """`Object.defineProperty(object, "name", {get, value})`."""
        descriptor = innermost(arguments[1]) if len(arguments) == 2 else None
        if descriptor is None or descriptor.type != "object":
            self.found.open = True
            return
        name = self._evaluator.partial(arguments[0])
        self.found.open |= not isinstance(name, Literal)
        for child in descriptor.named():
            part = key_of(self._evaluator, child)
            value = child if child.type == "method_definition" else child.field("value")
            if value is None or part not in {"get", "value"}:
                continue
            if isinstance(name, Literal) and isinstance(name.value, str):
                if name.value == "__esModule":
                    self.found.marked = True
                elif part == "get":
                    self._getter(name.value, value)
                else:
                    self.found.written.setdefault(name.value, []).append(value)
            elif part == "get" and value.type in FUNCTIONS:
                self._copied_by(value)

    def _copied_by(self, getter: Item) -> None:
        """`get() { return other[key]; }`: every property of the other object."""
        body = getter.field("body")
        last = body if body is None or body.type != "statement_block" else body.first()
        given = last.first() if last is not None and last.type == "return_statement" else last
        owner = given.field("object") if given is not None and given.type == "subscript_expression" else None
        if owner is not None:
            self.found.copied.append(owner)

    def _parameter_uses(self, whole: Item, listed: Item) -> list[Item]:
        """The uses of the parameter that an argument becomes, in a function of the script."""
        call = listed.parent
        callee = None if call is None else call.field("function")
        index = index_of(listed.named(), whole)
        if callee is None or index is None:
            return []
        if callee.type in MEMBERS and key_of(self._evaluator, callee) == "call":
            callee, index = callee.field("object") or callee, index - 1
        return self._uses_of(callee, index)

    def _applied_uses(self, whole: Item, array: Item, call: Item) -> list[Item]:
        """The same for `f.apply(this, [object])`."""
        callee = call.field("function")
        if callee is None or callee.type not in MEMBERS or key_of(self._evaluator, callee) != "apply":
            return []
        index = index_of(array.named(), whole)
        return self._uses_of(callee.field("object") or callee, index)

    def _uses_of(self, callee: Item, index: int | None) -> list[Item]:
        found: list[Item] = []
        for option in options_of(self._evaluator.partial(callee)):
            definition = self._evaluator.definition(option)
            if definition is None or definition.type not in FUNCTIONS:
                continue
            found += parameter_uses(self._evaluator, definition, index)
        if not found:
            self.found.open = True
        return found


def _is_short(helper: Item) -> bool:
    return helper.end - helper.start <= LONGEST_HELPER


def gathered(evaluator: Evaluator, function: Item, call: Item) -> Value | None:
    """What a helper gives that makes an object of getters, `make({a: () => x})`; None if it is none."""
    first = first_argument(call)
    if first is None or first.type != "object" or not _is_short(function):
        return None
    if not all(innermost(each.field("value") or each).type in FUNCTIONS for each in first.named()):
        return None
    if not first.named() or not _DEFINES_GETTERS.search(evaluator.tree.source(function)):
        return None
    filling = Filling(evaluator)
    filling.getters(first)
    return filled_value(evaluator, filling.found)


def parameter_uses(evaluator: Evaluator, function: Item, index: int | None) -> list[Item]:
    """The places that name the parameter of a function at an index; none where it is a pattern."""
    parameters = parameter_items(function)
    if index is None or not 0 <= index < len(parameters):
        return []
    name = parameters[index].field("pattern") or parameters[index]
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    if binding is None:
        return []
    if any(use.role is Role.WRITE for use in binding.uses):
        return []
    return [use.item for use in binding.uses]


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
    options = [_completed(evaluator, handed_over(each), found) for each in options_of(base)]
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
    return None if value == NOTHING else join(*(handed_over(each) for each in options_of(value)))


def handed_over(value: Value) -> Value:
    """What is still known of a value that another module has in its hands.

    The API, functions and objects that were put into an object are taken to stay there.
    """
    if not isinstance(value, ObjectValue):
        return value
    fields = {
        name: Field(handed_over(each.value), each.key, each.maybe_absent)
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
