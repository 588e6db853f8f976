"""Determines whether the failure of a call is lost: no code handles it, and none seems to prevent it.

A promise that is rejected reaches whoever awaits or returns it, and then the callers of that function. It is
lost where one of them ignores it: in a statement, and as the result of a listener, a timer or a callback.

    button.onclick = () => send();                                   lost
    async function send() { await chrome.tabs.sendMessage(1, "x"); }

Verified in Firefox 153 and Chromium 156 (`extlint_judge unhandled-failures`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

from extlint.analysis.call_graph.callers import entry_points_of
from extlint.analysis.call_graph.prototypes import called_name
from extlint.analysis.facts.script_facts import SENDING, ApiPath
from extlint.analysis.facts.values import Kind, Literal, ObjectValue, Value, is_nullish
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import AwaitExpression, CallExpression, Function, TryStatement
from extlint.analysis.syntax.shapes import call_of, call_with_argument, enclosing_function, outermost, user_of
from extlint.analysis.syntax.tree import nodes_outside_functions
from extlint.analysis.trace.escapes import is_listener_without_result
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import chained_calls, fulfilling_uses, is_caught
from extlint.text.patterns import lazy

_MAX_FUNCTIONS = 20
_ERROR = b"lastError"
_TAB = lazy(
    rb"(?i)(?:url|href|host|hostname|domain|origin)\b[\])!?]*\s*"
    rb"(?:[)?]|&&|\|\||[=!]==?|\.\s*(?:endsWith|host|hostname|href|includes|indexOf|match|origin|protocol"
    rb"|replace|search|slice|split|startsWith|substr|toLowerCase))"
    rb"|\b(?:can|has|is|should|check|valid|support|allow|restrict)\w*\(\s*\w*tab"
    rb"|(?<![\w$])(?:executeScript|insertCSS|(?:ensure|inject|ping)\w*)\((?![^()]*\)\s*\{)"
)
"""Code that tests the address of a tab, seems to test it in a function, or injects something before.

