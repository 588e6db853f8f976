"""Determines when a function parameter is called: immediately, or after its receiver has returned.

    function load(key, done) {
      storage.local.get(key, (items) => done(items[key]));
    }

The uses of the parameter are followed outward, from function to function: the arrow function calls `done`
when it is called, and `get` calls the arrow function later. So the effect of `load` is that `done` is called
later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.call_graph.definitions import declared_name
from extlint.analysis.reachability.awaits import Awaits
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    CallOrNewExpression,
    Function,
    MemberExpression,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    outermost,
    parameter_items,
    pattern_of,
)
from extlint.analysis.timing.continuations import (
    CallTime,
    Continuations,
    call_time,
    runs_as_handler,
    takes_time,
)
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of

MAX_FUNCTIONS = 40
"""The most nested functions through which a parameter is followed."""

_MAX_DEPTH = 6
"""The most functions that pass a parameter on to one another."""


class LateUse(Struct, frozen=True, eq=False):
    """A use of a parameter after its function has returned; `takes_time` if it is much later."""

    node: Node
    takes_time: bool


class Effect(Struct, frozen=True, eq=False):
    """The effect of a function call: the uses of a parameter that run late, and those that may not."""

    late: tuple[LateUse, ...] = ()
    now: tuple[Node, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.late or self.now)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All uses of the parameter."""
        return (*(each.node for each in self.late), *self.now)

    def deferred(self, *, takes_time: bool) -> Effect:
        """Returns the effect of a call that is made later."""
        late = (LateUse(each.node, each.takes_time or takes_time) for each in self.late)
        return Effect((*late, *(LateUse(each, takes_time) for each in self.now)))


NO_EFFECT = Effect()


class Event(Struct, frozen=True, eq=False):
    """A node in a function and its effect; `awaits` if the function has already waited there."""

    place: Node
    effect: Effect
    awaits: bool = False


class UndecidedError(Exception):
    """The time at which a parameter is called is unknown."""


class Timing(Struct, frozen=True):
    """The times at which a function of another script calls a parameter.

    `late` has one item per call after it has returned: whether that is much later. `now` is true if it may
    call the parameter before.
    """

    late: tuple[bool, ...]
    now: bool


ForeignTiming: TypeAlias = Callable[[Node, int], Timing | None]
"""Returns when a function of another script, named by a callee, calls a parameter, or None if unknown."""


def unknown_timing(_callee: Node, _index: int) -> Timing | None:
    """Returns None, for a script that is analyzed by itself."""
    return None


class Effects:
    """Follows the parameters of one script's functions."""

    def __init__(
        self, evaluator: Evaluator, awaits: Awaits, elsewhere: ForeignTiming = unknown_timing
    ) -> None:
        self._evaluator = evaluator
        self._awaits = awaits
        self._elsewhere = elsewhere
        self._open: set[tuple[int, int]] = set()

    def events(self, function: Function, index: int, effect: Effect = NO_EFFECT) -> list[Event]:
        """Returns the nodes in a function at which a parameter is called or passed on, in source order.

        `effect` is that of calling the parameter, if it is a known function. Raises UndecidedError.
        """
        key = (function.id, index)
        if key in self._open:
            return []
        parameters = parameter_items(function)
        if len(self._open) >= _MAX_DEPTH or index >= len(parameters) or is_generator(function):
            raise UndecidedError
        if b"arguments" in self._evaluator.tree.text[function.start : function.end]:
            raise UndecidedError
        binding = self._evaluator.names.variable(pattern_of(parameters[index]))
        if binding is None or len(binding.writes) != 1 or len(binding.declarations) != 1:
            raise UndecidedError
        uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        self._open.add(key)
        try:
            return _Uses(self, function, [(each, effect or Effect((), (each,))) for each in uses]).events()
        finally:
            self._open.remove(key)

    def event_at(self, use: Node, effect: Effect) -> Event | None:
        """Returns the event at a reference to a function with an effect, or None if nothing happens there."""
        if not effect:
            return None
        call = call_of(use)
        if call is not None:
            return self._event(call, effect)
        whole = outermost(use)
        up = whole.parent
        if up is None or up.type == "expression_statement" or _is_only_tested(whole, up):
            return None
        if isinstance(up, MemberExpression) and self._evaluator.tree.source(up.property) == "bind":
            bound = call_of(up)
            if bound is not None and len(bound.arguments) == 1:
                return self.event_at(bound, effect)
        if isinstance(up, AssignmentExpression) and runs_as_handler(self._evaluator, up):
            return self._event(up, effect.deferred(takes_time=True))
        taker = call_with_argument(whole)
        index = None if taker is None else index_of(taker.arguments, whole)
        if taker is not None and index is not None:
            return self._event(taker, self._effect_of_passing(taker, index, effect))
        return self._event(whole, _require_deferred(effect))

    def _event(self, place: Node, effect: Effect) -> Event:
        return Event(place, effect, bool(self._awaits.waits_before(place)))

    def _effect_of_passing(self, taker: CallOrNewExpression, index: int, effect: Effect) -> Effect:
        """Returns the effect of a call, or of `new`, with an argument that has an effect."""
        calling = call_time(self._evaluator, taker, index)
        if calling is CallTime.LATER:
            is_slow = takes_time(self._evaluator, taker) or not _is_promise_method(self._evaluator, taker)
            return effect.deferred(takes_time=is_slow)
        if calling is CallTime.NOW:
            return effect
        if any(each.type == "spread_element" for each in taker.arguments):
            return _require_deferred(effect)
        function = self._called_function(taker)
        if function is not None:
            return self.combined_effect(function, self.events(function, index, effect))
        timing = self._elsewhere(taker.callee, index) if isinstance(taker, CallExpression) else None
        return _require_deferred(effect) if timing is None else _with_timing(effect, timing)

    def timing(self, function: Function, index: int) -> Timing:
        """Returns when a function calls a parameter. Raises UndecidedError."""
        found = self.combined_effect(function, self.events(function, index))
        return Timing(tuple(each.takes_time for each in found.late), bool(found.now))

    def _called_function(self, taker: CallOrNewExpression) -> Function | None:
        """Returns the function of the script that a call calls, or None."""
        if not isinstance(taker, CallExpression):
            return None
        definition = self._evaluator.definition_of(taker.callee)
        return definition if isinstance(definition, Function) else None

    def references_to(self, function: Function) -> list[Node]:
        """Returns the references to a function by its own name, or the function itself if it has no name."""
        name = declared_name(function)
        if name is None:
            return [function]
        binding = self._evaluator.names.variable(name)
        if binding is None or len(binding.declarations) != 1 or len(binding.writes) != 1:
            raise UndecidedError
        return [each.item for each in binding.uses if each.role is Role.REFERENCE]

    def combined_effect(self, function: Function, events: list[Event]) -> Effect:
        """Returns the effect of calling a function that contains these events."""
        late: list[LateUse] = []
        now: list[Node] = []
        continuations, early = Continuations(function), early_events(events)
        for event in events:
            if event.awaits:
                waits = self._awaits.waits_before(event.place)
                is_slow = any(
                    isinstance(each, AwaitExpression) and takes_time(self._evaluator, each.argument)
                    for each in waits
                )
                late += event.effect.deferred(takes_time=is_slow).late
            else:
                now += event.effect.now
                late += () if may_be_called_before(event, early, continuations) else event.effect.late
        return Effect(tuple(late), tuple(now))


