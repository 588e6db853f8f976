"""Finds responses of a message listener that are discarded because the sender no longer waits for them.

    runtime.onMessage.addListener((message, sender, sendResponse) => {
      storage.local.get("k", (items) => sendResponse(items.k));
    });

`effects` finds that `sendResponse` is called later, through the call of `get`. The code that may run after
that call returns neither `true` nor a promise, so the browser has already reported to the sender that there
will be no response.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from extlint.analysis.facts.events import (
    DiscardedResponse,
    ListenerResponses,
    MessageTest,
    UnansweredReturn,
)
from extlint.analysis.facts.values import (
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
    with_use_span,
)
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AccessExpression, AwaitExpression, CallExpression, Function
from extlint.analysis.syntax.shapes import (
    call_of,
    innermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.timing.continuations import Continuation, Continuations
from extlint.analysis.timing.effects import (
    Effects,
    Event,
    ForeignTiming,
    UndecidedError,
    early_events,
    is_generator,
    may_be_called_before,
    unknown_timing,
)
from extlint.analysis.timing.exclusive_branches import ExclusiveBranches
from extlint.analysis.timing.handled_messages import ends_at_once, handled_messages
from extlint.analysis.values.api_results import is_promise
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import completes_abruptly, return_statements
from extlint.analysis.values.property_index import key_of
from extlint.text.positions import ByteSpan

RESPONSE = 2
"""The position of `sendResponse` among a listener's parameters."""

_TEXTS: Mapping[tuple[Kind, object], str] = {
    (Kind.UNDEFINED, None): "undefined",
    (Kind.BOOLEAN, True): "true",
}
"""The fulfillment values of promises whose functions were not meant to respond."""

_UNDEFINED = Literal(Kind.UNDEFINED)


def responses_of(
    evaluator: Evaluator, awaits: Awaits, listener: Function, elsewhere: ForeignTiming = unknown_timing
) -> ListenerResponses | None:
    """Returns how a listener responds, or None if that cannot be determined."""
    return None if is_generator(listener) else _Listener(evaluator, awaits, listener, elsewhere).responses()


def late_places(
    evaluator: Evaluator, awaits: Awaits, listener: Function, elsewhere: ForeignTiming = unknown_timing
) -> list[Node] | None:
    """Returns the nodes in a listener that respond after it has returned without `true`.

    Returns None if it returns a promise, or if that cannot be determined.
    """
    if is_generator(listener) or listener.has_token("async"):
        return None
    return _Listener(evaluator, awaits, listener, elsewhere).late_places()


def without_bind(evaluator: Evaluator, function: Node) -> Node:
    """Returns the function that an expression only binds to its `this`: `f` for `f.bind(this)`."""
    inner = innermost(function)
    if isinstance(inner, CallExpression) and len(inner.arguments) == 1:
        callee = inner.callee
        if isinstance(callee, AccessExpression) and key_of(evaluator, callee) == "bind":
            return callee.object
    return inner


