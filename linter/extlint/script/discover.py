"""From the roots of the API forward, to every place where a member is named or called.

Where an API value flows (into names, parameters, properties, patterns) is followed here only to
find places worth asking about; what is really there is the evaluator's answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from extlint.script.calls import HELPERS
from extlint.script.evaluate import Evaluator, carries_api
from extlint.script.facts import Call, Guards, Naming, Path
from extlint.script.functions import WRAPPERS, calls_of, parameter_items
from extlint.script.guards import GuardReader
from extlint.script.keys import key_of
from extlint.script.names import Binding, Occurrence, Role, TooManyError
from extlint.script.properties import assignment_to, is_changed, property_leaves
from extlint.script.testing import is_alternative, only_tested
from extlint.script.tree import FUNCTIONS, Item
from extlint.values import UNKNOWN, Api, ArrayValue, Value, at_span

_THROUGH = WRAPPERS | {"await_expression", "instantiation_expression", "type_assertion"}
_MEMBERS = frozenset({"member_expression", "subscript_expression"})


class Discovery:
    """The namings, calls and dynamic accesses of one script."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._guards = GuardReader(evaluator)
        self._waiting: deque[Item] = deque()
        self._followed: set[int] = set()
        self._names: set[tuple[str, int]] = set()
        self._properties: set[str] = set()
        self._replaced: set[Path] = set()
        self.complete = True
        self._namings: dict[tuple[int, int], Naming] = {}
        self._calls: dict[tuple[int, int], Call] = {}
        self._dynamic: set[tuple[int, int]] = set()

    def run(self, places: Iterable[Item]) -> None:
        """Follows the API from names, strings and keys that may stand for a root."""
        for place in places:
            self._start(place)
        while self._waiting:
            self._follow(self._waiting.popleft())

    @property
    def namings(self) -> tuple[Naming, ...]:
        """The namings in source order; what the script puts in a member's place counts as tested."""
        found = [self._namings[span] for span in sorted(self._namings)]
        if not self._replaced:
            return tuple(found)
        return tuple(self._with_replaced(naming) for naming in found)

    def _with_replaced(self, naming: Naming) -> Naming:
        replaced = {path for path in self._replaced if naming.path[: len(path)] == path}
        if not replaced:
            return naming
        guards = naming.guards
        tested = guards.tested | replaced | {naming.path}
        return Naming(
            naming.path,
            naming.root,
            naming.span,
            Guards(frozenset(tested), guards.caught, guards.missing),
            naming.only_tested,
            naming.on_load,
        )

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls in source order."""
        return tuple(self._calls[span] for span in sorted(self._calls))

    @property
    def dynamic(self) -> tuple[tuple[int, int], ...]:
        """The byte ranges of accesses whose member is not known, in source order."""
        return tuple(sorted(self._dynamic))

    def _start(self, leaf: Item) -> None:
        if leaf.type == "string_fragment" and leaf.parent is not None:
            self._start_string(leaf.parent)
        elif leaf.type == "property_identifier" and leaf.parent is not None:
            if leaf.parent.type == "pair_pattern":
                self._into(leaf.parent.field("value") or leaf, UNKNOWN)
            elif leaf.parent.type in _MEMBERS:
                self._waiting.append(leaf.parent)
        else:
            found = self._evaluator.names.classify(leaf.start)
            if found is not None and found.role is Role.REFERENCE:
                self._waiting.append(leaf)
            elif found is not None:
                self._into_name(leaf)

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
                self._into_name(name)

    def _follow(self, item: Item) -> None:
        """Climbs from an expression through what passes its value on."""
        while item.id not in self._followed:
            self._followed.add(item.id)
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
        if up.type in _MEMBERS:
            return self._member(item, up) if item.is_field("object") else None
        match up.type:
            case "call_expression":
                return self._called(item, up) if item.is_field("function") else None
            case "arguments":
                return self._argument(item, up)
            case "variable_declarator":
                pattern = up.field("name")
                if item.is_field("value") and pattern is not None:
                    self._into(pattern, self._evaluator.value(item))
                return None
            case "assignment_expression" | "augmented_assignment_expression":
                return self._assigned(item, up)
            case "assignment_pattern" | "object_assignment_pattern":
                pattern = up.field("left")
                if item.is_field("right") and pattern is not None:
                    self._into(pattern, self._evaluator.value(item))
                return None
            case "required_parameter" | "optional_parameter":
                pattern = up.field("pattern")
                if item.is_field("value") and pattern is not None:
                    self._into(pattern, self._evaluator.value(item))
                    if up.has("accessibility_modifier") or up.has("readonly"):
                        self._into_property(self._evaluator.tree.source(pattern))
                return None
            case "pair":
                return self._into_literal(up) if item.is_field("value") else None
            case "object":
                if item.type == "shorthand_property_identifier":
                    self._into_property(self._evaluator.tree.source(item))
                return up
            case "array" | "sequence_expression" | "ternary_expression":
                return up
            case "spread_element":
                return up.parent
            case "binary_expression":
                return up if up.has("||") or up.has("??") or up.has("&&") else None
            case "field_definition" | "public_field_definition":
                name = key_of(self._evaluator, up)
                if item.is_field("value") and name is not None:
                    self._into_property(name)
                return None
            case "arrow_function" if item.is_field("body"):
                self._returned_by(up)
            case "return_statement":
                function = next((each for each in up.ancestors() if each.type in FUNCTIONS), None)
                if function is not None:
                    self._returned_by(function)
        return None

    def _member(self, item: Item, up: Item) -> Item | None:
        if assignment_to(up) is not None or is_changed(up):
            value = self._evaluator.value(up)
            if isinstance(value, Api):
                self._replaced.add(value.path)
            return None
        name = key_of(self._evaluator, up) if up.type == "member_expression" else None
        value = self._evaluator.value(up)
        if isinstance(value, Api):
            self._name(value, up)
            return up
        if name is None and carries_api(self._evaluator.value(item)) and not carries_api(value):
            self._dynamic.add(up.span)
            return None
        return up

    def _name(self, value: Api, item: Item, *, key: Item | None = None) -> None:
        """Records a naming: a member expression, or the key of a part of a pattern."""
        where = (key or item).span
        if where in self._namings or not value.path or value.path[-1] in HELPERS:
            return
        guards = self._guards.around(item)
        if is_alternative(item):
            guards = Guards(guards.tested | {value.path}, guards.caught, guards.missing)
        guards = _with_optional_chain(self._evaluator, item, guards)
        self._namings[where] = Naming(
            value.path,
            value.root,
            where,
            guards,
            only_tested(self._evaluator, item),
            self._guards.certainly_on_load(item),
        )

    def _called(self, item: Item, up: Item) -> Item | None:
        found = self._evaluator.api(item)
        if found is not None and found.path:
            self._record(found, item, up)
        return up

    def _record(self, found: Api, item: Item, up: Item) -> None:
        listed = up.field("arguments")
        if listed is None or listed.type != "arguments" or up.span in self._calls:
            return
        helper = found.path[-1] if found.path[-1] in HELPERS else None
        if helper == "bind":
            return
        arguments, is_open = self._arguments(listed)
        path = found.path
        if helper is not None:
            path = path[:-1]
            arguments, is_open = _helped(helper, arguments, is_open)
        self._calls[up.span] = Call(
            path,
            found.root,
            up.span,
            item.span,
            (*found.bound, *arguments),
            listed.span,
            is_open,
        )

    def _arguments(self, listed: Item) -> tuple[tuple[Value, ...], bool]:
        values: list[Value] = []
        for each in listed.named():
            if each.type == "spread_element":
                inner = each.first()
                spread = None if inner is None else self._evaluator.value(inner)
                if not isinstance(spread, ArrayValue) or spread.open:
                    return tuple(values), True
                values += spread.items
            else:
                values.append(at_span(self._evaluator.value(each), each.span))
        return tuple(values), False

    def _argument(self, item: Item, listed: Item) -> Item | None:
        """A value that is passed to a function of the script flows into its parameter."""
        call = listed.parent
        function = None if call is None else call.field("function")
        if call is None or function is None:
            return None
        index = next((at for at, each in enumerate(listed.named()) if each.same(item)), 0)
        if function.type == "member_expression":
            helper = key_of(self._evaluator, function)
            if helper in {"freeze", "seal", "preventExtensions"}:
                return call
            if helper == "call" and index > 0:
                function, index = function.field("object") or function, index - 1
        value = self._evaluator.value(function)
        definition = self._evaluator.definitions.get(value.span) if value.span is not None else None
        if definition is None or definition.type not in FUNCTIONS:
            return None
        parameters = parameter_items(definition)
        if index < len(parameters):
            self._into(parameters[index], self._evaluator.value(item))
        return None

    def _assigned(self, item: Item, up: Item) -> Item | None:
        left = up.field("left")
        if left is None or not item.is_field("right"):
            return None
        if left.type in _MEMBERS:
            name = key_of(self._evaluator, left)
            if name is not None:
                self._into_property(name)
                self._into_global(name)
        else:
            self._into(left, self._evaluator.value(item))
        return up

    def _into_literal(self, pair: Item) -> Item | None:
        name = key_of(self._evaluator, pair)
        if name is not None:
            self._into_property(name)
        return pair.parent

    def _returned_by(self, function: Item) -> None:
        calls, _ = calls_of(self._evaluator, function)
        self._waiting.extend(calls)
        if function.type == "method_definition":
            name = key_of(self._evaluator, function)
            if name is not None:
                self._into_property(name)

    def _into(self, pattern: Item, value: Value) -> None:
        """A value flows into a pattern: into a variable, or into parts of it."""
        inner = pattern.field("pattern")
        if pattern.type in {"required_parameter", "optional_parameter"} and inner is not None:
            pattern = inner
        match pattern.type:
            case "identifier" | "shorthand_property_identifier_pattern":
                self._into_name(pattern)
            case "assignment_pattern" | "object_assignment_pattern":
                left = pattern.field("left")
                if left is not None:
                    self._into(left, value)
            case "object_pattern":
                for each in pattern.named():
                    self._into_part(each, value)
            case "array_pattern":
                for index, each in enumerate(pattern.named()):
                    self._into(each, self._evaluator.member(value, str(index), each))
            case "rest_pattern":
                first = pattern.first()
                if first is not None:
                    self._into(first, value)
            case "parenthesized_expression" | "non_null_expression" | "as_expression":
                first = pattern.first()
                if first is not None:
                    self._into(first, value)

    def _into_part(self, each: Item, value: Value) -> None:
        if each.type == "rest_pattern":
            self._into(each, value)
            return
        name = key_of(self._evaluator, each)
        if name is None:
            if carries_api(value):
                self._dynamic.add(each.span)
            return
        key = each.field("key") or each.field("left") or each
        part = self._evaluator.member(value, name, key)
        if isinstance(part, Api):
            self._name(part, each, key=key)
        target = each.field("value") if each.type == "pair_pattern" else each
        if target is not None:
            self._into(target, part)

    def _into_name(self, name: Item) -> None:
        source = self._evaluator.tree.source(name)
        try:
            binding = self._evaluator.names.resolve(source, name)
            if binding is None:
                self._into_global(source)
            else:
                self._uses_of(binding)
        except TooManyError:
            self.complete = False

    def _uses_of(self, binding: Binding) -> None:
        key = (binding.name, binding.scope.id)
        if key in self._names:
            return
        self._names.add(key)
        self._waiting.extend(use.item for use in binding.uses if use.role is Role.REFERENCE)
        if binding.scope.type == "program" and any(each.kind == "var" for each in binding.declarations):
            self._into_property(binding.name)

    def _into_global(self, name: str) -> None:
        if (name, 0) in self._names:
            return
        self._names.add((name, 0))
        try:
            free: list[Occurrence] = list(self._evaluator.names.free(name))
        except TooManyError:
            self.complete = False
            return
        self._waiting.extend(use.item for use in free if use.role is Role.REFERENCE)

    def _into_property(self, name: str) -> None:
        """A value flows into a property; every place that reads one of that name is worth a look."""
        if name in self._properties:
            return
        self._properties.add(name)
        for leaf in property_leaves(self._evaluator, name):
            place = leaf.parent
            if place is not None and place.type == "string":
                place = place.parent
            if place is None:
                continue
            if place.type in _MEMBERS and carries_api(self._evaluator.value(place)):
                if assignment_to(place) is None:
                    self._waiting.append(place)
            elif place.type in _MEMBERS and place.parent is not None and place.is_field("function"):
                self._waiting.append(place)


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


def _helped(helper: str, arguments: tuple[Value, ...], is_open: bool) -> tuple[tuple[Value, ...], bool]:
    """The arguments that `f.call(this, …)` and `f.apply(this, […])` pass on."""
    if helper == "call":
        return arguments[1:], is_open
    if len(arguments) < 2:
        return (), is_open
    array = arguments[1]
    return (array.items, array.open) if isinstance(array, ArrayValue) else ((), True)


def _with_optional_chain(evaluator: Evaluator, item: Item, guards: Guards) -> Guards:
    """Adds what `?.` tested earlier in the same chain."""
    tested = set(guards.tested)
    place: Item | None = item
    while place is not None:
        target = (
            place.field("object")
            or place.field("function")
            or (place.first() if place.type in WRAPPERS else None)
        )
        if target is not None and place.has("optional_chain"):
            found = evaluator.api(target)
            if found is not None and found.path:
                tested.add(found.path)
        place = target
    return Guards(frozenset(tested), guards.caught, guards.missing)