The definition of a function that does so does not count: `inject() {`.
"""

_PAGE = lazy(
    rb"(?i)open\w*\s*(?:[()?]|&&|\|\||[=!]==?)|getContexts|getViews|connect|\bports?\b|(?:tabs|windows)\.create"
)
"""Code that opens a page of the extension, or finds out whether one is open."""


def loses_failure(evaluator: Evaluator, path: ApiPath, call: CallExpression) -> bool:
    """Whether nothing handles the failure of a call on some path, and no code before seems to prevent it."""
    arguments = call.arguments
    if may_have_callback(path, [*map(evaluator.value, arguments)]):
        is_lost = _is_error_unread(evaluator, arguments[-1])
    else:
        is_lost = _is_promise_lost(evaluator, call, set())
    return is_lost and not _is_preceded(evaluator, _PAGE if path[0] == "runtime" else _TAB, call, set())


def may_have_callback(path: ApiPath, arguments: Sequence[Value]) -> bool:
    """Whether the last argument of a call may be a callback.

    A message comes after a tab, or after `null` in place of the id of another extension.
    """
    required = 2 if path == SENDING or any(map(is_nullish, arguments[:1])) else 1
    last = arguments[-1] if len(arguments) > required else Literal(Kind.NULL)
    return not isinstance(last, ObjectValue) and not is_nullish(last)


def _is_error_unread(evaluator: Evaluator, callback: Node) -> bool:
    """Whether a callback certainly does not read `runtime.lastError`."""
    function = evaluator.definition_of(callback)
    if not isinstance(function, Function):
        return _fulfills_promise(evaluator, callback)
    text, body = evaluator.tree.text, nodes_outside_functions(evaluator.tree, function.body)
    called = (evaluator.definition_of(each.callee) for each in body if isinstance(each, CallExpression))
    return not any(_ERROR in text[each.start : each.end] for each in chain((function,), called) if each)


def _fulfills_promise(evaluator: Evaluator, callback: Node) -> bool:
    """Whether a callback is the function that fulfills the promise of the `new Promise` around it."""
    calls = (call_with_argument(outermost(up)) for up in callback.ancestors() if isinstance(up, Function))
    promises = (each for each in calls if each is not None)
    uses = (use.item for each in promises for use in fulfilling_uses(evaluator, each))
    return any(outermost(each).same(callback) for each in uses)


def _is_promise_lost(evaluator: Evaluator, promise: Node, entered: set[int]) -> bool:
    """Whether nothing handles the rejection of a promise that an expression gives, perhaps in an array."""
    if is_caught(evaluator, promise):
        return False
    for name, call in chained_calls(evaluator, promise):
        if name not in PROMISE_METHODS:
            return False
        promise = call
    used = user_of(promise)
    match used:
        case None | (Node(type="expression_statement" | "unary_expression"), _):
            return True
        case (AwaitExpression() as wait, _):
            return not _is_tried(wait) and _is_result_lost(evaluator, enclosing_function(wait), entered)
        case (Node(type="arrow_function" | "return_statement"), child):
            return _is_result_lost(evaluator, enclosing_function(child), entered)
        case (Node(type="array") as promises, _):
            return _is_promise_lost(evaluator, promises, entered)
        case (Node(type="arguments", parent=CallExpression() as call), _):
            is_all = evaluator.tree.source(call.callee) == "Promise.all"
            return is_all and _is_promise_lost(evaluator, call, entered)
    return False


def _is_tried(wait: Node) -> bool:
    """Whether a `try` in the function of a place catches its failure."""
    around = takewhile(lambda up: not isinstance(up, Function), wait.ancestors())
    tries = (up for up in around if isinstance(up, TryStatement) and up.body.contains(wait))
    return any(each.handler is not None for each in tries)


def _is_result_lost(evaluator: Evaluator, function: Function | None, entered: set[int]) -> bool:
    """Whether some code that runs a function, or the script, ignores the promise that it returns."""
    if function is None:
        return True
    if function.id in entered or len(entered) >= _MAX_FUNCTIONS:
        return False
    entered.add(function.id)
    places = chain((function,), _uses(evaluator, function))
    return any(_is_ignored_at(evaluator, each, entered) for each in places)


def _is_ignored_at(evaluator: Evaluator, item: Node, entered: set[int]) -> bool:
    """Whether the code at an expression runs a function, and ignores the promise that it returns."""
    call = call_of(item)
    if call is not None:
        return _is_promise_lost(evaluator, call, entered)
    if is_listener_without_result(evaluator, item):
        return True
    taking = call_with_argument(outermost(item))
    if not isinstance(taking, CallExpression):
        return False
    name = called_name(evaluator, taking)
    if name == "map" or name in PROMISE_METHODS:
        return _is_promise_lost(evaluator, taking, entered)
    return name == "forEach"


def _is_preceded(evaluator: Evaluator, pattern: re.Pattern[bytes], place: Node, entered: set[int]) -> bool:
    """Whether code that a pattern matches comes before a place, in its statement or before all callers."""
    around = [*place.ancestors()]
    start = around[-2].start
    evaluator.tree.spend_search(place.start - start)
    if pattern.search(evaluator.tree.text, start, place.start) is not None:
        return True
    functions = [up for up in around if isinstance(up, Function) and up.id not in entered]
    entered.update(each.id for each in functions)
    if len(entered) > _MAX_FUNCTIONS:
        return True
    callers = ([*_uses(evaluator, each)] for each in functions)
    return any(
        uses and all(_is_preceded(evaluator, pattern, use, entered) for use in uses) for uses in callers
    )


def _uses(evaluator: Evaluator, function: Function) -> Iterator[Node]:
    """Yields the places in other functions where a function is called or passed on."""
    for entry in entry_points_of(evaluator, function):
        if entry.direct:
            yield from (use for use in entry.uses if not function.contains(use))
