"""Follows API values into variables, parts of patterns and properties, and finds comparisons of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.destructuring import array_index
from extlint.analysis.expressions.variables import value_of_writes
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ArrayValue,
    FunctionValue,
    Literal,
    ObjectValue,
    Union,
    Unknown,
    Value,
    options_of,
    with_span,
)
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.scope.reaching_definitions import MAX_WRITES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentPattern,
    BinaryExpression,
    CallExpression,
    PairPattern,
    SwitchCase,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import (
    EQUALITY,
    assigned_parts,
    innermost,
    is_exported,
    pattern_of,
    target_of,
)
from extlint.analysis.trace.records import Records
from extlint.analysis.values.api_results import is_promise, result_of, results_among
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import holds_api
from extlint.analysis.values.options import carries_api
from extlint.analysis.values.property_index import assignment_to, key_of, members_named, patterns_named
from extlint.analysis.values.recorded import is_shared_variable

EXPORTS = "exports"
"""The property of a module object that holds its exports."""

_VARIABLES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
"""The types of patterns that are variables."""

MAX_STEPS_OF_PROPERTY = 1_000_000
"""The most steps for evaluating all reads of one property; reads after that are not followed.

In a bundle with Vue, `value` occurs four thousand times, each evaluated by its own query.
"""


class Destinations:
    """Follows values into names, and adds every expression that reads such a name to `waiting`."""

    def __init__(self, evaluator: Evaluator, records: Records, waiting: deque[Node]) -> None:
        self._evaluator = evaluator
        self._possible = evaluator.possible
        self._records = records
        self._waiting = waiting
        self._bundle = bundle_of(evaluator)
        self._names: set[tuple[str, int]] = set()
        self._properties: set[str] = set()
        self._stored_results: list[tuple[Value, str, Binding | None]] = []
        self.globals: set[str] = set()
        """The names of globals that may have received values."""

    def follow_assignment(self, pattern: Node, expression: Node) -> None:
        """Follows an expression's value into a pattern; a literal into a variable, without evaluating it."""
        name = pattern_of(pattern)
        if name.type in _VARIABLES:
            is_literal = innermost(expression).type in ("array", "object")
            self.follow_name(name, UNKNOWN if is_literal else self._possible.value(expression))
        else:
            self.follow_pattern(pattern, self._possible.value(expression))

    def follow_pattern(self, pattern: Node, value: Value) -> None:
        """Follows a value into a pattern: into a variable, or into parts of the pattern."""
        waiting = [(pattern, value)]
        while waiting:
            waiting.extend(reversed(list(self._parts(*waiting.pop()))))

    def _parts(self, pattern: Node, value: Value) -> Iterator[tuple[Node, Value]]:
        """Yields the patterns inside a pattern, each with the value that flows into it."""
        pattern = pattern_of(pattern)
        if pattern.type in _VARIABLES:
            self.follow_name(pattern, value)
            return
        match pattern.type:
            case "assignment_pattern" | "object_assignment_pattern":
                yield target_of(pattern), value
            case "object_pattern":
                for each in pattern.named():
                    yield from self._property_part(each, value)
            case "array_pattern":
                for each in pattern.named():
                    yield each, self._element_value(each, value)
            case "rest_pattern" | "parenthesized_expression" | "non_null_expression" | "as_expression":
                first = pattern.first()
                if first is not None:
                    yield first, value

    def _element_value(self, each: Node, value: Value) -> Value:
        index = None if each.type == "rest_pattern" else array_index(self._evaluator, each)
        if each.type == "rest_pattern":
            self._records.add_escaped_result(value)
        of = result_of(value)
        if index is not None and of is not None and is_promise(of):
            self._records.add_field_read(value, str(index), each, each)
        return UNKNOWN if index is None else self._possible.member(value, str(index), each)

    def _property_part(self, each: Node, value: Value) -> Iterator[tuple[Node, Value]]:
        if each.type == "rest_pattern":
            self._records.add_escaped_result(value)
            yield each, value
            return
        name = key_of(self._evaluator, each)
        if name is None:
            if carries_api(value):
                self._records.add_dynamic_access(each, value)
            return
        key = _key(each)
        part = self._possible.member(value, name, key)
        self._records.add_field_read(value, name, key, each)
        if isinstance(part, Api) and carries_api(value):
            self._records.add_reference(part, each, key=key)
        else:
            self._records.add_ambiguous_reference(part, each, key=key)
        yield each.value if isinstance(each, PairPattern) else each, part

    def follow_name(self, name: Node, value: Value = UNKNOWN) -> None:
        """Follows a value into the variable of this name."""
        source = self._evaluator.tree.source(name)
        binding = self._evaluator.names.resolve(source, name)
        if results_among(value):
            self._stored_results.append((value, source, binding))
        if binding is None:
            self.follow_global(source)
            return
        self.add_global(name)
        self._follow_uses(binding)

    def record_lost_results(self) -> None:
        """Records as escaped the API results in variables that other code reads, or that lose them."""
        for value, name, binding in self._stored_results:
            uses = self._evaluator.names.free_uses(name) if binding is None else binding.uses
            if self._is_read_elsewhere(name, binding) or any(
                use.role is Role.REFERENCE and self._is_lost(use.item) for use in uses
            ):
                self._records.add_escaped_result(value)

    def _is_read_elsewhere(self, name: str, binding: Binding | None) -> bool:
        """Whether other scripts, importers or markup may read a variable."""
        if binding is not None and binding.scope.type != "program":
            return False
        tree = self._evaluator.tree
        if binding is None or not tree.is_module:
            return tree.has_markup or is_shared_variable(self._evaluator, name)
        return tree.has_markup or _is_exported(binding)

    def _is_lost(self, use: Node) -> bool:
        """Whether a reference to a variable may be unknown, and is not known to be an API result."""
        value = self._possible.value(use)
        return not results_among(value) and any(isinstance(each, Unknown) for each in options_of(value))

    def add_global(self, name: Node) -> None:
        """Adds a name to the globals if it is that of a variable at the top level."""
        binding = self._evaluator.names.variable(name)
        if binding is not None and binding.scope.type == "program":
            self.globals.add(binding.name)

    def _follow_uses(self, binding: Binding) -> None:
        key = (binding.name, binding.scope.id)
        if key in self._names:
            return
        self._names.add(key)
        is_script = not self._evaluator.tree.is_module
        if binding.scope.type == "program" and (is_script or _is_exported(binding)):
            self._records.add_shared(value_of_writes(self._possible, binding))
        if len(binding.writes) > MAX_WRITES:
            self._evaluator.record_omission(binding.writes[MAX_WRITES].item.span)
        self._waiting.extend(use.item for use in binding.uses if use.role is Role.REFERENCE)
        if binding.scope.type == "program" and any(each.kind == "var" for each in binding.declarations):
            self.follow_property(binding.name)

    def follow_global(self, name: str) -> None:
        """Follows a value into a property of the global object, which may be read by its bare name."""
        self.globals.add(name)
        if (name, 0) in self._names:
            return
        self._names.add((name, 0))
        free = self._evaluator.names.free_uses(name)
        self._waiting.extend(use.item for use in free if use.role is Role.REFERENCE)

    def follow_property(self, name: str) -> None:
        """Follows a value into a property by visiting every read of a property of that name."""
        if name in self._properties:
            return
        self._properties.add(name)
        for part in patterns_named(self._evaluator, name):
            self._evaluator.attempt(part.span, partial(self._follow_destructuring, part))
        budget = self._evaluator.tree.budget
        last = budget.spent + MAX_STEPS_OF_PROPERTY
        for place in members_named(self._evaluator, name):
            if budget.spent > last:
                self._evaluator.record_omission(place.span)
                return
            if not self._is_other_module(name, place):
                self._evaluator.attempt(place.span, partial(self.follow_read, place))

    def _is_other_module(self, name: str, place: AccessExpression) -> bool:
        """Whether a node reads the exports of a bundled module in the module's own code, which sets them."""
        if name != EXPORTS or place.is_field("function"):
            return False
        return self._bundle.module_named(place.object) is not None

    def follow_read(self, place: Node) -> None:
        """Follows a read of a property into which a value flows."""
        if carries_api(self._possible.value(place)):
            if assignment_to(place) is None:
                self._waiting.append(place)
        elif place.parent is not None and place.is_field("function"):
            self._waiting.append(place)

    def _follow_destructuring(self, part: Node) -> None:
        """Follows a pattern that destructures a property of that name, whose value may contain the API."""
        up = None if part.parent is None else part.parent.parent
        assigned = None if up is None else assigned_parts(up)
        if assigned is None or assigned[1] is None:
            return
        name = key_of(self._evaluator, part)
        if name is None:
            return
        value = self._possible.value(assigned[1], name)
        if carries_api(value) or not isinstance(value, ObjectValue | Union):
            return
        if _is_followed(self._possible.member(value, name, part)):
            for target, found in self._property_part(part, value):
                self.follow_pattern(target, found)


