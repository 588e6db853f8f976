"""Collects the trace's findings in a script: references, calls and dynamic accesses, each once."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.expressions.parameters import with_reads
from extlint.analysis.facts.events import (
    AT_LOAD,
    UNKNOWN_OCCASION,
    ListenerResponses,
    Occasion,
    depends_on_occasion,
)
from extlint.analysis.facts.script_facts import (
    CHECKED_CALLBACKS,
    GET_MESSAGE,
    HIDDEN_FIELDS,
    INJECTION,
    LOGIN_EVENT,
    MAY_FAIL,
    MESSAGE_EVENTS,
    AmbiguousReference,
    ApiPath,
    CallSite,
    CapturedVariable,
    Comparison,
    FieldRead,
    Guards,
    PassedArgument,
    Reference,
    ResultCall,
    UnawaitedPromise,
    has_prefix_among,
)
from extlint.analysis.facts.values import (
    EVENT_METHODS,
    Api,
    ApiResult,
    ArrayValue,
    Delivery,
    ObjectValue,
    Value,
    is_copied,
    options_of,
    union_of,
    with_span,
)
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.guards.only_tested import has_alternative, is_only_tested
from extlint.analysis.guards.tested_uses import (
    is_field_tested,
    is_object_tested,
    is_tested_at_each_use,
    tested_by_function,
    without_tested_options,
)
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.syntax.node import MEMBERS, Node
from extlint.analysis.syntax.nodes import AccessExpression, CallExpression, Function
from extlint.analysis.syntax.shapes import WRAPPERS, call_of, innermost, is_optional
from extlint.analysis.trace.call_uses import (
    is_callback_called,
    is_detached,
    promise_use,
    unawaited_promises,
    with_caught_errors,
)
from extlint.analysis.values.api_results import (
    HELPERS,
    MANIFEST,
    accepts_data,
    fulfillment_of,
    is_promise,
    is_response,
    result_of,
    results_among,
)
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import return_value
from extlint.analysis.values.options import carries_api, members_of_choice, uncertain_members
from extlint.analysis.values.promise_values import is_caught
from extlint.analysis.values.property_index import each_property_write, is_too_common
from extlint.analysis.values.recorded import received_arguments
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.analysis.reachability.occasions import OccasionFinder


_DATA = ("storage",)
"""The namespace whose members scripts name at run time: `chrome.storage[area]`. All of them are alike."""


class Records:
    """The records of one script, returned in source order."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._possible = evaluator.possible
        self._guards = GuardReader(evaluator)
        self._awaits = Awaits(evaluator.tree)
        self._references: dict[ByteSpan, Reference] = {}
        self._calls: dict[ByteSpan, CallSite] = {}
        self._callees: dict[ByteSpan, tuple[Api, Node]] = {}
        self._dependent: dict[ByteSpan, CallExpression] = {}
        self._ambiguous_references: dict[ByteSpan, AmbiguousReference] = {}
        self._ambiguous_calls: dict[ByteSpan, AmbiguousReference] = {}
        self._dynamic_accesses: set[ByteSpan] = set()
        self.replaced: set[ApiPath] = set()
        """The members that the script replaces."""
        self.replaced_for_others: set[ApiPath] = set()
        """The members that it replaces by code of the package even if the browser has them."""
        self.escaped_results: set[ApiResult] = set()
        """The API results that escape."""
        self.manifest_keys: set[str] = set()
        """The keys that the script reads from the manifest, at any depth."""
        self.hidden_reads: set[ApiResult] = set()
        """The parts of API results that the script may read and that browsers may hide."""
        self.passed_arguments: list[PassedArgument] = []
        """The API values passed to functions and classes of other scripts."""
        self.added_members: set[ApiPath] = set()
        self.created_objects: set[ApiPath] = set()
        """The members of the API to which the script assigns values."""
        self.exposed_objects: set[ApiPath] = set()
        """The API objects to which unknown members may be added."""
        self.held_objects: set[ApiPath] = set()
        """The API objects that reach more than members, tests and variables."""
        self._field_reads: dict[ByteSpan, FieldRead] = {}
        self._promise_method_reads: dict[ByteSpan, FieldRead] = {}
        self._comparisons: dict[ByteSpan, Comparison] = {}
        self._result_calls: dict[ByteSpan, ResultCall] = {}

    def add_field_read(self, value: Value, name: str, key: Node, named: Node) -> None:
        """Records a field of an API result that `named` reads, unless the script writes such a field.

        An untested promise method of a promise is expected: it is only recorded for `chrome`, separately.
        """
        if name in HIDDEN_FIELDS:
            self.hidden_reads.update(
                replace(each, steps=(*each.steps, name), span=None) for each in results_among(value)
            )
        of = result_of(value)
        if of is not None and of.path == MANIFEST:
            self.manifest_keys.add(name)
            return
        if of is None or self._may_be_written(name):
            return
        if not is_too_common(self._evaluator, name):
            tested = is_field_tested(self._evaluator, self._guards, named, name)
            is_expected = name in PROMISE_METHODS and not tested and is_promise(of)
            if is_expected and of.root == "browser":
                return
            guards, replaced = self._guards.public_guards_at(key), len(options_of(value)) > 1
            of_tested = is_object_tested(self._evaluator, self._guards, named)
            if not of_tested and of.steps and of.delivery is Delivery.LISTENER:
                from extlint.analysis.guards.tested_results import is_certainly_something

                of_tested = is_certainly_something(self._evaluator, self._guards, named)
            found = self._promise_method_reads if is_expected else self._field_reads
            found[key.span] = FieldRead(of, name, key.span, guards, tested, replaced, of_tested)

    def _may_be_written(self, name: str) -> bool:
        """Whether the script may write such a result field: it writes that field of an unknown object."""
        for place in each_property_write(self._evaluator, name):
            from extlint.analysis.trace.documents import is_part_of_document

            if not is_part_of_document(self._evaluator, place.object):
                return True
        return False

    def add_result_call(self, callee: Node, call: CallExpression) -> None:
        """Records a call of a function that the API returns or passes, if its arguments matter.

        That is if they may be sent and copies lose them, or if the browser checks them.
        """
        value = self._possible.value(callee)
        listed = call.argument_list
        if not isinstance(value, ApiResult) or listed is None:
            return
        if not value.steps and (value.path, value.index) in CHECKED_CALLBACKS:
            given, is_open = self._arguments(listed, are_data=True)
            guards = self._guards.public_guards_at(call)
            self._result_calls[call.span] = ResultCall(value, given, call.span, guards, open=is_open)
        if not _is_sending(value):
            return
        parts = listed.named()
        is_spread = any(each.type == "spread_element" for each in parts)
        arguments, _ = self._arguments(listed, are_data=True)
        sent = tuple(
            each if is_spread else with_caught_errors(self._evaluator, part, each)
            for part, each in zip(parts, arguments, strict=False)
        )
        if is_spread or not all(map(is_copied, sent)):
            guards = self._guards.public_guards_at(call)
            self._result_calls[call.span] = ResultCall(value, sent, call.span, guards, sent != arguments)

    def add_iteration(self, of: ApiResult, named: Node) -> None:
        """Records that a loop iterates over an API result, the value of `named`."""
        self._field_reads[named.span] = FieldRead(of, "0", named.span, self._guards.public_guards_at(named))

    def add_comparison(self, of: ApiResult, value: Value, named: Node, *, strict: bool) -> None:
        """Records that an API result, the value of `named`, is compared with a value with its own span."""
        if value.span is not None and of.path != MANIFEST:
            self._comparisons[value.span] = Comparison(
                of, value, strict, self._guards.public_guards_at(named)
            )

    def add_escaped_result(self, value: Value) -> None:
        """Records that an API result escapes."""
        self.escaped_results.update(replace(each, span=None) for each in results_among(value))

    def add_unseen_argument(self, of: Api, index: int) -> None:
        """Records that a callback or listener of a member gets an argument that is not followed into it."""
        if of.path[-1] in EVENT_METHODS:
            found = ApiResult(of.path[:-1], Delivery.LISTENER, index, root=of.root)
        else:
            found = ApiResult(of.path, Delivery.CALLBACK, index, root=of.root)
        self.escaped_results.add(found)

    def add_dynamic_access(self, named: Node, owner: Value) -> None:
        """Records an access to an unknown member of an object, unless it holds only data."""
        if any(not isinstance(each, Api) or each.path[:1] != _DATA for each in options_of(owner)):
            self._dynamic_accesses.add(named.span)

    def add_replaced(self, path: ApiPath, place: Node, value: Value) -> None:
        """Records that the script replaces a member at some place, by a value."""
        self.replaced.add(path)
        missing = self._guards.public_guards_at(place).missing
        if not (_holds_member(value) or any(path[: len(each)] == each for each in missing)):
            self.replaced_for_others.add(path)

    def add_reference(self, value: Api, named: Node, *, key: Node | None = None) -> None:
        """Records a reference: a member expression, or the key of a part of a pattern."""
        where = (key or named).span
        if where in self._references or not value.path or value.path[-1] in HELPERS:
            return
        self._references[where] = self._reference(value, named, where)

    def add_tested_property(self, owner: Api, key: Node) -> None:
        """Records a string as a reference to the member of an object that it tests for."""
        name = self._evaluator.text(key)
        if name is not None and key.span not in self._references:
            found = self._reference(replace(owner, path=(*owner.path, name)), key, key.span)
            self._references[key.span] = replace(found, only_tested=True)

    def add_ambiguous_reference(self, value: Value, named: Node, *, key: Node | None = None) -> None:
        """Records a reference to one of several members, if the value is one of them.

        The object of a member that may also be something unknown is held in a value that is not followed.
        """
        where = (key or named).span
        members = [] if where in self._ambiguous_references else members_of_choice(value)
        if members and not any(each.path[-1] in HELPERS for each in members):
            references = tuple(self._reference(each, named, where) for each in members)
            found = AmbiguousReference(references, is_open=members[0].has_stand_in)
            self._ambiguous_references[where] = found
        elif not members:
            self.held_objects.update(each.path[:-1] for each in uncertain_members(value) if each.path)

    def add_shared(self, value: Value) -> None:
        """Records the objects that a variable of several scripts may hold, if it may hold something else."""
        self.held_objects.update(each.path for each in uncertain_members(value))

    def add_ambiguous_call(self, callee: Node, call: CallExpression) -> None:
        """Records a call whose callee is one of several members."""
        members = (
            [] if call.span in self._ambiguous_calls else members_of_choice(self._possible.value(callee))
        )
        if members and members[0].has_stand_in and innermost(callee).type not in MEMBERS:
            return
        sites = [site for each in members if (site := self._call(each, callee, call)) is not None]
        if sites and len(sites) == len(members):
            references = tuple(self._reference(each, callee, callee.span) for each in members)
            self._ambiguous_calls[call.span] = AmbiguousReference(
                references, tuple(sites), members[0].has_stand_in
            )

    def _reference(self, value: Api, named: Node, where: ByteSpan) -> Reference:
        guards = self._guards.public_guards_at(named)
        if has_alternative(named) or value.has_stand_in:
            guards = replace(guards, tested=guards.tested | {value.path})
        guards = _with_optional_chain(self._evaluator, named, guards)
        if passed := tested_by_function(self._evaluator, self._guards, named):
            guards = replace(guards, tested=guards.tested | passed)
        return Reference(
            value.path,
            value.root,
            where,
            guards,
            is_only_tested(self._evaluator, named)
            or is_tested_at_each_use(self._evaluator, self._guards, named, value.path),
            self._guards.certainly_on_load(named),
            self._guards.enclosing_function(named) is not None,
        )

    def add_call(self, found: Api, callee: Node, call: CallExpression) -> None:
        """Records a call of the API member that its callee refers to."""
        if call.span not in self._calls:
            site = self._call(found, callee, call)
            if site is not None:
                self._calls[call.span] = site
                self._callees[call.span] = replace(found, path=site.path), callee
                if depends_on_occasion(site.path) or site.path in MAY_FAIL:
                    self._dependent[call.span] = call

    def _call(self, found: Api, callee: Node, call: CallExpression) -> CallSite | None:
        listed = call.argument_list
        if listed is None:
            return None
        helper = found.path[-1] if found.path[-1] in HELPERS else None
        if helper == "bind" or self._depends_on_foreign_call(callee, call):
            return None
        path = found.path if helper is None else found.path[:-1]
        arguments, is_open = self._arguments(listed, are_data=accepts_data(path))
        if helper is not None:
            arguments, is_open = _forwarded_arguments(helper, arguments, is_open)
        injected = self._injected_functions(path, arguments)
        return CallSite(
            path,
            found.root,
            call.span,
            callee.span,
            (*found.bound, *arguments),
            listed.span,
            is_open,
            self._awaits.last_before(call),
            self._has_message_fallback(path, call),
            answers=self._listener_responses(path, call) if helper is None else None,
            promise_use=promise_use(self._evaluator, call),
            is_caught=is_caught(self._evaluator, call),
            ends_with_call=is_callback_called(self._evaluator, call),
            captured=self._captured_variables(injected),
            injected_result=union_of(self._result_of(each) for each in injected) if injected else None,
            is_detached=helper is None and is_detached(self._evaluator, callee),
        )

    def _depends_on_foreign_call(self, callee: Node, call: CallExpression) -> bool:
        """Whether another script passes the callee, and a condition may test what else it passes."""
        root = callee
        while isinstance(root, AccessExpression):
            root = innermost(root.object)
        binding = self._evaluator.names.variable(root) if root.type == "identifier" else None
        is_passed = binding is not None and binding.scope.id in received_arguments(self._evaluator)
        return is_passed and not self._guards.certainly_in_function(call)

    def _has_message_fallback(self, path: ApiPath, call: CallExpression) -> bool:
        """Whether the script has a fallback for the requested message being absent."""
        if path != GET_MESSAGE:
            return False
        from extlint.analysis.guards.tested_results import has_fallback

        return has_fallback(self._evaluator, call)

    def _injected_functions(self, path: ApiPath, arguments: tuple[Value, ...]) -> list[Function]:
        """Returns the functions of the script that a call injects into web pages."""
        injection = arguments[0] if path == INJECTION and arguments else None
        if not isinstance(injection, ObjectValue):
            return []
        values = (each.value for key, each in injection.fields.items() if key in {"func", "function"})
        definitions = [self._evaluator.definition(option) for each in values for option in options_of(each)]
        return [each for each in definitions if isinstance(each, Function)]

    def _result_of(self, function: Function) -> Value:
        return fulfillment_of(return_value(self._evaluator, function))

    def _captured_variables(self, functions: list[Function]) -> tuple[CapturedVariable, ...]:
        """Returns the variables used by injected functions."""
        if not functions:
            return ()
        from extlint.analysis.reachability.serialization import captured_variables, may_be_called_here

        return tuple(
            CapturedVariable(self._evaluator.tree.source(each), each.span, is_local)
            for function in functions
            if not may_be_called_here(self._evaluator, function)
            for each, is_local in captured_variables(self._evaluator, function)
        )

    def _listener_responses(self, path: ApiPath, call: CallExpression) -> ListenerResponses | None:
        """Returns how the listener responds that a call adds to a message event, or None."""
        first = call.first_argument
        is_answered = path[:-1] in MESSAGE_EVENTS or path[:-1] == LOGIN_EVENT
        if not is_answered or path[-1] != "addListener" or first is None:
            return None
        from extlint.analysis.timing.responses import responses_of, without_bind

        listener = self._evaluator.definition_of(without_bind(self._evaluator, first))
        return (
            responses_of(self._evaluator, self._awaits, listener) if isinstance(listener, Function) else None
        )

    def _arguments(self, listed: Node, *, are_data: bool) -> tuple[tuple[Value, ...], bool]:
        """Returns the arguments of a call, and whether there may be more; for data, only certain values.

        From a syntax error on, the arguments are unknown.
        """
        values: list[Value] = []
        view = self._evaluator if are_data else self._possible
        intact = listed.named()
        if listed.node.has_error:
            broken = min(
                each.start_byte for each in listed.node.children if each.has_error or each.is_missing
            )
            intact = [each for each in intact if each.end <= broken]
        for each in intact:
            if each.type == "spread_element":
                inner = each.first()
                spread = None if inner is None else view.value(inner)
                if not isinstance(spread, ArrayValue) or spread.open:
                    return tuple(values), True
                values += spread.items
            else:
                value = without_tested_options(self._evaluator, self._guards, each, view.value(each))
                values.append(with_span(with_reads(self._evaluator, value), each.span))
        return tuple(values), listed.node.has_error

    @property
    def references(self) -> tuple[Reference, ...]:
        """The references in source order."""
        return tuple(self._references[span] for span in sorted(self._references))

    @property
    def used_members(self) -> frozenset[ApiPath]:
        """The members that the script names."""
        return frozenset(each.path for each in self._references.values())

    def unawaited(self) -> tuple[UnawaitedPromise, ...]:
        """Returns the uses of promises as if they were the values in them."""
        calls = (call_of(callee) for _, callee in self._callees.values())
        api_calls = [each for each in calls if each is not None]
        return tuple(unawaited_promises(self._evaluator, self._guards, api_calls))

    @property
    def calls(self) -> tuple[CallSite, ...]:
        """The calls in source order, without those of members that the script replaces."""
        found = (self._calls[span] for span in sorted(self._calls))
        return tuple(
            self._with_place(self._with_occasions(each))
            for each in found
            if not has_prefix_among(each.path, self.replaced)
        )

    def _with_place(self, site: CallSite) -> CallSite:
        """Returns a call with its place, unless the callee is recorded as a reference."""
        known = self._references.get(site.callee)
        if known is not None and known.path == site.path:
            return site
        found, callee = self._callees[site.span]
        place = self._evaluator.attempt(callee.span, lambda: self._reference(found, callee, callee.span))
        return replace(site, place=place)

    def _with_occasions(self, site: CallSite) -> CallSite:
        """Returns a call with its occasions, which are determined last, when the entire script is known."""
        call = self._dependent.get(site.span)
        if call is None:
            return site
        if site.path in MAY_FAIL and not (site.is_caught or site.open):
            from extlint.analysis.trace.lost_failures import loses_failure

            is_lost = partial(loses_failure, self._evaluator, site.path, call)
            site = replace(site, loses_failure=self._evaluator.attempt(site.span, is_lost) or False)
        if not (site.loses_failure or depends_on_occasion(site.path)):
            return site
        found = self._evaluator.attempt(site.span, partial(self._occasions_of, call))
        return replace(site, occasions=frozenset({UNKNOWN_OCCASION}) if found is None else found)

    def _occasions_of(self, call: Node) -> frozenset[Occasion]:
        is_first = self._guards.certainly_on_load(call) and not self._awaits.is_in_waiting_function(call)
        return AT_LOAD if is_first else self._occasions.of(call)

    @cached_property
    def _occasions(self) -> OccasionFinder:
        """Created for the first call that does not simply run when the script is loaded."""
        from extlint.analysis.reachability.occasions import OccasionFinder

        return OccasionFinder(self._evaluator, self._guards, self._awaits)

    @property
    def ambiguous_references(self) -> tuple[AmbiguousReference, ...]:
        """The references to and calls of one of several members, in source order."""
        found = [*self._ambiguous_references.items(), *self._ambiguous_calls.items()]
        return tuple(choice for _, choice in sorted(found, key=lambda each: each[0]))

    @property
    def field_reads(self) -> tuple[FieldRead, ...]:
        """The field reads of results, in source order."""
        return tuple(self._field_reads[span] for span in sorted(self._field_reads))

    @property
    def promise_method_reads(self) -> tuple[FieldRead, ...]:
        """The promise methods read from results of `chrome`, in source order."""
        return tuple(self._promise_method_reads[span] for span in sorted(self._promise_method_reads))

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons of results, in source order."""
        return tuple(self._comparisons[span] for span in sorted(self._comparisons))

    @property
    def result_calls(self) -> tuple[ResultCall, ...]:
        """The calls of functions of results, in source order."""
        return tuple(self._result_calls[span] for span in sorted(self._result_calls))

    @property
    def dynamic_accesses(self) -> tuple[tuple[int, int], ...]:
        """The byte ranges of accesses to unknown members, in source order."""
        return tuple(sorted(self._dynamic_accesses))


def _is_sending(function: ApiResult) -> bool:
    """Whether a function that the API returns or passes sends its argument: of a port, or to the sender."""
    return is_response(function) or function.steps[-1:] == ("postMessage",)


def _holds_member(value: Value) -> bool:
    """Whether a value may be a member of the API, or an object or a descriptor that has one."""
    return any(
        isinstance(each, Api)
        or (isinstance(each, ObjectValue) and any(carries_api(of.value) for of in each.fields.values()))
        for each in options_of(value)
    )


def _forwarded_arguments(
    helper: str, arguments: tuple[Value, ...], is_open: bool
) -> tuple[tuple[Value, ...], bool]:
    """Returns the arguments that `f.call(this, …)` and `f.apply(this, […])` pass on."""
    if helper == "call":
        return arguments[1:], is_open
    if len(arguments) < 2:
        return (), is_open
    array = arguments[1]
    return (array.items, array.open) if isinstance(array, ArrayValue) else ((), True)


def _with_optional_chain(evaluator: Evaluator, named: Node, guards: Guards) -> Guards:
    """Adds the members that `?.` tested earlier in the same chain."""
    if not evaluator.tree.has_optional_chain:
        return guards
    tested = set(guards.tested)
    place: Node | None = named
    while place is not None:
        target = _previous_link(place)
        if target is not None and is_optional(place):
            found = evaluator.api(target)
            if found is not None and found.path:
                tested.add(found.path)
        place = target
    return replace(guards, tested=frozenset(tested))


def _previous_link(place: Node) -> Node | None:
    """Returns the previous link of a chain: the object of a member, or the callee of a call."""
    match place:
        case AccessExpression():
            return place.object
        case CallExpression():
            return place.callee
    return place.first() if place.type in WRAPPERS else None
