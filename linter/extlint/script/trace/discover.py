"""From the roots of the API forward, to every place where a member is named or called.

Where an API value flows (into names, parameters, properties, patterns) is followed here only to
find places worth asking about; what is really there is the evaluator's answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from extlint.script.expressions.fields import put_into
from extlint.script.facts.values import Api, options_of
from extlint.script.scope.reached_places import Reached
from extlint.script.syntax.node import FUNCTIONS, MEMBERS, Node
from extlint.script.syntax.shapes import WRAPPERS, outermost
from extlint.script.trace.comparisons import COMPARING, compared_with
from extlint.script.trace.destinations import Destinations
from extlint.script.trace.escapes import leaves, results_in
from extlint.script.trace.passed_values import PassedValues
from extlint.script.trace.records import Records
from extlint.script.trace.returned_values import ReturnedValues
from extlint.script.trace.roots import Roots
from extlint.script.values.api_results import is_promise, result_of
from extlint.script.values.evaluator import Evaluator, carries_api
from extlint.script.values.other_scripts import received_arguments
from extlint.script.values.property_index import assignment_to, is_changed
from extlint.script.values.property_names import key_of

_THROUGH = WRAPPERS | {"await_expression", "instantiation_expression", "type_assertion"}


class Discovery:
    """The search through one script, which fills `records`."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.records = Records(evaluator)
        self._evaluator = evaluator
        self._waiting: deque[Node] = deque()
        self._followed: set[int] = set()
        self._starts: list[int] = []
        self._to = Destinations(evaluator, self.records, self._waiting)
        self._handing = PassedValues(evaluator, self.records, self._to, self._waiting)
        self._giving = ReturnedValues(evaluator, self._to, self._waiting)
        self.member_writes: list[Node] = []
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
        return Reached(self._starts, self._giving.functions)

    def receive(self) -> None:
        """Follows what other scripts pass to functions into their parameters."""
        for received in received_arguments(self._evaluator).values():
            self._handing.received(received.function, received.values)

    def run(self, places: Iterable[Node]) -> None:
        """Follows the API from names, strings and keys that may stand for a root."""
        starts = Roots(self._evaluator, self._to, self._waiting)
        for place in places:
            starts.at(place)
        while self._waiting:
            self._follow(self._waiting.popleft())

    def _follow(self, item: Node) -> None:
        """Climbs from an expression through what passes its value on."""
        while item.id not in self._followed:
            self._followed.add(item.id)
            self._starts.append(item.start)
            up = item.parent
            if up is None:
                return
            if results_in(self._evaluator, item) and leaves(self._evaluator, item, up):
                self.records.hand(self._evaluator.value(item))
            further = self._pass_on(item, up)
            if further is None:
                return
            item = further

    def _pass_on(self, item: Node, up: Node) -> Node | None:
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
                return self._handing.passed(item, up)
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
                self._giving.listed(item, up)
                return up
            case "sequence_expression" | "ternary_expression":
                return up
            case "spread_element":
                self._handing.given_away(item)
                return up.parent
            case "binary_expression":
                return up if up.has("||") or up.has("??") or up.has("&&") else None
            case "field_definition" | "public_field_definition":
                name = key_of(self._evaluator, up)
                if item.is_field("value") and name is not None:
                    self._to.property(name)
                return None
            case "arrow_function" if item.is_field("body"):
                self._giving.returned_by(up, item)
            case "return_statement":
                function = next((each for each in up.ancestors() if each.type in FUNCTIONS), None)
                if function is not None:
                    self._giving.returned_by(function, item)
        return None

    def _compared(self, item: Node, up: Node) -> None:
        """Records comparisons of what the API gave."""
        if up.type in COMPARING:
            result = result_of(self._evaluator.value(item))
            if result is not None and not is_promise(result):
                for value, strict in compared_with(self._evaluator, item, up):
                    self.records.add_comparison(result, value, item, strict=strict)

    def _member(self, item: Node, up: Node) -> Node | None:
        if assignment_to(up) is not None or is_changed(up):
            written = [
                each for each in options_of(self._evaluator.value(up)) if isinstance(each, Api) and each.path
            ]
            for member in written:
                self.records.add_replaced(member.path)
                self.records.added.add(member.path)
            if not written or written[0].path[-1] == "__proto__":
                owners = options_of(self._evaluator.value(item))
                self.records.exposed.update(each.path for each in owners if isinstance(each, Api))
            return None
        name = key_of(self._evaluator, up) if up.type == "member_expression" else None
        value = self._evaluator.value(up)
        if isinstance(value, Api):
            if carries_api(self._evaluator.value(item)):
                self.records.add_reference(value, up)
            return up
        self.records.add_choice(value, up)
        self._field(item, up)
        if name is None and carries_api(self._evaluator.value(item)) and not carries_api(value):
            self.records.add_dynamic(up)
            if _is_kept(up):
                owners = options_of(self._evaluator.value(item))
                self.records.exposed.update(each.path for each in owners if isinstance(each, Api))
            return None
        return up

    def _field(self, item: Node, up: Node) -> None:
        """Records a field that is read of what the API gave."""
        of = result_of(self._evaluator.value(item))
        key = up.field("property") or up.field("index")
        if of is None or is_promise(of) or key is None:
            return
        name = key_of(self._evaluator, up)
        if name is not None:
            self.records.add_field(of, name, key, up)

    def _called(self, item: Node, up: Node) -> Node | None:
        found = self._evaluator.api(item)
        if found is not None and found.path:
            self.records.add_call(found, item, up)
        else:
            self.records.add_chosen_call(item, up)
        self._handing.into_callbacks(item, up)
        return up

    def _assigned(self, item: Node, up: Node) -> Node | None:
        left = up.field("left")
        if left is None or not item.is_field("right"):
            return None
        if left.type in MEMBERS:
            name = key_of(self._evaluator, left)
            self.member_writes.append(left)
            if name is not None:
                self._to.property(name)
                self._to.global_name(name)
                self._giving.exported_as(name, up)
                if carries_api(self._evaluator.value(item)):
                    self._waiting.extend(put_into(self._evaluator, left, name))
        else:
            self._to.pattern(left, self._evaluator.value(item))
        return up

    def _into_literal(self, pair: Node) -> Node | None:
        name = key_of(self._evaluator, pair)
        if name is not None:
            self._to.property(name)
        return pair.parent


def _is_kept(item: Node) -> bool:
    """Whether something is done with an object beyond a use of one of its members."""
    up = outermost(item).parent
    if up is None or up.type not in MEMBERS:
        return up is not None and up.type != "call_expression"
    return assignment_to(up) is not None or is_changed(up)