class _Uses:
    """The uses of something with an effect in one function and its nested functions."""

    def __init__(self, effects: Effects, function: Function, uses: Sequence[tuple[Node, Effect]]) -> None:
        self._effects = effects
        self._function = function
        self._uses = uses
        self._inside: dict[int, Function] = {}
        self._named: dict[int, list[Node]] = {}
        self._known: dict[int, Effect] = {}

    def events(self) -> list[Event]:
        """Returns the events in the function itself."""
        waiting = [node for node, _ in self._uses]
        while waiting:
            around = enclosing_function(waiting.pop())
            if around is None or around.same(self._function) or around.id in self._inside:
                continue
            if len(self._inside) >= MAX_FUNCTIONS or not self._function.contains(around):
                raise UndecidedError
            self._inside[around.id] = around
            self._named[around.id] = self._effects.references_to(around)
            waiting += self._named[around.id]
        return self._events_in(self._function)

    def _events_in(self, function: Function) -> list[Event]:
        found = [
            self._effects.event_at(node, effect)
            for node, effect in self._uses
            if _is_directly_in(node, function)
        ]
        for inner in self._inside.values():
            named = (each for each in self._named[inner.id] if _is_directly_in(each, function))
            found += [self._effects.event_at(each, self._effect_of(inner)) for each in named]
        return sorted((each for each in found if each is not None), key=lambda each: each.place.start)

    def _effect_of(self, function: Function) -> Effect:
        """Returns the effect of calling a nested function, or no effect while that is being computed."""
        if function.id not in self._known:
            self._known[function.id] = NO_EFFECT
            if is_generator(function):
                raise UndecidedError
            self._known[function.id] = self._effects.combined_effect(function, self._events_in(function))
        return self._known[function.id]


def early_events(events: Iterable[Event]) -> list[Event]:
    """Returns the events that may call the parameter before the function waits or returns."""
    return [each for each in events if each.effect.now and not each.awaits]


def may_be_called_before(event: Event, early: Iterable[Event], continuations: Continuations) -> bool:
    """Whether another event, one of the early ones, is on a path through the function with an event."""
    for other in early:
        if other is event or other.place.same(event.place):
            continue
        if event.place.contains(other.place) or other.place.contains(event.place):
            return True
        if continuations.after(other.place).may_reach(event.place):
            return True
        if not event.awaits and continuations.after(event.place).may_reach(other.place):
            return True
    return False


def is_generator(function: Function) -> bool:
    """Whether a function is a generator, which runs only when its values are requested."""
    return function.type.startswith("generator") or function.has_token("*")


def _require_deferred(effect: Effect) -> Effect:
    """Returns the effect of code that may call a function at any time.

    Raises UndecidedError if that matters.
    """
    if effect.now:
        raise UndecidedError
    return effect


def _with_timing(effect: Effect, timing: Timing) -> Effect:
    """Returns the effect of a call that invokes a function with this effect at these times."""
    late = [each for takes_time in timing.late for each in effect.deferred(takes_time=takes_time).late]
    first = {each.node.id: each for each in reversed(late)}
    now = effect if timing.now else NO_EFFECT
    return Effect((*first.values(), *now.late), now.now)


def _is_directly_in(node: Node, function: Function) -> bool:
    around = enclosing_function(node)
    return around is not None and around.same(function)


def _is_only_tested(whole: Node, up: Node) -> bool:
    """Whether an expression is only tested by its parent."""
    if isinstance(up, BinaryExpression):
        return not up.is_logical or whole.is_field("left")
    return isinstance(up, UnaryExpression) or whole.is_field("condition")


def _is_promise_method(evaluator: Evaluator, taker: CallOrNewExpression) -> bool:
    callee = taker.callee
    return isinstance(callee, AccessExpression) and key_of(evaluator, callee) in PROMISE_METHODS