class _Listener:
    def __init__(
        self, evaluator: Evaluator, awaits: Awaits, listener: Function, elsewhere: ForeignTiming
    ) -> None:
        self._evaluator = evaluator
        self._possible = evaluator.possible
        self._awaits = awaits
        self._listener = listener
        self._elsewhere = elsewhere
        self._is_async = listener.has_token("async")
        self._branches = ExclusiveBranches(evaluator, listener)
        self._continuations = Continuations(listener)
        self._waits = sorted(awaits.waits_in(listener), key=lambda each: each.start)
        self._waiting = {each.id for each in self._waits}

    def responses(self) -> ListenerResponses:
        values = self._returned_values()
        later = any(map(_may_be_response if self._is_async else _keeps_open, values))
        at_once = ends_at_once(self._listener, self._waits)
        objects = tuple(self._promised_objects())
        found = self._own_responses(values)
        handled = handled_messages(self._evaluator, self._listener)
        return replace(found, ends_at_once=at_once, responds_later=later, objects=objects, handled=handled)

    def _own_responses(self, values: list[Value]) -> ListenerResponses:
        keeps_open = self._is_async or any(map(_keeps_open, values))
        may_promise = self._is_async or any(_keeps_open(each) and not _is_true(each) for each in values)
        if len(parameter_items(self._listener)) <= RESPONSE:
            return ListenerResponses(
                (),
                keeps_open,
                tuple(self._promised_responses()),
                unanswered=self._unanswered(),
                may_respond=may_promise or self._takes_all_arguments(),
            )
        try:
            events = Effects(self._evaluator, self._awaits, self._elsewhere).events(self._listener, RESPONSE)
        except UndecidedError:
            return ListenerResponses((), keeps_open, undecided=True)
        early = early_events(events)
        lost = (each for event in events for each in self._discarded_responses(event, early))
        answered = self._answered(events) if all(map(_is_true, values)) and not may_promise else ()
        return ListenerResponses(
            tuple(sorted(lost, key=lambda each: each.span)),
            keeps_open,
            unanswered=() if events and not answered else self._unanswered(),
            may_respond=may_promise or bool(events),
            answered=answered,
        )

    def _answered(self, events: Iterable[Event]) -> tuple[frozenset[MessageTest], ...]:
        """Returns the tests of messages with a response, of one or the other, or none if any may have one."""
        (message, *_) = parameter_items(self._listener)
        found = set[frozenset[MessageTest]]()
        for event in events:
            for node in event.effect.nodes:
                tests = self._tests(event.place, node)
                cases = (
                    self._branches.cases_around(each, pattern_of(message)) for each in (node, event.place)
                )
                found |= {tests | {each} for each in next(filter(None, cases), ())} or {tests}
        return () if frozenset() in found else tuple(sorted(found, key=repr))

    def _unanswered(self) -> tuple[UnansweredReturn, ...]:
        """Returns the places where a listener returns `true` that does not use `sendResponse`."""
        if self._is_async or self._takes_all_arguments():
            return ()
        return tuple(
            UnansweredReturn(each.span, self._tests(each))
            for each in self._returned_expressions()
            if _is_true(self._possible.value(each))
        )

    def _takes_all_arguments(self) -> bool:
        """Whether the listener may use `sendResponse` without a parameter of its own for it."""
        start, end = self._listener.start, self._listener.end
        is_rest = any(pattern_of(each).type == "rest_pattern" for each in parameter_items(self._listener))
        return is_rest or b"arguments" in self._evaluator.tree.text[start:end]

    def late_places(self) -> list[Node] | None:
        """Returns the places of the events with discarded responses; see the function."""
        try:
            events = Effects(self._evaluator, self._awaits, self._elsewhere).events(self._listener, RESPONSE)
        except UndecidedError:
            return None
        early = early_events(events)
        found = [(event.place, each) for event in events for each in self._discarded_responses(event, early)]
        if any(each.promised is not None for _, each in found):
            return None
        return [*{place.id: place for place, _ in found}.values()]

    def _promised_responses(self) -> Iterator[ByteSpan]:
        """Yields the positions where the listener returns a promise of a response."""
        for each in self._returned_expressions():
            value = self._possible.value(each)
            answer = value if self._is_async else _fulfillment(value)
            if answer is not None and all(map(_is_response_value, options_of(answer))):
                yield each.span

    def _promised_objects(self) -> Iterator[Value]:
        """Yields the objects of built-in classes, or with them, that the listener returns in a promise."""
        for each in self._returned_expressions():
            value = self._possible.value(each)
            found = _fulfillment(value) or (value if self._is_async else None)
            if found is not None and _has_object_of_class(found):
                yield with_use_span(found, each.span)

    def _discarded_responses(self, event: Event, early: list[Event]) -> Iterable[DiscardedResponse]:
        """Yields the discarded responses of an event: no code that may follow keeps the sender waiting."""
        after = self._continuations.after(event.place)
        values = self._returned_values(after, event.place)
        promises = [*map(_fulfillment, values)] if not self._is_async else values
        promised = None
        if self._is_async or not any(each is None for each in promises):
            promised = _same_text(promises)
            if promised is None:
                return
        elif any(map(_keeps_open, values)):
            return
        effect = event.effect.deferred(takes_time=False) if event.awaits else event.effect
        compatible = (each for each in early if not self._branches.are_exclusive(event.place, each.place))
        late = () if may_be_called_before(event, compatible, self._continuations) else effect.late
        is_last = self._is_async and not self._may_wait(event.place, after)
        for each in late:
            if promised is None or not _has_no_response(each.node):
                outlasted, tests = is_last and each.takes_time, self._tests(event.place, each.node)
                yield DiscardedResponse(each.node.span, promised, outlasted=outlasted, tests=tests)
        if promised is not None:
            known = {each.node.id for each in late}
            uses = (each for each in effect.nodes if each.id not in known and not _has_no_response(each))
            for use in uses:
                tests = self._tests(event.place, use)
                yield DiscardedResponse(use.span, promised, late=False, tests=tests)

    def _tests(self, *places: Node) -> frozenset[MessageTest]:
        """Returns the tests that the message has passed whenever all these nodes run."""
        listed = parameter_items(self._listener)[:1]
        found = (self._branches.tests_of(each, pattern_of(of)) for each in places for of in listed)
        return frozenset().union(*found)

    def _may_wait(self, place: Node, after: Continuation) -> bool:
        """Whether the listener may wait at a node, or afterwards."""
        is_inside = any(each.id in self._waiting for each in (place, *place.ancestors()))
        return is_inside or any(True for _ in after.reached(self._waits))

    def _returned_values(self, after: Continuation | None = None, place: Node | None = None) -> list[Value]:
        """Returns the values that the listener may return, at all or after a node."""
        body = self._listener.body
        found = [*map(self._returned_value, self._returned_expressions(after, place))]
        if body.type != "statement_block":
            return found
        empty = (each for each in self._return_statements(after, place) if each.first() is None)
        ends = not completes_abruptly(body) if after is None else after.reaches_end
        return [*found, _UNDEFINED] if ends or any(empty) else found

    def _returned_expressions(
        self, after: Continuation | None = None, place: Node | None = None
    ) -> list[Node]:
        body = self._listener.body
        if body.type != "statement_block":
            return [body]
        return [
            value for each in self._return_statements(after, place) if (value := each.first()) is not None
        ]

    def _return_statements(self, after: Continuation | None, place: Node | None) -> list[Node]:
        """Returns the `return` statements, all or those that may run after a node."""
        found = return_statements(self._evaluator, self._listener.body)
        if after is None or place is None:
            return found
        reached = after.reached(found)
        returned = () if after.returned is None else (after.returned,)
        return [each for each in (*reached, *returned) if not self._branches.are_exclusive(place, each)]

    def _returned_value(self, expression: Node) -> Value:
        """Returns an expression's value: undefined for a call with a callback, and for `sendResponse`."""
        inner = innermost(expression)
        call = inner.argument if isinstance(inner, AwaitExpression) else inner
        if isinstance(call, CallExpression):
            last = call.arguments[-1] if call.arguments else None
            has_callback = last is not None and (isinstance(last, Function) or self._is_response(last))
            is_call_with_callback = has_callback and self._evaluator.api(call.callee) is not None
            if is_call_with_callback or self._is_response(call.callee):
                return _UNDEFINED
        return self._possible.value(expression)

    def _is_response(self, name: Node) -> bool:
        """Whether a name refers to the listener's third parameter."""
        listed = parameter_items(self._listener)
        if name.type != "identifier" or len(listed) <= RESPONSE:
            return False
        names = self._evaluator.names
        binding = names.variable(name)
        return binding is not None and binding is names.variable(pattern_of(listed[RESPONSE]))


