"""Finds the tests that succeeded before a callback runs, or before a promise is fulfilled.

    const check = () => new Promise((resolve, reject) => browser.downloads ? resolve() : reject());
    check().then(() => browser.downloads.search({}));

The callback runs only after `resolve` was called, so what is known there holds in the callback, too. The same
is true for `await check()` and the code after it, and for callbacks that the script's own functions call.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import NO_GUARDS, ApiPath, FailureHandling, Guards
from extlint.analysis.guards.forms.facts import (
    BROWSER_TESTED,
    CONDITIONAL,
    CONSTANT,
    GRANTED,
    OPEN_TEST,
    GuardsAt,
    common_guards,
    is_script_independent,
    reached,
    without_equalities,
)
from extlint.analysis.guards.forms.possible_values import possible_methods
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AwaitExpression,
    CallExpression,
    Function,
    NewExpression,
    Pair,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import call_of, first_argument, index_of, innermost, is_rest, pattern_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import MAX_USES, completes_abruptly, is_async, return_statements
from extlint.analysis.values.promise_values import chained_promise

_MAX_DEPTH = 6
_MAX_NAME_LENGTH = 80

_EITHER_WAY = frozenset({BROWSER_TESTED, CONDITIONAL, OPEN_TEST})
"""Facts that mean nothing if they hold at several places: one of these may always be reached."""


class Completions:
    """Finds what holds after functions and promises of one script complete.

    `guards_at` returns the guards at a place, and `guards_at_end` those where the end of a function's body is
    reached.
    """

    def __init__(self, evaluator: Evaluator, guards_at: GuardsAt, guards_at_end: GuardsAt) -> None:
        self._evaluator = evaluator
        self._guards_at = guards_at
        self._guards_at_end = guards_at_end

    def before_callback(self, callback: Node, call: Node | None) -> Guards:
        """Returns what holds when a function runs that is an argument of a call, or named there."""
        if not isinstance(call, CallExpression) or callback.type not in FUNCTIONS | {"identifier"}:
            return NO_GUARDS
        promise = chained_promise(self._evaluator, call)
        if promise is not None:
            is_handler = promise[1] == "then" and call.arguments[0].same(callback)
            return self.after_fulfillment(promise[0]) if is_handler else NO_GUARDS
        index = index_of(call.arguments, callback)
        if index is None or self._evaluator.api(call.callee) is not None:
            return NO_GUARDS
        definitions = self._definitions(call)
        if not definitions:
            return self._named_permissions(call)
        places = [self.where_called(each, index) for each in definitions]
        return replace(self._common(places), failure=min(each.failure for each in places))

    def after_fulfillment(self, promise: Node, depth: int = 0) -> Guards:
        """Returns what holds after a promise is fulfilled."""
        item = innermost(promise)
        if depth > _MAX_DEPTH:
            return NO_GUARDS
        if item.type == "identifier":
            variable = self._evaluator.names.variable(item)
            write = variable.writes[0] if variable is not None and len(variable.writes) == 1 else None
            if write is not None and isinstance(write.source, VariableDeclarator):
                value = write.source.value
                is_whole = value is not None and write.source.name.same(write.item)
                return self.after_fulfillment(value, depth + 1) if value and is_whole else NO_GUARDS
            return NO_GUARDS
        if isinstance(item, NewExpression):
            executor = first_argument(item)
            is_promise = self._evaluator.tree.source(item.callee) == "Promise"
            return NO_GUARDS if executor is None or not is_promise else _both(self.where_called(executor, 0))
        if not isinstance(item, CallExpression):
            return NO_GUARDS
        chained = chained_promise(self._evaluator, item)
        if chained is not None:
            may_recover = chained[1] == "catch" or (chained[1] == "then" and len(item.arguments) > 1)
            return NO_GUARDS if may_recover else self.after_fulfillment(chained[0], depth + 1)
        if self._evaluator.api(item.callee) is not None:
            return NO_GUARDS
        first = first_argument(item)
        if first is not None and self._evaluator.tree.source(item.callee) == "Promise.all":
            promises = first.named() if first.type == "array" else []
            return reduce(_both, (self.after_fulfillment(each, depth + 1) for each in promises), NO_GUARDS)
        definitions = self._definitions(item)
        if not definitions:
            return self._named_permissions(item)
        return self._common(self._after_return(each, depth) for each in definitions)

    def after_statement(self, statement: Node) -> Guards:
        """Returns what holds after a statement that awaits a promise."""
        inner = statement.first()
        if isinstance(inner, VariableDeclarator):
            inner = inner.value
        awaited = None if inner is None else innermost(inner)
        return self.after_fulfillment(awaited.argument) if isinstance(awaited, AwaitExpression) else NO_GUARDS

    def _common(self, guards: Iterable[Guards]) -> Guards:
        places = reached(guards)
        found = common_guards(places)
        tested = without_equalities(found.tested)
        if len(places) > 1 or not any(map(_is_specific, tested)):
            tested -= _EITHER_WAY
        return Guards(tested, missing=found.missing)

    def _definitions(self, call: CallExpression) -> list[Function]:
        callee = innermost(call.callee)
        definition = self._evaluator.definition_of(callee)
        if isinstance(definition, Function):
            return [definition]
        return possible_methods(self._evaluator, callee)

    def _named_permissions(self, call: CallExpression) -> Guards:
        """Returns the permissions that an unknown function is to test, by its name and arguments."""
        callee = innermost(call.callee)
        named = callee.key if isinstance(callee, AccessExpression) else callee
        if "permission" not in self._evaluator.tree.source(named)[:_MAX_NAME_LENGTH].lower():
            return NO_GUARDS
        waiting, names = [*call.arguments], set[str]()
        while waiting:
            each = innermost(waiting.pop())
            if each.type in {"array", "object"}:
                waiting += each.named()
            elif isinstance(each, Pair):
                waiting.append(each.value)
            elif (text := self._evaluator.text(each)) is not None:
                names.add(text)
        granted = frozenset(("", GRANTED, name) for name in names)
        return Guards(granted | {CONDITIONAL, OPEN_TEST} if names else granted)

    def where_called(self, function: Node, index: int) -> Guards:
        """Returns what holds wherever a function calls the parameter with an index, or passes it on.

        The failure is that of the calls, if it does nothing else with it.
        """
        function = innermost(function)
        if not isinstance(function, Function) or index >= len(function.parameters):
            return NO_GUARDS
        parameter = function.parameters[index]
        binding = None if is_rest(parameter) else self._evaluator.names.variable(pattern_of(parameter))
        if binding is None or len(binding.writes) != 1 or len(binding.uses) > MAX_USES:
            return NO_GUARDS
        uses = [each.item for each in binding.uses if each.role is Role.REFERENCE]
        guards = [*map(self._guards_at, uses)]
        is_called = bool(uses) and all(call_of(each) is not None for each in uses)
        failure = min(each.failure for each in guards) if is_called else FailureHandling.NONE
        return replace(self._common(guards), failure=failure)

    def _after_return(self, function: Function, depth: int) -> Guards:
        """Returns what holds after the promise is fulfilled that a function returns."""
        body, is_asynchronous = function.body, is_async(function)
        if body.type != "statement_block":
            return self.after_fulfillment(body, depth + 1)
        found = []
        for each in return_statements(self._evaluator, body):
            value, guards = each.first(), self._guards_at(each)
            if value is not None:
                inner = innermost(value)
                promise = inner.argument if isinstance(inner, AwaitExpression) else inner
                guards = _both(guards, self.after_fulfillment(promise, depth + 1))
            found.append(guards)
        if is_asynchronous and not completes_abruptly(body):
            found.append(self._guards_at_end(body))
        return self._common(found)


def _is_specific(fact: ApiPath) -> bool:
    """Whether a fact is about the browser, not about the data that a callback receives."""
    return is_script_independent(fact) or fact == BROWSER_TESTED or fact[1] == CONSTANT


def _both(one: Guards, other: Guards = NO_GUARDS) -> Guards:
    return Guards(one.tested | other.tested, missing=one.missing | other.missing)
