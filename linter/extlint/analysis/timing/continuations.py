"""Computes the code that may run after a node, and whether a call calls its function immediately or later."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct, field

from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    CallExpression,
    CallOrNewExpression,
    ConditionalExpression,
    Function,
    IfStatement,
    NewExpression,
    TryStatement,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import enclosing_function, innermost
from extlint.analysis.values.api_results import HELPERS, ITERATION_METHODS
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint.text.positions import ByteSpan

_TIMERS = frozenset(
    "queueMicrotask requestAnimationFrame requestIdleCallback setImmediate setInterval setTimeout".split()
)
_GLOBAL_OBJECTS = frozenset({"globalThis", "self", "window"})
_REQUESTS = frozenset({"FileReader", "Image", "WebSocket", "XMLHttpRequest"})
"""Browser classes whose event handlers run later, unless a request is synchronous."""

_HANDLERS = frozenset("onabort onerror onload onloadend onopen onreadystatechange ontimeout".split())
_MAX_CHAIN = 50
"""The most calls of a promise chain that are followed."""


class CallTime(Enum):
    """The time at which a function passed as an argument is called."""

    NOW = "before the call that takes it returns, if at all"
    LATER = "after all that is running has returned"
    UNKNOWN = "at any time"


def call_time(evaluator: Evaluator, taker: CallOrNewExpression, index: int) -> CallTime:
    """Returns when a call invokes the argument at an index, according to the language, browser or API."""
    callee = taker.callee
    if isinstance(taker, NewExpression):
        is_executor = index == 0 and evaluator.names.is_global(callee, {"Promise"})
        return CallTime.NOW if is_executor else CallTime.UNKNOWN
    name = key_of(evaluator, callee) if isinstance(callee, AccessExpression) else None
    if name in PROMISE_METHODS:
        return CallTime.LATER  # for any promise; identifying it may take much work
    found = evaluator.api(callee)
    if found is not None:
        is_direct = len(found.path) > 1 and found.path[-1] not in HELPERS and not found.has_stand_in
        return CallTime.LATER if is_direct else CallTime.UNKNOWN
    if index == 0 and evaluator.names.is_global(callee, _TIMERS):
        return CallTime.LATER
    if not isinstance(callee, AccessExpression):
        return CallTime.UNKNOWN
    if name in _TIMERS and index == 0 and evaluator.tree.source(callee.object) in _GLOBAL_OBJECTS:
        return CallTime.LATER
    return CallTime.NOW if name in ITERATION_METHODS and index == 0 else CallTime.UNKNOWN


def runs_as_handler(evaluator: Evaluator, assignment: AssignmentExpression) -> bool:
    """Whether a function becomes the handler of an event that certainly fires later: `reader.onload = f`."""
    member = assignment.left
    if not isinstance(member, AccessExpression) or key_of(evaluator, member) not in _HANDLERS:
        return False
    binding = evaluator.names.variable(member.object) if member.object.type == "identifier" else None
    if binding is None or len(binding.writes) != 1:
        return False
    source = binding.writes[0].source
    initializer = source.value if isinstance(source, VariableDeclarator) else None
    if not isinstance(initializer, NewExpression):
        return False
    if not evaluator.names.is_global(initializer.callee, _REQUESTS):
        return False
    uses = (each.item.parent for each in binding.uses if each.role is Role.REFERENCE)
    return all(
        len(call.arguments) < 3 or call.arguments[2].type == "true"
        for member in uses
        if isinstance(member, AccessExpression) and key_of(evaluator, member) == "open"
        for call in [member.parent]
        if isinstance(call, CallExpression)
    )


def takes_time(evaluator: Evaluator, expression: Node) -> bool:
    """Whether a promise comes from the API, the network or such a promise, so that it settles later."""
    for _ in range(_MAX_CHAIN):
        expression = innermost(expression)
        if isinstance(expression, AwaitExpression):
            expression = expression.argument
        elif isinstance(expression, AccessExpression):
            expression = expression.object
        elif not isinstance(expression, CallExpression):
            return False
        else:
            callee = expression.callee
            if not isinstance(callee, AccessExpression) or key_of(evaluator, callee) not in PROMISE_METHODS:
                return evaluator.api(callee) is not None or evaluator.names.is_global(callee, {"fetch"})
            expression = callee.object
    return False


_BLOCKS = frozenset({"statement_block", "switch_case", "switch_default"})
_BREAKABLE = LOOPS | {"switch_statement"}


class Exit(Enum):
    """The way in which a statement always ends, if not normally."""

    FUNCTION = "it leaves the function"
    BREAK = "it leaves a loop or switch"
    CONTINUE = "it goes on with the next round of a loop"
    LABEL = "it goes to a label"


class Continuation(Struct, eq=False):
    """The code that may run after a node; it may include more, but omits nothing.

    `parts` are its byte ranges; `returned` is the `return` statement that contains the node, and
    `reaches_end` is true if the function may reach its end.
    """

    parts: list[ByteSpan] = field(default_factory=list)
    returned: Node | None = None
    reaches_end: bool = False

    def may_reach(self, place: Node) -> bool:
        """Whether a node in the same function may run afterwards."""
        return any(start <= place.start and place.end <= end for start, end in self.parts)

    def reached(self, places: Sequence[Node]) -> Iterator[Node]:
        """Yields the nodes that may run afterwards, of some in the same function, sorted by their starts."""
        following = 0
        for start, end in sorted(self.parts, key=lambda part: (part[0], -part[1])):
            first = max(following, bisect_left(places, start, key=_start))
            following = max(following, bisect_left(places, end, key=_start))
            yield from (each for each in places[first:following] if each.end <= end)


class Continuations:
    """The code that may run after the nodes of one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[int, Continuation] = {}
        self._exits: dict[int, list[tuple[Node, Exit]]] = {}
        """The statements of each block that always leave it, and how."""

    def after(self, place: Node) -> Continuation:
        """Returns the code that may run after a node."""
        if place.id not in self._known:
            self._known[place.id] = self._after(place)
        return self._known[place.id]

    def _after(self, place: Node) -> Continuation:
        function = self._function
        found = Continuation()
        child = place
        while (up := child.parent) is not None and not up.same(function):
            leaves: Exit | None = None
            if up.type in {"return_statement", "throw_statement"}:
                found.returned = up if up.type == "return_statement" else None
                leaves = Exit.FUNCTION
            elif up.type in _BLOCKS or up.type == "switch_body":
                leaves = self._add_siblings(child, up, found)
            elif isinstance(up, TryStatement):
                found.parts += [
                    each.span
                    for each in (up.handler, up.finalizer)
                    if each is not None and each.start >= child.end
                ]
            elif up.type in LOOPS:
                found.parts.append(up.span)
            elif not isinstance(up, IfStatement | ConditionalExpression) or child.is_field("condition"):
                found.parts += [each.span for each in up.named() if each.start >= child.end]
            target = _target(up, function, leaves)
            if target is None:
                _add_exit(up, function, leaves, found)
                return found
            child = target
            if leaves is Exit.CONTINUE:
                found.parts.append(target.span)
        found.reaches_end = True
        return found

    def _add_siblings(self, child: Node, up: Node, found: Continuation) -> Exit | None:
        """Adds the statements after a node in the same block, and returns how that block is left."""
        exits = self._exits.get(up.id)
        if exits is None:
            parts = (each for each in up.named() if not each.is_field("value"))
            exits = self._exits[up.id] = [
                (each, leaves) for each in parts if (leaves := exit_of(each)) is not None
            ]
        at = bisect_left(exits, child.end, key=lambda each: each[0].start)
        left, leaves = exits[at] if at < len(exits) else (up, None)
        if child.end < left.end:
            found.parts.append((child.end, left.end))
        return leaves


