"""From the roots of the API forward, to every place where a member is named or called.

Where an API value flows (into names, parameters, properties, patterns) is followed here only to
find places worth asking about; what is really there is the evaluator's answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from extlint.script.bundles.entries import module_of
from extlint.script.bundles.marks import holds_api, is_mark
from extlint.script.bundles.modules import exports_of_module
from extlint.script.bundles.uses import held_as, requires_of
from extlint.script.comparisons import COMPARING, compared_with
from extlint.script.destinations import Destinations
from extlint.script.evaluate import Evaluator, carries_api
from extlint.script.functions import calls_of
from extlint.script.keys import key_of
from extlint.script.occurrences import Role
from extlint.script.parameters import parameter_value
from extlint.script.patterns import names_in
from extlint.script.properties import assignment_to, is_changed
from extlint.script.reached import Reached
from extlint.script.records import Records
from extlint.script.results import is_promise, result_of
from extlint.script.shape import WRAPPERS, arguments_of, index_of, parameter_items
from extlint.script.tree import FUNCTIONS, MEMBERS, Item
from extlint.values import UNKNOWN, Api, InstanceValue, ObjectValue, leads_to_api

_THROUGH = WRAPPERS | {"await_expression", "instantiation_expression", "type_assertion"}

MOST_HANDED = 20
"""Calls of one function by way of properties that are looked at."""

_WHOLE = frozenset({"default", "exports"})
"""Properties of a module that those who require it may have without naming them."""

_ASKING = frozenset({"Boolean", "has"})
"""Functions that only tell of what they are given whether it is there."""

_LONGEST_NAME = 64

_CHANGING = frozenset({"assign", "defineProperties", "defineProperty"})
"""The functions of `Object` that change what they are given first."""


class Discovery:
    """The search through one script, which fills `records`."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.records = Records(evaluator)
        self._evaluator = evaluator
        self._waiting: deque[Item] = deque()
        self._followed: set[int] = set()
        self._starts: list[int] = []
        self._giving: set[int] = set()
        self._to = Destinations(evaluator, self.records, self._waiting)
        self.member_writes: list[Item] = []
        """The members into which values were put."""

    @property
    def complete(self) -> bool:
        """Whether every name could be followed."""
        return self._to.complete

    @property
    def globals(self) -> frozenset[str]:
        """The names of globals into which values may have flowed."""
        return frozenset(self._to.globals)

    @property
    def reached(self) -> Reached:
        """Where the API was followed to."""
        return Reached(self._starts, self._giving)

    def run(self, places: Iterable[Item]) -> None:
        """Follows the API from names, strings and keys that may stand for a root."""
        for place in places:
            self._start(place)
        while self._waiting:
            self._follow(self._waiting.popleft())

    def _start(self, leaf: Item) -> None:
        if leaf.type == "string_fragment" and leaf.parent is not None:
            self._start_string(leaf.parent)
        elif leaf.type in {"number", '"', "'"} and leaf.parent is not None:
            self._start_required(leaf if leaf.type == "number" else leaf.parent)
        elif leaf.type == "property_identifier" and leaf.parent is not None:
            if leaf.parent.type == "pair_pattern":
                self._to.pattern(leaf.parent.field("value") or leaf, UNKNOWN)
            elif leaf.parent.type in MEMBERS:
                self._waiting.append(leaf.parent)
        else:
            found = self._evaluator.names.classify(leaf.start)
            if found is not None and found.role is Role.REFERENCE:
                self._waiting.append(leaf)
            elif found is not None:
                self._to.name(leaf)

    def _start_required(self, key: Item) -> None:
        listed = key.parent
        if listed is not None and listed.type == "arguments" and listed.parent is not None:
            self._waiting.append(listed.parent)

    def _start_string(self, string: Item) -> None:
        up = string.parent
        if up is None:
            return
        if up.type == "subscript_expression":
            self._waiting.append(up)
        elif up.type == "arguments" and up.parent is not None:
            self._waiting.append(up.parent)
        elif up.type in {"import_statement", "import_require_clause"}:
            for name in _imported_names(up):
                value = self._evaluator.partial(name)
                if leads_to_api(value) or is_mark(value):
                    self._to.name(name)

    def _follow(self, item: Item) -> None:
        """Climbs from an expression through what passes its value on."""
        while item.id not in self._followed:
            self._followed.add(item.id)
            self._starts.append(item.start)
            up = item.parent
            if up is None:
                return
            further = self._pass_on(item, up)
            if further is None:
                return
            item = further

    def _pass_on(self, item: Item, up: Item) -> Item | None:
        """Records what is done with a value, and gives the expression that has it next, if any."""
        if up.type in _THROUGH:
            return up
        self._compared(item, up)
        if up.type in MEMBERS:
            return self._member(item, up) if item.is_field("object") else None
        match up.type:
            case "call_expression":
                return self._called(item, up) if item.is_field("function") else None
            case "new_expression":
                return up if item.is_field("constructor") else None
            case "arguments":
                return self._argument(item, up)
            case "variable_declarator":
                pattern = up.field("name")
                if item.is_field("value") and pattern is not None:
                    self._to.pattern(pattern, self._evaluator.value(item))
                return None
            case "assignment_expression" | "augmented_assignment_expression":
                return self._assigned(item, up)
            case "assignment_pattern" | "object_assignment_pattern":
                pattern = up.field("left")
                if item.is_field("right") and pattern is not None:
                    self._to.pattern(pattern, self._evaluator.value(item))
                return None
            case "required_parameter" | "optional_parameter":
                pattern = up.field("pattern")
                if item.is_field("value") and pattern is not None:
                    self._to.pattern(pattern, self._evaluator.value(item))
                    if up.has("accessibility_modifier") or up.has("readonly"):
                        self._to.property(self._evaluator.tree.source(pattern))
                return None
            case "for_in_statement":
                pattern = up.field("left")
                if item.is_field("right") and pattern is not None and up.has("of"):
                    self._to.pattern(
                        pattern, self._evaluator.member(self._evaluator.value(item), "0", pattern)
                    )
                return None
            case "pair":
                return self._into_literal(up) if item.is_field("value") else None
            case "object":
                if item.type == "shorthand_property_identifier":
                    self._to.property(self._evaluator.tree.source(item))
                return up
            case "array":
                self._listed(item, up)
                return up
            case "sequence_expression" | "ternary_expression":
                return up
            case "spread_element":
                self._given_away(item)
                return up.parent
            case "binary_expression":
                return up if up.has("||") or up.has("??") or up.has("&&") else None
            case "field_definition" | "public_field_definition":
                name = key_of(self._evaluator, up)
                if item.is_field("value") and name is not None:
                    self._to.property(name)
                return None
            case "arrow_function" if item.is_field("body"):
                self._returned_by(up, item)
            case "return_statement":
                function = next((each for each in up.ancestors() if each.type in FUNCTIONS), None)
                if function is not None:
                    self._returned_by(function, item)
        return None

    def _compared(self, item: Item, up: Item) -> None:
        """Records comparisons of what the API gave."""
        if up.type in COMPARING:
            result = result_of(self._evaluator.value(item))
            if result is not None and not is_promise(result):
                for value, strict in compared_with(self._evaluator, item, up):
                    self.records.add_comparison(result, value, item, strict=strict)

    def _member(self, item: Item, up: Item) -> Item | None:
        if assignment_to(up) is not None or is_changed(up):
            value = self._evaluator.value(up)
            if isinstance(value, Api):
                self.records.add_replaced(value.path)
            return None
        name = key_of(self._evaluator, up) if up.type == "member_expression" else None
        value = self._evaluator.value(up)
        if isinstance(value, Api):
            if carries_api(self._evaluator.value(item)):
                self.records.add_naming(value, up)
            return up
        self._field(item, up)
        if name is None and carries_api(self._evaluator.value(item)) and not carries_api(value):
            self.records.add_dynamic(up)
            return None
        return up

    def _field(self, item: Item, up: Item) -> None:
        """Records a field that is read of what the API gave."""
        of = result_of(self._evaluator.value(item))
        key = up.field("property") or up.field("index")
        if of is None or is_promise(of) or key is None:
            return
        name = key_of(self._evaluator, up)
        if name is not None:
            self.records.add_field(of, name, key)

    def _called(self, item: Item, up: Item) -> Item | None:
        found = self._evaluator.api(item)
        if found is not None and found.path:
            self.records.add_call(found, item, up)
        self._into_callbacks(item, up)
        return up

    def _into_callbacks(self, item: Item, up: Item) -> None:
        """What the API gives flows into the parameters of the functions that a call is given."""
        owner = item.field("object") if item.type in MEMBERS else None
        of_result = owner is not None and result_of(self._evaluator.value(owner)) is not None
        promise = None if owner is None else self._evaluator.value(owner)
        of_promise = isinstance(promise, InstanceValue) and promise.holds is not None
        if not of_result and not of_promise and self._evaluator.api(item) is None:
            return
        for each in arguments_of(up):
            value = self._evaluator.value(each)
            definition = self._evaluator.definition(value)
            if definition is not None and definition.type in FUNCTIONS:
                for parameter in parameter_items(definition):
                    pattern = parameter.field("pattern") or parameter
                    self._to.pattern(parameter, parameter_value(self._evaluator, parameter, pattern))

    def _argument(self, item: Item, listed: Item) -> Item | None:
        """A value that is passed to a function of the script flows into its parameter."""
        call = listed.parent
        function = None if call is None else call.field("function")
        if call is None or function is None:
            if call is not None and holds_api(self._evaluator.partial(call)):
                self._waiting.append(call)
                return None
            self._given_away(item)
            return None
        index = index_of(listed.named(), item) or 0
        if function.type == "member_expression":
            helper = key_of(self._evaluator, function)
            if helper in {"freeze", "seal", "preventExtensions"}:
                return call
            if helper in _CHANGING and index == 0:
                value = self._evaluator.value(item)
                if isinstance(value, Api):
                    self.records.add_replaced(value.path)
                return None
            if helper == "call" and index > 0:
                function, index = function.field("object") or function, index - 1
        if holds_api(self._evaluator.partial(call)):
            self._waiting.append(call)
        value = self._evaluator.value(function)
        definition = self._evaluator.definition(value)
        if definition is None or definition.type not in FUNCTIONS:
            if not holds_api(self._evaluator.partial(call)) and not self._only_looks(function):
                self._given_away(item)
            return None
        parameters = parameter_items(definition)
        if index < len(parameters):
            self._hand(definition, call, parameters[index], item)
            self._to.pattern(parameters[index], self._evaluator.value(item))
        return None

    def _given_away(self, item: Item) -> None:
        """Records that code which is not seen gets the root, so that it may use any member."""
        value = self._evaluator.value(item)
        held = [each.value for each in value.fields.values()] if isinstance(value, ObjectValue) else [value]
        if any(isinstance(each, Api) and not each.path for each in held):
            self.records.add_dynamic(item)

    def _only_looks(self, function: Item) -> bool:
        """Whether a call only asks whether members are there, or prints them."""
        source = (
            self._evaluator.tree.source(function) if function.end - function.start < _LONGEST_NAME else ""
        )
        return source.startswith("console.") or source.rpartition(".")[2] in _ASKING or "hasOwn" in source

    def _hand(self, function: Item, call: Item, parameter: Item, item: Item) -> None:
        """A call by way of a property, which the look-up of a parameter would not find."""
        value = self._evaluator.value(item)
        handed = self._evaluator.handed.setdefault(function.id, [])
        if not holds_api(value) or len(handed) >= MOST_HANDED:
            return
        calls, _ = calls_of(self._evaluator, function)
        if any(each.same(call) for each in (*calls, *handed)):
            return
        handed.append(call)
        for name in names_in(parameter):
            binding = self._evaluator.names.variable(name)
            for use in () if binding is None else binding.uses:
                self._evaluator.forget(use.item)

    def _assigned(self, item: Item, up: Item) -> Item | None:
        left = up.field("left")
        if left is None or not item.is_field("right"):
            return None
        if left.type in MEMBERS:
            name = key_of(self._evaluator, left)
            self.member_writes.append(left)
            if name is not None:
                self._to.property(name)
                self._to.global_name(name)
                if name in _WHOLE:
                    self._exported(up)
        else:
            self._to.pattern(left, self._evaluator.value(item))
        return up

    def _into_literal(self, pair: Item) -> Item | None:
        name = key_of(self._evaluator, pair)
        if name is not None:
            self._to.property(name)
        return pair.parent

    def _exported(self, at: Item) -> None:
        """What a module of a bundle exports as a whole goes wherever the module is required."""
        for function in at.ancestors():
            module = module_of(self._evaluator, function) if function.type in FUNCTIONS else None
            if module is not None:
                value = exports_of_module(self._evaluator, module)
                if module.function.id not in self._followed and holds_api(value):
                    self._followed.add(module.function.id)
                    self._waiting.extend(requires_of(self._evaluator, module))
                return

    def _listed(self, item: Item, array: Item) -> None:
        """A value after its name in a list of exports: `["api", 0, value]`."""
        items = array.named()
        index = index_of(items, item) or 0
        if index > 1 and items[index - 2].type == "string" and items[index - 1].type == "number":
            name = self._evaluator.tree.source(items[index - 2])[1:-1]
            self._to.property(name)
            if name in _WHOLE:
                self._exported(array)

    def _returned_by(self, function: Item, item: Item) -> None:
        self._giving.add(function.id)
        calls, _ = calls_of(self._evaluator, function)
        self._waiting.extend(calls)
        if function.type == "method_definition":
            self._to.property(key_of(self._evaluator, function) or "")
        if not holds_api(self._evaluator.partial(item)):
            return
        for name in held_as(self._evaluator, function):
            self._to.property(name)
            if name in _WHOLE:
                self._exported(function)


def _imported_names(statement: Item) -> Iterator[Item]:
    waiting = [each for each in statement.named() if each.type != "string"]
    while waiting:
        item = waiting.pop()
        if item.type == "import_specifier":
            name = item.field("alias") or item.field("name")
            if name is not None:
                yield name
        elif item.type == "identifier":
            yield item
        else:
            waiting += item.named()