def _has_no_response(use: Node) -> bool:
    """Whether a use is a call without a response, which only signals that the listener is done."""
    call = call_of(use)
    return call is not None and not call.arguments


def _is_true(value: Value) -> bool:
    return isinstance(value, Literal) and value.value is True


def _keeps_open(value: Value) -> bool:
    """Whether a listener's return value may be `true` or a promise."""
    return any(map(_option_keeps_open, options_of(value)))


def _may_be_response(value: Value) -> bool:
    """Whether the promise of an `async` listener may be fulfilled with a response."""
    return any(not isinstance(each, Literal) or each.kind is Kind.STRING for each in options_of(value))


def _option_keeps_open(value: Value) -> bool:
    match value:
        case Literal(value=exact):
            return exact is True
        case Typed(kind=kind):
            return kind in {Kind.BOOLEAN, Kind.OBJECT}
        case InstanceValue(class_name=name, builtin=builtin):
            return not builtin or name == "Promise"
    return not isinstance(value, ArrayValue | FunctionValue | ObjectValue)


def _is_response_value(value: Value) -> bool:
    """Whether a value is certainly meant for the sender."""
    match value:
        case Literal(kind=kind):
            return kind in {Kind.STRING, Kind.NUMBER}
        case ObjectValue() | ArrayValue():
            return True
    return False


def _fulfillment(value: Value) -> Value | None:
    """Returns a promise's fulfillment value, the promise if that is unknown, or None for other values."""
    if isinstance(value, ApiResult):
        return value if is_promise(value) else None
    if isinstance(value, InstanceValue) and value.builtin and value.class_name == "Promise":
        return value.fulfillment or value
    return None


def _has_object_of_class(value: Value) -> bool:
    """Whether a value is an object of a built-in class other than a promise, or one of its fields is."""
    match value:
        case InstanceValue(class_name=name, builtin=builtin):
            return builtin and name != "Promise"
        case ObjectValue(fields=fields):
            return any(_has_object_of_class(each.value) for each in fields.values())
    return False


def _same_text(values: Iterable[Value | None]) -> str | None:
    """Returns the text of undefined or true if all values are that, so no response in themselves, or None."""
    texts = {_TEXTS.get((each.kind, each.value)) if isinstance(each, Literal) else None for each in values}
    return texts.pop() if len(texts) == 1 else None