def _target(up: Node, function: Function, leaves: Exit | None) -> Node | None:
    """Returns the node exited after a part of `up` has run, or None if it is not inside the function."""
    if leaves is None:
        return up
    target_types = {Exit.BREAK: _BREAKABLE, Exit.CONTINUE: LOOPS}.get(leaves, frozenset())
    for each in (up, *up.ancestors()):
        if each.same(function):
            return None
        if each.type in target_types:
            return each
    return None


def _add_exit(up: Node, function: Function, leaves: Exit | None, found: Continuation) -> None:
    """Adds the code that runs when the function is left, or its entire body if that is unknown."""
    if leaves is not Exit.FUNCTION:
        found.parts.append(function.body.span)
        found.reaches_end = True
        return
    for each in (up, *up.ancestors()):
        if each.same(function):
            return
        if isinstance(each, TryStatement) and each.finalizer is not None:
            found.parts.append(each.finalizer.span)


def _start(node: Node) -> int:
    return node.start


def exit_of(statement: Node) -> Exit | None:
    """Returns how a statement always ends, as far as its syntax shows, or None if it may end normally."""
    match statement.type:
        case "return_statement" | "throw_statement":
            return Exit.FUNCTION
        case "break_statement" | "continue_statement":
            if statement.first() is not None:
                return Exit.LABEL
            return Exit.BREAK if statement.type == "break_statement" else Exit.CONTINUE
        case "statement_block" | "else_clause" | "switch_case" | "switch_default":
            parts = (each for each in statement.named() if not each.is_field("value"))
            return next((found for each in parts if (found := exit_of(each)) is not None), None)
    if isinstance(statement, IfStatement) and statement.alternative is not None:
        return _common_exit(exit_of(statement.consequence), exit_of(statement.alternative))
    if isinstance(statement, TryStatement):
        last = None if statement.finalizer is None else statement.finalizer.first()
        if last is not None and exit_of(last) is Exit.FUNCTION:
            return Exit.FUNCTION
        handler = statement.handler
        body = exit_of(statement.body)
        return body if handler is None else _common_exit(body, exit_of(handler.field("body") or handler))
    return None


def _common_exit(first: Exit | None, second: Exit | None) -> Exit | None:
    """Returns how a statement ends that runs one of two branches."""
    if first is second or second is Exit.FUNCTION:
        return first
    return second if first is Exit.FUNCTION else None


def is_later(evaluator: Evaluator, earlier: ByteSpan, later: ByteSpan) -> bool:
    """Whether two expressions are in the same function, in this order."""
    first, second = (evaluator.tree.leaf_at(each[0]) for each in (earlier, later))
    return earlier[1] <= later[0] and enclosing_function(first) is enclosing_function(second)