def _is_exported(binding: Binding) -> bool:
    return any(is_exported(each.item) for each in (*binding.declarations, *binding.uses))


def _key(part: Node) -> Node:
    """Returns the name that a part of an object pattern reads."""
    match part:
        case PairPattern():
            return part.key
        case AssignmentPattern():
            return part.left
    return part


def _is_followed(value: Value) -> bool:
    """Whether a part of an object is the API, or a function that may return it."""
    return holds_api(value) or any(isinstance(each, FunctionValue) for each in options_of(value))


def compared_values(evaluator: Evaluator, expression: Node, up: Node) -> Iterator[tuple[Value, bool]]:
    """Yields the values that an expression's parent compares with it, and whether strictly."""
    match up:
        case BinaryExpression(operator=operator):
            if operator in EQUALITY:
                other = up.right if expression.is_field("left") else up.left
                yield _value_at(evaluator, other), operator in {"!==", "==="}
        case SwitchStatement():
            for case in up.body.named():
                if isinstance(case, SwitchCase):
                    yield _value_at(evaluator, case.value), True
        case Node(type="arguments", parent=CallExpression() as call) if len(call.arguments) == 1:
            for each in _searched_items(evaluator, call):
                yield each, True


def _value_at(evaluator: Evaluator, expression: Node) -> Value:
    return with_span(evaluator.possible.value(expression), expression.span)


def _searched_items(evaluator: Evaluator, call: CallExpression) -> Iterator[Value]:
    """Yields the items of the list that `[…].includes(x)` searches."""
    callee = call.callee
    if not isinstance(callee, AccessExpression) or key_of(evaluator, callee) != "includes":
        return
    array = evaluator.possible.value(callee.object)
    if isinstance(array, ArrayValue) and not array.open:
        for each in array.items:
            if isinstance(each, Literal):
                yield each
