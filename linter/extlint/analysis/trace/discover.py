"""Traces the API forward from its roots to every access and call of a member.

The flow of API values (into names, parameters, properties, patterns) is followed here only to
find expressions worth evaluating; the evaluator determines their actual values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import partial
from itertools import islice

from extlint.analysis.expressions.members import store_in_field
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import (
    Api,
    ApiResult,
    ArrayValue,
    Delivery,
    Literal,
    ObjectValue,
    Typed,
    Unknown,
    Value,
    options_of,
)
from extlint.analysis.guards.forms.members import operands_of_test
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AssignmentPattern,
    AugmentedAssignment,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    FieldDefinition,
    ForInStatement,
    Function,
    MemberExpression,
    NewExpression,
    Pair,
    Parameter,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import WRAPPERS, enclosing_function, innermost, outermost
from extlint.analysis.trace.destinations import Destinations, compared_values
from extlint.analysis.trace.escapes import api_results_of, escapes, is_confined
from extlint.analysis.trace.passed_values import PassedValues
from extlint.analysis.trace.records import Records
from extlint.analysis.trace.returned_values import ReturnedValues, Roots
from extlint.analysis.values.api_results import is_promise, is_text, result_of, results_among
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.fallback_objects import added_fields, is_value_discarded
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.property_index import assignment_to, is_changed, is_too_common, key_of
from extlint.analysis.values.recorded import received_arguments

MAX_FOLLOWED = 60_000
"""The most expressions that the API is followed to in one script. The largest bundles have some thousands."""

_ROOTS_AT_ONCE = 10_000
"""The roots that are found before the first of them is followed. Those after the limit are not read."""

_COMPARING = frozenset({"arguments", "binary_expression", "switch_statement"})
"""The types of nodes that may compare their children."""

_TESTING = frozenset({"arguments", "binary_expression", "member_expression"})
"""The types of nodes that may be a part of a test for a property."""

_TESTS = frozenset({"call", "has", "hasOwn", "hasOwnProperty", "in"})
"""The operator and methods of such tests."""

_DEFINING = frozenset({"__defineGetter__", "__defineSetter__"})
"""The methods of every object that define a property on it."""

_LITERALS = frozenset({"array", "object"})
"""The types of nodes whose value is an object or array whatever its contents, so that it is not evaluated."""

_HOLDING = frozenset(
    "arguments array arrow_function assignment_expression field_definition object pair"
    " public_field_definition return_statement spread_element yield_expression".split()
)
"""The types of nodes that pass a value on, or keep it, mostly other than in a variable."""

_FORWARDING = WRAPPERS | {"await_expression", "instantiation_expression", "type_assertion"}
_RETURNING = _FORWARDING | {"arrow_function", "binary_expression", "return_statement", "ternary_expression"}
"""The types of nodes through which a value passes from a function to its caller."""


class Discovery:
    """The trace of the API through one script, which fills `records`."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.records = Records(evaluator)
        self._evaluator = evaluator
        self._possible = evaluator.possible
        self._waiting: deque[Node] = deque()
        self._followed: set[int] = set()
        self._starts: list[int] = []
        self._destinations = Destinations(evaluator, self.records, self._waiting)
        self._passed_values = PassedValues(evaluator, self.records, self._destinations, self._waiting)
        self._returned_values = ReturnedValues(evaluator, self._destinations, self._waiting)
        self.member_writes: list[Node] = []
        """The members to which values were assigned."""

    @property
    def visited(self) -> int:
        """The number of expressions followed up to now."""
        return len(self._followed)

    @property
    def globals(self) -> frozenset[str]:
        """The names of globals that may have received values."""
        return frozenset(self._destinations.globals)

    @property
    def api_places(self) -> ApiPlaces:
        """The positions that the API was followed to."""
        return ApiPlaces(self._starts, self._returned_values.functions)

    def follow_received_arguments(self) -> None:
        """Follows the values that other scripts pass to functions into their parameters."""
        for each in received_arguments(self._evaluator).values():
            receive = partial(self._passed_values.follow_received, each.function, each.values)
            self._evaluator.attempt(each.function.span, receive)

    def run(self, places: Iterable[int]) -> None:
        """Follows the API from names, strings and keys at these offsets that may denote a root."""
        starts, remaining = Roots(self._evaluator, self._destinations, self._waiting), iter(places)
        while (part := tuple(islice(remaining, _ROOTS_AT_ONCE))) or self._waiting:
            for place in part:
                self._evaluator.attempt((place, place + 1), partial(self._follow_root, starts, place))
            while self._waiting:
                expression = self._waiting.popleft()
                if self.visited > MAX_FOLLOWED:
                    self._evaluator.record_omission(expression.span)
                    self._waiting.clear()
                    return
                self._evaluator.attempt(expression.span, partial(self._follow, expression))
        self._evaluator.attempt(None, self._destinations.record_lost_results)

    def _follow_root(self, starts: Roots, place: int) -> None:
        leaf = self._evaluator.tree.leaf_at(place)
        if leaf.start == place:
            starts.follow(leaf)

    def _follow(self, expression: Node) -> None:
        """Follows the value of an expression through its ancestors.

        A string has no API members, so it is followed only to the calls of functions that return it.
        """
        while expression.id not in self._followed:
            is_literal = expression.type in _LITERALS
            if not is_literal and not self._may_lead_to_api(expression):
                return
            self._followed.add(expression.id)
            self._starts.append(expression.start)
            up = expression.parent
            if up is None or not (is_literal or self._is_followed_into(expression, up)):
                return
            if not is_literal and up.type in _HOLDING:
                self._record_held(expression, up)
            further = self._follow_into_parent(expression, up)
            if further is None:
                return
            expression = further

    def _may_lead_to_api(self, expression: Node) -> bool:
        """Whether the API may be reached through the value of an expression.

        A primitive or an unknown value does not lead to the API. A member of a value that does may be a
        method, such as `then`, with only its callback arguments known.
        """
        value = self._possible.partial(expression)
        if isinstance(value, Api) or _may_hold_api(value):
            return True
        return isinstance(expression, AccessExpression) and _may_hold_api(
            self._possible.partial(expression.object, key_of(self._evaluator, expression))
        )

    def _record_held(self, expression: Node, up: Node) -> None:
        """Records an object of the API that is passed, returned or kept other than in a variable."""
        if isinstance(up, AssignmentExpression) and not isinstance(up.left, AccessExpression):
            return
        options = options_of(self._possible.value(expression))
        self.records.held_objects.update(each.path for each in options if isinstance(each, Api))

    def _is_followed_into(self, expression: Node, up: Node) -> bool:
        """Whether a value is followed into its parent; also records API results that escape there."""
        value = self._possible.value(expression)
        if isinstance(value, Api):
            return True
        if is_text(value):
            return up.type in _RETURNING
        if api_results_of(self._evaluator, expression) and escapes(self._evaluator, expression, up):
            self.records.add_escaped_result(value)
        return True

    def _follow_into_parent(self, expression: Node, up: Node) -> Node | None:
        """Records the use of a value, and returns the expression to which it flows next, or None."""
        if up.type in _FORWARDING:
            return up
        self._record_comparisons(expression, up)
        if up.type in _TESTING:
            self._record_tested_property(expression, up)
        match up:
            case AccessExpression():
                return self._follow_member(expression, up) if expression.is_field("object") else None
            case CallExpression():
                return self._follow_call(expression, up) if expression.is_field("function") else None
            case NewExpression():
                return up if expression.is_field("constructor") else None
            case AugmentedAssignment(is_logical=True) if expression.is_field("left"):
                return up
            case AssignmentExpression() | AugmentedAssignment():
                return self._follow_assignment(expression, up) if expression.is_field("right") else None
            case VariableDeclarator() if expression.is_field("value"):
                self._destinations.follow_assignment(up.name, expression)
            case AssignmentPattern() if expression.is_field("right"):
                self._destinations.follow_assignment(up.left, expression)
            case Parameter() if expression.is_field("value"):
                self._destinations.follow_assignment(up.pattern, expression)
                if up.has_token("accessibility_modifier") or up.has_token("readonly"):
                    self._destinations.follow_property(self._evaluator.tree.source(up.pattern))
            case ForInStatement(operator="of", left=left) if expression.is_field("right"):
                self._record_iteration(expression, up)
                element = self._possible.member(self._possible.value(expression), "0", left)
                self._destinations.follow_pattern(left, element)
            case Pair():
                return self._follow_into_literal(up) if expression.is_field("value") else None
            case ConditionalExpression():
                return up
            case BinaryExpression():
                return up if up.is_logical else None
            case FieldDefinition() if expression.is_field("value"):
                name = key_of(self._evaluator, up)
                if name is not None:
                    self._destinations.follow_property(name)
            case Function(type="arrow_function") if expression.is_field("body"):
                self._returned_values.follow_return(up, expression)
        return self._follow_into_container(expression, up)

    def _follow_into_container(self, expression: Node, up: Node) -> Node | None:
        """Does the same for nodes that treat all their children alike."""
        match up.type:
            case "arguments" if isinstance(up.parent, CallOrNewExpression):
                return self._passed_values.follow_argument(expression, up.parent)
            case "object":
                if expression.type == "shorthand_property_identifier":
                    self._destinations.follow_property(self._evaluator.tree.source(expression))
                return up
            case "array":
                self._returned_values.follow_listed_export(expression, up)
                return up
            case "sequence_expression":
                return up
            case "spread_element":
                self._passed_values.record_escape(expression)
                return up.parent
            case "return_statement":
                function = enclosing_function(up)
                if function is not None:
                    self._returned_values.follow_return(function, expression)
        return None

    def _record_comparisons(self, expression: Node, up: Node) -> None:
        """Records comparisons of an API result, or of a function that should be called."""
        if up.type in _COMPARING:
            result = result_of(self._possible.value(expression)) or self._uncalled(expression)
            if result is not None:
                for value, strict in compared_values(self._evaluator, expression, up):
                    self.records.add_comparison(result, value, expression, strict=strict)

    def _uncalled(self, expression: Node) -> ApiResult | None:
        """Returns a member of the API that an expression certainly is."""
        found = self._evaluator.api(expression)
        return (
            None
            if found is None or not found.path
            else ApiResult(found.path, Delivery.MEMBER, root=found.root)
        )

    def _record_tested_property(self, owner: Node, up: Node) -> None:
        """Records a member whose name is in a test of the API: `"query" in chrome.tabs`."""
        test = up if isinstance(up, BinaryExpression) else up.parent
        word = up.operator if isinstance(up, BinaryExpression) else None
        if isinstance(test, CallExpression) and isinstance(test.callee, MemberExpression):
            word = key_of(self._evaluator, test.callee)
        found = self._evaluator.api(owner) if word in _TESTS else None
        if found is None or test is None or any(name[:1].isupper() for name in found.path):
            return  # a constant of an enumeration may be newer
        operands = operands_of_test(self._evaluator, test)
        if operands is not None and operands[0].type == "string" and innermost(operands[1]).same(owner):
            self.records.add_tested_property(found, operands[0])

    def _record_iteration(self, expression: Node, loop: Node) -> None:
        """Records an iteration over a promise, which is not iterable."""
        result = result_of(self._possible.value(expression))
        if result is not None and is_promise(result) and not loop.has_token("await"):
            self.records.add_iteration(result, expression)

    def _follow_member(self, target: Node, up: AccessExpression) -> Node | None:
        if assignment_to(up) is not None or is_changed(up):
            written = [
                each for each in options_of(self._possible.value(up)) if isinstance(each, Api) and each.path
            ]
            for member in written:
                self._add_written(member.path, up)
            if not written or written[0].path[-1] == "__proto__":
                owners = options_of(self._possible.value(target))
                self.records.exposed_objects.update(each.path for each in owners if isinstance(each, Api))
            return None
        name = key_of(self._evaluator, up) if isinstance(up, MemberExpression) else None
        value = self._possible.value(up)
        if isinstance(value, Api):
            if carries_api(self._possible.value(target)):
                self.records.add_reference(value, up)
            return up
        self.records.add_ambiguous_reference(value, up)
        self._record_field_read(target, up)
        if name is None and carries_api(self._possible.value(target)) and not carries_api(value):
            self.records.add_dynamic_access(up, self._possible.value(target))
            if _is_used_as_object(up):
                owners = options_of(self._possible.value(target))
                self.records.exposed_objects.update(each.path for each in owners if isinstance(each, Api))
            return None
        return up

    def _add_written(self, path: ApiPath, place: AccessExpression) -> None:
        """Records that the script assigns to a member: of an object with known members, only those."""
        assignment = assignment_to(place)
        is_known = assignment is not None and is_value_discarded(assignment)
        members = added_fields(self._evaluator, assignment.right, path) if assignment and is_known else None
        value = self._possible.value(
            assignment.right if isinstance(assignment, AssignmentExpression) else place
        )
        if members is None:
            self.records.added_members.add(path)
            self.records.add_replaced(path, place, value)
            return
        self.records.created_objects.add(path)
        for name in members:
            self.records.added_members.add((*path, name))
            self.records.add_replaced((*path, name), place, value)

    def _record_field_read(self, target: Node, up: AccessExpression) -> None:
        """Records a field read of an API result."""
        value = self._possible.value(target)
        name = key_of(self._evaluator, up) if results_among(value) else None
        if name is not None:
            self.records.add_field_read(value, name, up.key, up)

    def _follow_call(self, callee: Node, call: CallExpression) -> Node | None:
        found = self._evaluator.api(callee)
        if found is not None and found.path:
            self.records.add_call(found, callee, call)
            if found.path[-1] in _DEFINING:
                self.records.exposed_objects.add(found.path[:-1])
        else:
            self.records.add_ambiguous_call(callee, call)
            self.records.add_result_call(callee, call)
        self._passed_values.follow_into_callbacks(callee, call)
        return call

    def _follow_assignment(
        self, value: Node, assignment: AssignmentExpression | AugmentedAssignment
    ) -> Node | None:
        left = assignment.left
        if isinstance(left, AccessExpression):
            name = key_of(self._evaluator, left)
            self.member_writes.append(left)
            if name is not None:
                self._follow_into_property(name, value)
                self._destinations.follow_global(name)
                self._returned_values.follow_export(name, assignment)
                if carries_api(self._possible.value(value)):
                    self._waiting.extend(store_in_field(self._evaluator, left, name))
        else:
            self._destinations.follow_assignment(left, value)
        return assignment

    def _follow_into_literal(self, pair: Pair) -> Node | None:
        name = key_of(self._evaluator, pair)
        literal = pair.parent
        if name is not None and not (literal is not None and is_confined(self._evaluator, literal)):
            self._follow_into_property(name, pair.value)
        return literal

    def _follow_into_property(self, name: str, value: Node) -> None:
        """Follows a value into a property; records an omission if a too common name loses the API.

        Results of the API are not followed out of properties.
        """
        found = self._possible.value(value)
        if _is_data(found):
            return
        if is_too_common(self._evaluator, name) and carries_api(found):
            self._evaluator.record_omission(value.span)
        self._destinations.follow_property(name)


def _is_data(value: Value) -> bool:
    """Whether a value consists only of API results, unknown values, and literals that hold nothing else."""
    waiting = [*options_of(value)]
    while waiting:
        match waiting.pop():
            case ArrayValue(items=items, open=False):
                waiting += [option for each in items for option in options_of(each)]
            case ObjectValue(fields=fields, open=False):
                waiting += [option for each in fields.values() for option in options_of(each.value)]
            case ApiResult() | Literal() | Typed() | Unknown():
                pass
            case _:
                return False
    return True


def _may_hold_api(value: Value) -> bool:
    return any(not isinstance(each, Literal | Typed | Unknown) for each in options_of(value))


def _is_used_as_object(expression: Node) -> bool:
    """Whether an object is used other than for one of its members."""
    up = outermost(expression).parent
    if isinstance(up, AccessExpression):
        return assignment_to(up) is not None or is_changed(up)
    return up is not None and not isinstance(up, CallExpression)
