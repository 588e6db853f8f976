"""Follows API values through arguments, also of functions of `Object` that add members to the API."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping

from extlint.analysis.bundles.bundle import bundle_of
from extlint.analysis.expressions.destructuring import names_in
from extlint.analysis.expressions.parameters import parameter_value
from extlint.analysis.expressions.variables import TooManyWritesError, writes_to_top_level
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import UNKNOWN, Api, InstanceValue, Literal, ObjectValue, Value, options_of
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.modules.passed_arguments import passed_argument
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    Function,
    MemberExpression,
)
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.syntax.shapes import call_with_argument, index_of, is_rest, parameter_items, pattern_of
from extlint.analysis.trace.destinations import Destinations
from extlint.analysis.trace.records import Records
from extlint.analysis.values.api_results import items_of, result_of, results_among
from extlint.analysis.values.constants import ERROR_HANDLERS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.fallback_objects import is_empty_fallback
from extlint.analysis.values.functions import calls_of, constructor_of
from extlint.analysis.values.interop import holds_api
from extlint.analysis.values.options import carries_api, is_root
from extlint.analysis.values.property_index import assignment_to, key_of
from extlint.analysis.values.recorded import traced_flows

MUTATORS = frozenset({"assign", "defineProperties", "defineProperty"})
"""The functions of `Object` and `Reflect` that mutate their first argument."""


def added_by_call(evaluator: Evaluator, call: CallExpression, method: str) -> Iterable[str] | None:
    """Returns the members that one of `MUTATORS` adds to its first argument, or None if unknown."""
    others = [evaluator.possible.value(each) for each in call.arguments[1:]]
    if method == "defineProperty":
        name = others[0] if others else None
        return [name.value] if isinstance(name, Literal) and isinstance(name.value, str) else None
    if not all(isinstance(each, ObjectValue) and not each.open for each in others):
        return None
    return {name for each in others if isinstance(each, ObjectValue) for name in each.fields}


def members_of_assigned_roots(evaluator: Evaluator, used: Collection[ApiPath]) -> Iterator[ApiPath]:
    """Yields the members of objects that replace a root, below its name: `window.chrome = { runtime }`.

    Yields the object itself if it is empty or has unknown members, since it may have any. Does not yield the
    members that the script uses itself, to which its own ones may delegate.
    """
    for found in _members_of_assigned_roots(evaluator):
        if found[1:] not in used:
            yield found


def _members_of_assigned_roots(evaluator: Evaluator) -> Iterator[ApiPath]:
    guards: GuardReader | None = None
    for root in ROOTS:
        try:
            writes = writes_to_top_level(evaluator, root)
        except TooManyWritesError:
            yield (root,)
            continue
        for place, value in writes:
            for each in () if is_empty_fallback(place) else options_of(value):
                if isinstance(each, ObjectValue):
                    yield from _paths_in(evaluator, each, (root,))
                elif not (isinstance(each, Literal) or is_root(each)):
                    guards = guards or GuardReader(evaluator)
                    if guards.certainly_on_load(place):
                        yield (root,)


def _paths_in(evaluator: Evaluator, value: ObjectValue, path: ApiPath) -> Iterator[ApiPath]:
    if not value.fields or (value.open and not _only_extends_api(evaluator, value)):
        yield path
    for name, field in value.fields.items():
        if isinstance(field.value, ObjectValue) and len(path) == 1:
            yield from _paths_in(evaluator, field.value, (*path, name))
        else:
            yield (*path, name)


def _only_extends_api(evaluator: Evaluator, value: ObjectValue) -> bool:
    """Whether the unknown members of an object are those of the API: `{ ...window.chrome, tabs }`."""
    literal = evaluator.definition(value)
    if literal is None or literal.type != "object":
        return False
    spreads = [each for each in literal.named() if each.type == "spread_element"]
    return bool(spreads) and all(_names_root(evaluator, each) for each in spreads)


def _names_root(evaluator: Evaluator, spread: Node) -> bool:
    words = evaluator.tree.source(spread).lstrip(".").replace("?.", ".").split(".")
    return any(root in words[:2] for root in ROOTS)


MAX_PROPERTY_CALLS = 20
"""The most calls of one function through properties that are followed."""

_EXISTENCE = frozenset({"Boolean", "has"})
"""Functions that only test whether their argument exists."""

_STATE_FUNCTIONS = frozenset(
    {"$derived", "$state", "$state.raw", "ref", "shallowRef", "signal", "useMemo", "useRef", "useState"}
)
"""Functions of Svelte, Vue, React and Preact that store a value."""

_MAX_NAME_BYTES = 64


class PassedValues:
    """Follows arguments of calls into parameters, and records values that escape to unknown code."""

    def __init__(
        self, evaluator: Evaluator, records: Records, to: Destinations, waiting: deque[Node]
    ) -> None:
        self._evaluator = evaluator
        self._possible = evaluator.possible
        self._destinations = to
        self._waiting = waiting
        self._records = records

    def follow_into_callbacks(self, callee: Node, call: CallExpression) -> None:
        """Follows an API result into the parameters of a call's callbacks."""
        owner = callee.object if isinstance(callee, AccessExpression) else None
        of_result = owner is not None and result_of(self._possible.value(owner)) is not None
        promise = UNKNOWN if owner is None else self._possible.value(owner)
        fulfillment = promise.fulfillment if isinstance(promise, InstanceValue) else None
        api = self._evaluator.api(callee)
        of_own = fulfillment is not None or carries_api(items_of(promise))
        if not (of_result or of_own) and api is None:
            return
        method = key_of(self._evaluator, callee) if isinstance(callee, AccessExpression) else None
        for position, each in enumerate(call.arguments):
            value = self._evaluator.value(each)
            definition = self._evaluator.definition(value)
            for index, parameter in enumerate(
                definition.parameters if isinstance(definition, Function) else ()
            ):
                found = parameter_value(self._possible, parameter, pattern_of(parameter))
                self._destinations.follow_pattern(parameter, found)
                if results_among(found):
                    continue
                if api is not None:
                    self._records.add_unseen_argument(api, index)
                elif index == 0 and position != ERROR_HANDLERS.get(method or ""):
                    self._records.add_escaped_result(promise if fulfillment is None else fulfillment)

    def follow_argument(self, argument: Node, call: CallOrNewExpression) -> Node | None:
        """Follows a value passed to a function of the script into its parameter."""
        if not isinstance(call, CallExpression):
            if not self._follow_into_constructor(argument, call):
                if holds_api(self._possible.partial(call)):
                    self._waiting.append(call)
                else:
                    self.record_escape(argument)
            return None
        index = index_of(call.arguments, argument) or 0
        callee = call.callee
        if isinstance(callee, MemberExpression):
            helper = key_of(self._evaluator, callee)
            if helper in {"freeze", "seal", "preventExtensions"}:
                return call
            if index == 0 and (
                helper in MUTATORS or (helper == "getPrototypeOf" and _has_assigned_member(call))
            ):
                self._record_mutation(argument, call, helper)
                return None
            if helper == "all" and isinstance(self._possible.partial(call), InstanceValue):
                self._waiting.append(call)
            if helper == "call" and index > 0:
                callee, index = callee.object, index - 1
        self._follow_into_function(argument, call, callee, index)
        return None

    def _record_mutation(self, argument: Node, call: CallExpression, method: str) -> None:
        """Records that a call adds members to its first argument, perhaps unknown ones."""
        names = added_by_call(self._evaluator, call, method) if method in MUTATORS else None
        for value in options_of(self._possible.value(argument)):
            if not isinstance(value, Api):
                continue
            if names is None:
                self._records.exposed_objects.add(value.path)
            for path in [value.path] if names is None else [(*value.path, name) for name in names]:
                self._records.add_replaced(path, call, self._possible.value(call.arguments[-1]))
                if names is not None:
                    self._records.added_members.add(path)

    def _follow_into_function(self, argument: Node, call: CallExpression, callee: Node, index: int) -> None:
        if holds_api(self._possible.partial(call)):
            self._waiting.append(call)
        definition = self._evaluator.definition_of(callee)
        if not isinstance(definition, Function):
            self._add_passed_argument(callee, index, argument)
            if not holds_api(self._possible.partial(call)) and not self._only_inspects(callee):
                self.record_escape(argument)
            return
        if bundle_of(self._evaluator).exported_helper(definition) is not None:
            return  # the result of the call is known without examining the arguments of every call
        parameters = definition.parameters
        if index < len(parameters):
            self._add_property_call(definition, call, parameters[index], argument)
            self._destinations.follow_assignment(parameters[index], argument)

    def _follow_into_constructor(self, argument: Node, call: CallOrNewExpression) -> bool:
        """Follows a value into a parameter of the script's constructor, and returns whether it did."""
        definition = self._evaluator.definition_of(call.callee)
        if isinstance(definition, Class):
            definition = constructor_of(self._evaluator, definition)
        index = index_of(call.arguments, argument) or 0
        if not isinstance(definition, Function):
            self._add_passed_argument(call.callee, index, argument)
            return False
        parameters = definition.parameters
        if index >= len(parameters) or is_rest(parameters[index]):
            return False
        if holds_api(self._possible.partial(call)):
            self._waiting.append(call)
        self._add_property_call(definition, call, parameters[index], argument)
        self._destinations.follow_assignment(parameters[index], argument)
        self._follow_into_parameter_property(parameters[index])
        return True

    def _add_passed_argument(self, callee: Node, index: int, argument: Node) -> None:
        """Records an argument for a function that another script exports."""
        sent = passed_argument(self._evaluator, callee, index, self._possible.value(argument))
        if sent is not None:
            self._records.passed_arguments.append(sent)

    def follow_received(self, function: Node, values: Mapping[int, Value]) -> None:
        """Follows the values that other scripts pass to a function into its parameters, by index."""
        parameters = parameter_items(function)
        for index, value in values.items():
            if index < len(parameters):
                self._destinations.follow_pattern(parameters[index], value)
                self._follow_into_parameter_property(parameters[index])

    def _follow_into_parameter_property(self, parameter: Node) -> None:
        """Follows an argument into the property that TypeScript's `constructor(private api)` stores it in."""
        if parameter.has_token("accessibility_modifier") or parameter.has_token("readonly"):
            self._destinations.follow_property(self._evaluator.tree.source(pattern_of(parameter)))

    def record_escape(self, expression: Node) -> None:
        """Records that the API escapes to unknown code, which may use any member, or add one."""
        options = list(_options_and_fields(self._possible.value(expression)))
        call = call_with_argument(expression)
        is_safe = isinstance(call, CallExpression) and (self._only_reads(call) or self._only_stores(call))
        if not is_safe:
            self._records.exposed_objects.update(each.path for each in options if isinstance(each, Api))
        for root in filter(is_root, options):
            self._records.add_dynamic_access(expression, root)

    def _only_reads(self, call: CallExpression) -> bool:
        from extlint.analysis.expressions.object_effects import is_reader

        return is_reader(self._evaluator, call)

    def _only_stores(self, call: CallExpression) -> bool:
        """Whether a call only stores its argument, as a framework's state functions do."""
        return self._short_text(call.callee) in _STATE_FUNCTIONS

    def _only_inspects(self, callee: Node) -> bool:
        """Whether a call only tests whether members exist, or prints them."""
        source = self._short_text(callee)
        return source.startswith("console.") or source.rpartition(".")[2] in _EXISTENCE or "hasOwn" in source

    def _short_text(self, callee: Node) -> str:
        return self._evaluator.tree.source(callee) if callee.end - callee.start < _MAX_NAME_BYTES else ""

    def _add_property_call(
        self, function: Function, call: CallOrNewExpression, parameter: Node, argument: Node
    ) -> None:
        """Records a call through a property, which the evaluation of a parameter would miss."""
        value = self._possible.value(argument)
        recorded = traced_flows(self._evaluator).calls.setdefault(function.id, [])
        if not holds_api(value) or len(recorded) >= MAX_PROPERTY_CALLS:
            return
        calls, _ = calls_of(self._evaluator, function)
        if any(each.same(call) for each in (*calls, *recorded)):
            return
        recorded.append(call)
        for name in names_in(parameter):
            binding = self._evaluator.names.variable(name)
            for use in () if binding is None else binding.uses:
                self._evaluator.forget(use.item)


def _options_and_fields(value: Value) -> Iterator[Value]:
    """Yields the options of a value, and for objects those of their fields."""
    for each in options_of(value):
        if isinstance(each, ObjectValue):
            for field in each.fields.values():
                yield from options_of(field.value)
        else:
            yield each


def _has_assigned_member(call: CallExpression) -> bool:
    """Whether a member of a call's result is assigned: `Object.getPrototypeOf(a).b = c`."""
    member = call.parent
    return isinstance(member, AccessExpression) and assignment_to(member) is not None
