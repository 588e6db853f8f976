"""Finds the occasions on which a place runs: from the place via its function's callers to their origins.

    chrome.action.onClicked.addListener(async () => {
      await chrome.storage.local.get();
      open();
    });
    function open() { chrome.sidePanel.open({windowId: 1}); }

`sidePanel.open` has one occasion: the event `action.onClicked`, with a wait for `storage.local.get`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial, reduce

from msgspec.structs import replace

from extlint.analysis.call_graph.callers import entry_points_of
from extlint.analysis.call_graph.entry_points import EntryPoints, NameKind, defining_call
from extlint.analysis.facts.events import AT_LOAD, UNKNOWN_OCCASION, Occasion, Origin, Wait, WaitKind
from extlint.analysis.facts.values import (
    Api,
    ApiResult,
    ArrayValue,
    Delivery,
    Kind,
    Literal,
    is_nullish,
    options_of,
)
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.awaits import Awaits, try_begun_by
from extlint.analysis.reachability.paths import LeastSolution
from extlint.analysis.reachability.repeated_conditions import holds_again
from extlint.analysis.scope.model import Identifier
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    CallExpression,
    CallOrNewExpression,
    ForInStatement,
    Function,
    NewExpression,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    is_handler_in_markup,
    outermost,
)
from extlint.analysis.values.api_results import HELPERS, is_promise, result_of
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.elements import is_jquery
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import returned_expressions
from extlint.analysis.values.promise_values import chained_promise, fulfilling_uses
from extlint.analysis.values.property_index import key_of

MAX_OCCASIONS = 32
"""The maximum number of occasions of one place; the occasions of a place with more are unknown."""

LONG_DELAY = 100.0
"""The minimum delay of a timer, in milliseconds, that certainly takes more than a turn of the event loop."""

_MAX_DEPTH = 12
_MAX_AWAITED_DEPTH = 4

_TIMERS = frozenset({"requestAnimationFrame", "requestIdleCallback", "setInterval", "setTimeout"})
_OF_JQUERY = frozenset("bind change click delegate keydown keypress keyup on one submit".split())
"""Methods of jQuery that add a listener of an event of the page."""

_SYNCHRONOUS_METHODS = frozenset({"every", "filter", "flatMap", "forEach", "map", "some"})
_ALL = frozenset({"all", "allSettled"})
_CLEARS = b"clear"
"""Part of the names of the functions that clear timers."""

_NON_CALLING_METHODS = frozenset({"hasListener", "removeListener", "removeEventListener"})
_OTHER_CALLS = HELPERS | _NON_CALLING_METHODS | {"addListener"}
"""The functions of the API that do not call an argument when they are done."""

_Occasions = frozenset[Occasion]
_NONE: _Occasions = frozenset()
_UNKNOWN: _Occasions = frozenset({UNKNOWN_OCCASION})
_HANDLER: _Occasions = frozenset({Occasion(Origin.PLATFORM, certain=False, repeats=False)})


class OccasionFinder:
    """Finds the occasions of places in one script."""

    def __init__(self, evaluator: Evaluator, guards: GuardReader, awaits: Awaits) -> None:
        self._evaluator = evaluator
        self._guards = guards
        self._awaits = awaits
        self._solution = LeastSolution(_NONE, _UNKNOWN, _join)
        self._depth = 0
        self._waits: dict[int, Wait] = {}
        """The waits of `await` and the like, by the ids of their nodes."""
        self._distinct_waits: dict[Wait, Wait] = {}

    def of(self, place: Node) -> _Occasions:
        """Returns the occasions on which an expression is evaluated.

        Returns an empty set if no code is known to run it.
        """
        certain = repeats = True
        waits: set[Wait] = set()
        while True:
            runs = self._certainly_runs(place)
            certain = certain and runs
            repeats = repeats and (runs or holds_again(self._evaluator, place))
            waits.update(self._waits_before(place))
            function = enclosing_function(place)
            called = None if function is None else call_of(function)
            if called is None:
                break
            place = called
        entered = self._guards.enclosing_function(place)
        if entered is None:
            found = AT_LOAD
        elif function is None or not entered.same(function):
            return _UNKNOWN
        else:
            found = self._occasions_of_function(function)
        return delayed(found, waits, certain, repeats)

    def _certainly_runs(self, place: Node) -> bool:
        """Whether a place certainly runs when its function is called, perhaps for each item of an array."""
        for up in place.ancestors():
            if isinstance(up, Function):
                break
            if isinstance(up, ForInStatement) and up.body.contains(place):
                if up.operator != "of" or not self._has_items(up.right):
                    return False
                return self._guards.certainly_in_function(place, up.body) and self._certainly_runs(up)
        return self._guards.certainly_in_function(place)

    def _has_items(self, array: Node) -> bool:
        found = self._evaluator.value(array)
        return isinstance(found, ArrayValue) and bool(found.items)

    def _occasions_of_function(self, function: Function) -> _Occasions:
        """Returns the occasions on which a function is called."""
        if self._depth >= _MAX_DEPTH and not self._solution.is_current(function.id):
            return _UNKNOWN
        self._depth += 1
        try:
            return self._solution.solve(function.id, partial(self._occasions_of_calls, function))
        finally:
            self._depth -= 1

    def _occasions_of_calls(self, function: Function) -> _Occasions:
        defining = defining_call(self._evaluator, function)
        if defining is not None:
            return self.of(defining)
        if not function.type.endswith("_declaration") and function.type != "method_definition":
            passed = self._occasions_of_use(function)
            if passed is not None:
                return passed
        found = _NONE
        entries = [each for each in entry_points_of(self._evaluator, function) if each.direct]
        if not entries:
            return _UNKNOWN
        for each in self._occasions_of_entry(entries[0]):
            found = _join(found, each)
        return found

    def _occasions_of_entry(self, entry: EntryPoints) -> Iterator[_Occasions]:
        for name in entry.names:
            if name.kind is NameKind.PROPERTY and _is_handler(name.text.lower()):
                yield _HANDLER if name.text.islower() else _UNKNOWN
            else:
                is_export = name.kind is NameKind.EXPORT
                occasion = Occasion(
                    Origin.SHARED, name=name.text, certain=False, repeats=False, is_export=is_export
                )
                yield frozenset({occasion})
        yield from map(self.of_use, entry.uses)

    def of_use(self, item: Node) -> _Occasions:
        """Returns the occasions on which a function runs because it is named or written at an expression."""
        found = self._occasions_of_use(item)
        return _UNKNOWN if found is None else found

    def _occasions_of_use(self, item: Node) -> _Occasions | None:
        """Returns the same, or None if it is unclear."""
        whole = outermost(item)
        call = call_of(whole)
        if call is not None:
            return self.of(call)
        up = whole.parent
        if isinstance(up, NewExpression) and whole.is_field("constructor"):
            return self.of(up)
        if isinstance(up, AssignmentExpression) and whole.is_field("right"):
            name = key_of(self._evaluator, up.left) if isinstance(up.left, AccessExpression) else None
            return _HANDLER if name is not None and _is_handler(name) else None
        if is_handler_in_markup(whole, self._evaluator.tree.source):
            return _HANDLER
        taking = call_with_argument(whole)
        if taking is None:
            return None
        return self._occasions_of_argument(taking, index_of(taking.arguments, whole) or 0)

    def _occasions_of_argument(self, call: CallOrNewExpression, index: int) -> _Occasions:
        """Returns the occasions on which an argument that is a function runs."""
        if any(each.type == "spread_element" for each in call.arguments[:index]):
            return _UNKNOWN
        options = [each for each in options_of(self._evaluator.value(call.callee)) if not is_nullish(each)]
        members = [each for each in options if isinstance(each, Api) and len(each.path) > 1]
        if members and len(members) == len(options):
            found = (self._occasions_of_api_argument(call, each.path, each.root, index) for each in members)
            return reduce(_join, found)
        event = self._event_of_result(call.callee)
        if event is not None:
            return frozenset({Occasion(Origin.EVENT, event)}) if index == 0 else _UNKNOWN
        if isinstance(call, NewExpression):
            is_executor = index == 0 and self._evaluator.names.is_global(call.callee, {"Promise"})
            return self.of(call) if is_executor else _UNKNOWN
        callee = innermost(call.callee)
        name = self._method_name(callee)
        if name in PROMISE_METHODS and isinstance(callee, AccessExpression):
            runs = name == "finally" or (name == "then" and index == 0)
            return delayed(self.of(call), {self._wait(WaitKind.THEN, callee.object)}, runs, runs)
        if name in _TIMERS and index == 0:
            runs = not self._may_be_cleared(call)
            return delayed(self.of(call), {self._timer(call)}, runs, runs)
        if name == "queueMicrotask":
            return delayed(self.of(call), {Wait(WaitKind.THEN)})
        if name == "addEventListener" or (name in _OF_JQUERY and self._is_method_of_jquery(callee)):
            return _HANDLER
        if name in _SYNCHRONOUS_METHODS and index == 0:
            certain = isinstance(callee, AccessExpression) and self._has_items(callee.object)
            return delayed(self.of(call), (), certain, certain)
        return _NONE if name in _NON_CALLING_METHODS else _UNKNOWN

    def _is_method_of_jquery(self, callee: Node) -> bool:
        return isinstance(callee, AccessExpression) and is_jquery(self._evaluator, callee.object)

    def _may_be_cleared(self, timer: Node) -> bool:
        """Whether code that clears timers may get the id of one."""
        up = outermost(timer).parent
        is_kept = up is None or up.type != "expression_statement"
        return is_kept and _CLEARS in self._evaluator.tree.text

    def _event_of_result(self, callee: Node) -> tuple[str, ...] | None:
        """Returns the event of an object from the API, such as a port, to which a callee adds listeners."""
        if not isinstance(callee, AccessExpression) or key_of(self._evaluator, callee) != "addListener":
            return None
        found = result_of(self._evaluator.value(callee))
        return None if found is None or is_promise(found) else (*found.path, *found.steps[:-1])

    def _occasions_of_api_argument(
        self, call: CallOrNewExpression, path: tuple[str, ...], root: str, index: int
    ) -> _Occasions:
        if path[-1] == "addListener":
            return frozenset({Occasion(Origin.EVENT, path[:-1])}) if index == 0 else _UNKNOWN
        if path[-1] in _NON_CALLING_METHODS:
            return _NONE
        if path[-1] in HELPERS or not isinstance(call, CallExpression):
            return _UNKNOWN
        result = ApiResult(path, Delivery.CALLBACK, root=root)
        return delayed(self.of(call), {Wait(WaitKind.CALLBACK, result)})

    def _waits_before(self, place: Node) -> Iterable[Wait]:
        """Returns the waits that the function of a place has certainly completed before."""
        found: dict[int, Wait] = {}
        for each in self._awaits.waits_before(place):
            wait = self._waits.get(each.id)
            if wait is None:
                awaited = each.argument if isinstance(each, AwaitExpression) else None
                wait = Wait(WaitKind.AWAIT) if awaited is None else self._wait(WaitKind.AWAIT, awaited)
                wait = self._waits[each.id] = self._distinct_waits.setdefault(wait, wait)
            found[id(wait)] = wait
        return found.values()

    def _wait(self, kind: WaitKind, awaited: Node) -> Wait:
        result, takes_time = self._awaited_result(awaited, 0)
        return Wait(kind, result, takes_time)

    def _awaited_result(self, expression: Node, depth: int) -> tuple[ApiResult | None, bool]:
        """Returns the API result that a promise waits for, or None, and whether it awaits something else."""
        promise = self._chain_start(innermost(expression))
        result = result_of(self._evaluator.value(promise))
        if result is not None and is_promise(result):
            return replace(result, span=None), False
        if not isinstance(promise, CallOrNewExpression) or depth >= _MAX_AWAITED_DEPTH:
            return None, False
        if isinstance(promise, NewExpression):
            return self._common_wait(fulfilling_uses(self._evaluator, promise), depth)
        name = self._method_name(innermost(promise.callee))
        first = promise.first_argument
        if name == "fetch" and self._is_global_function(promise.callee):
            return None, first is not None and self._is_remote(first)
        if name in _ALL and first is not None and first.type == "array":
            return self._first_wait(first.named(), depth)
        function = self._evaluator.definition_of(promise.callee)
        if not isinstance(function, Function):
            return None, False
        if function.has_token("async"):
            return self._first_wait(self._certainly_awaited(function), depth)
        returned = returned_expressions(self._evaluator, function)
        if len(returned) != 1 or function.has_token("*") or not self._certainly_runs(returned[0]):
            return None, False
        return self._awaited_result(returned[0], depth + 1)

    def _common_wait(self, uses: Iterable[Identifier], depth: int) -> tuple[ApiResult | None, bool]:
        """Returns what the package's own promise waits for, however it is fulfilled by these uses."""
        found = {self._wait_before_use(each.item, depth + 1) for each in uses}
        return found.pop() if len(found) == 1 else (None, False)

    def _wait_before_use(self, use: Node, depth: int) -> tuple[ApiResult | None, bool]:
        """Returns what comes before a use of the function that fulfills a promise, since that was created."""
        place = call_of(outermost(use)) or use
        awaits = (each for each in self._awaits.waits_before(place) if isinstance(each, AwaitExpression))
        found = self._first_wait((each.argument for each in awaits), depth)
        callback = use if place is use else enclosing_function(place)
        call = None if callback is None else call_with_argument(outermost(callback))
        if found != (None, False) or not isinstance(call, CallExpression):
            return found
        api = self._evaluator.api(call.callee)
        if api is not None and len(api.path) > 1 and api.path[-1] not in _OTHER_CALLS:
            return ApiResult(api.path, Delivery.CALLBACK, root=api.root), False
        chained = chained_promise(self._evaluator, call)
        return (None, False) if chained is None else self._awaited_result(chained[0], depth)

    def _first_wait(self, awaited: Iterable[Node], depth: int) -> tuple[ApiResult | None, bool]:
        for each in awaited:
            found = self._awaited_result(each, depth + 1)
            if found != (None, False):
                return found
        return None, False

    def _certainly_awaited(self, function: Function) -> Iterator[Node]:
        for each in self._awaits.waits_in(function):
            if isinstance(each, AwaitExpression) and self._certainly_waits(each):
                yield each.argument

    def _certainly_waits(self, place: Node) -> bool:
        while (tried := try_begun_by(place)) is not None:
            if not self._guards.certainly_in_function(place, tried.body):
                return False
            place = tried
        return self._guards.certainly_in_function(place)

    def _chain_start(self, promise: Node) -> Node:
        """Returns the promise at the beginning of a chain of `then` and the like."""
        while isinstance(promise, CallExpression):
            callee = innermost(promise.callee)
            if not isinstance(callee, AccessExpression) or self._method_name(callee) not in PROMISE_METHODS:
                break
            promise = innermost(callee.object)
        return promise

    def _timer(self, call: CallOrNewExpression) -> Wait:
        arguments = call.arguments
        delay = self._evaluator.value(arguments[1]) if len(arguments) > 1 else None
        is_long = (
            isinstance(delay, Literal)
            and delay.kind is Kind.NUMBER
            and isinstance(delay.value, float)
            and delay.value >= LONG_DELAY
        )
        return Wait(WaitKind.TIMER, takes_time=is_long)

    def _method_name(self, callee: Node) -> str | None:
        """Returns the name of a method, or of a global function, or None."""
        if isinstance(callee, AccessExpression):
            return key_of(self._evaluator, callee)
        return self._evaluator.names.global_name(callee)

    def _is_remote(self, address: Node) -> bool:
        found = self._evaluator.value(address)
        return isinstance(found, Literal) and isinstance(found.value, str) and found.value.startswith("http")

    def _is_global_function(self, callee: Node) -> bool:
        """Whether a function is called as a global, or as a property of the global object."""
        whole = innermost(callee)
        if isinstance(whole, AccessExpression):
            holder = innermost(whole.object)
            return self._evaluator.names.is_global(holder, {"globalThis", "self", "window"})
        return whole.type == "identifier"


def _is_handler(property: str) -> bool:
    """Whether a property may hold a listener, as `onclick` does, or `onClick` in a library."""
    return property.startswith("on") and property.islower()


def _join(first: _Occasions, second: _Occasions) -> _Occasions:
    both = first | second
    return _UNKNOWN if len(both) > MAX_OCCASIONS else both


def delayed(
    occasions: _Occasions, waits: Iterable[Wait], certain: bool = True, repeats: bool = True
) -> _Occasions:
    """Returns the occasions of code that runs after some waits, and perhaps not at all, or not again.

    Code that certainly runs also repeats.
    """
    more = frozenset(waits)
    if not more and certain:
        return occasions
    return frozenset(
        replace(
            each,
            waits=each.waits | more,
            certain=each.certain and certain,
            repeats=each.repeats and repeats,
        )
        for each in occasions
    )
