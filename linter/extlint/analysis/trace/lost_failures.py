"""Determines whether any code handles the failure of a call of the API.

A promise that is rejected reaches whoever awaits or returns it, and then the callers of that function. It is
lost where one of them ignores it: in a statement, and as the result of a listener, a timer or a callback.

    button.onclick = () => send();                                   lost
    async function send() { await chrome.tabs.sendMessage(1, "x"); }

Verified in Firefox 153 and Chromium 156 (`extlint_judge unhandled-failures`).
"""

from __future__ import annotations

from extlint.analysis.call_graph.callers import entry_points_of
from extlint.analysis.facts.script_facts import MESSAGE_EVENTS, ApiPath
from extlint.analysis.facts.values import FunctionValue, ObjectValue, is_nullish
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    AwaitExpression,
    BinaryExpression,
    CallExpression,
    CatchClause,
    ConditionalExpression,
    Function,
    NewExpression,
    TryStatement,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    pattern_of,
)
from extlint.analysis.syntax.tree import nodes_outside_functions
from extlint.analysis.values.api_results import result_of
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import catching_call, chained_calls
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_MAX_DEPTH = 8
_ERROR = b"lastError"
_DROPPING = frozenset(
    {"forEach", "queueMicrotask", "requestAnimationFrame", "requestIdleCallback", "setInterval", "setTimeout"}
)
"""Functions that ignore the result of their first argument."""

_ALL = frozenset({"all", "any", "race"})
_HANDLER = lazy(r"on[A-Z]\w*")


class LostFailures:
    """Finds the calls of one script whose failure is lost."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._entered: set[int] = set()

    def is_lost(self, call: CallExpression, index: int) -> bool:
        """Whether the failure of a call is lost on some path.

        The last argument may be a callback if its index is at least this one.
        """
        arguments = call.arguments
        last = arguments[-1] if len(arguments) > index else None
        if any(each.type == "spread_element" for each in arguments):
            return False
        if last is not None:
            value = self._evaluator.value(last)
            if isinstance(value, FunctionValue):
                return self._is_error_unread(self._evaluator.definition_of(last))
            if self._is_settling(last):
                return True
            if not (isinstance(value, ObjectValue) or is_nullish(value)):
                return False
        self._entered.clear()
        return self._is_promise_lost(call)

    def _is_error_unread(self, callback: Node | None) -> bool:
        """Whether a callback certainly does not read `runtime.lastError`."""
        if not isinstance(callback, Function) or self._reads_error(callback):
            return False
        for each in nodes_outside_functions(self._evaluator.tree, callback.body):
            if isinstance(each, CallExpression) and self._evaluator.api(each.callee) is None:
                called = self._evaluator.definition_of(each.callee)
                if called is not None and self._reads_error(called):
                    return False
        return True

    def _reads_error(self, function: Node) -> bool:
        return _ERROR in self._evaluator.tree.text[function.start : function.end]

    def _is_settling(self, callback: Node) -> bool:
        """Whether a callback is a parameter of the function that `new Promise` runs."""
        name = innermost(callback)
        binding = self._evaluator.names.variable(name) if name.type == "identifier" else None
        for up in name.ancestors() if binding is not None else ():
            if isinstance(up, Function):
                made = call_with_argument(outermost(up))
                if isinstance(made, NewExpression) and self._evaluator.names.is_global(
                    made.callee, {"Promise"}
                ):
                    return any(
                        self._evaluator.names.variable(pattern_of(each)) is binding for each in up.parameters
                    )
        return False

    def _is_promise_lost(self, promise: Node) -> bool:
        """Whether nothing handles the rejection of a promise that an expression gives."""
        if catching_call(self._evaluator, promise) is not None:
            return False
        for name, call in chained_calls(self._evaluator, promise):
            if name not in PROMISE_METHODS:
                return False
            promise = call
        whole = outermost(promise)
        up = whole.parent
        match up:
            case Node(type="expression_statement"):
                return True
            case AwaitExpression():
                function = enclosing_function(up)
                return not _is_tried(up) and (function is None or self._is_result_lost(function))
            case Node(type="arrow_function" | "return_statement"):
                function = enclosing_function(whole)
                return function is not None and self._is_result_lost(function)
            case UnaryExpression(operator="void"):
                return True
            case BinaryExpression(is_logical=True) if whole.is_field("right"):
                return self._is_promise_lost(up)
            case ConditionalExpression() if not whole.is_field("condition"):
                return self._is_promise_lost(up)
            case Node(type="sequence_expression"):
                return not whole.is_last() or self._is_promise_lost(up)
            case Node(type="array"):
                return self._is_list_lost(up)
        return False

    def _is_list_lost(self, promises: Node) -> bool:
        """Whether nothing handles the rejection of one of several promises in a list."""
        call = call_with_argument(outermost(promises))
        callee = None if call is None else innermost(call.callee)
        if call is None or not isinstance(callee, AccessExpression):
            up = outermost(promises).parent
            return up is not None and up.type == "expression_statement"
        is_all = key_of(self._evaluator, callee) in _ALL
        return (
            is_all and self._evaluator.tree.source(callee.object) == "Promise" and self._is_promise_lost(call)
        )

    def _is_result_lost(self, function: Function) -> bool:
        """Whether some code that runs a function ignores the promise that it returns."""
        if function.id in self._entered or len(self._entered) >= _MAX_DEPTH:
            return False
        self._entered.add(function.id)
        if self._is_ignored_at(function):
            return True
        return any(
            self._is_ignored_at(use)
            for entry in entry_points_of(self._evaluator, function)
            if entry.direct
            for use in entry.uses
        )

    def _is_ignored_at(self, item: Node) -> bool:
        """Whether the code at an expression runs a function, and ignores the promise that it returns."""
        whole = outermost(item)
        call = call_of(item)
        if call is not None:
            return self._is_promise_lost(call)
        up = whole.parent
        if isinstance(up, AssignmentExpression) and whole.is_field("right"):
            name = key_of(self._evaluator, up.left) if isinstance(up.left, AccessExpression) else None
            return name is not None and name.startswith("on") and name.islower()
        if up is not None and up.type == "jsx_expression":
            attribute = up.parent
            name_node = None if attribute is None else attribute.first()
            return (
                name_node is not None
                and _HANDLER.fullmatch(self._evaluator.tree.source(name_node)) is not None
            )
        taking = call_with_argument(whole)
        if taking is None:
            return False
        return self._is_ignored_by(taking, index_of(taking.arguments, whole) or 0)

    def _is_ignored_by(self, call: Node, index: int) -> bool:
        """Whether a function ignores the promise that its argument with an index returns."""
        if isinstance(call, NewExpression):
            return index == 0 and self._evaluator.names.is_global(call.callee, {"Promise"})
        if not isinstance(call, CallExpression):
            return False
        api = self._evaluator.api(call.callee)
        if api is not None and len(api.path) > 1:
            return api.path[-1] != "addListener" or (index == 0 and _drops_results(api.path[:-1]))
        callee = innermost(call.callee)
        name = (
            key_of(self._evaluator, callee)
            if isinstance(callee, AccessExpression)
            else self._evaluator.names.global_name(callee)
        )
        if name in PROMISE_METHODS and isinstance(callee, AccessExpression):
            return self._is_promise_lost(call)
        if name == "map":
            return self._is_list_lost(call)
        if name == "addListener":
            return result_of(self._evaluator.value(callee)) is not None
        return (name in _DROPPING and index == 0) or (name == "addEventListener" and index == 1)


def _drops_results(event: ApiPath) -> bool:
    """Whether an event ignores the results of its listeners."""
    return event not in MESSAGE_EVENTS and event[0] != "webRequest"


def _is_tried(wait: Node) -> bool:
    """Whether a `try` in the function of a place catches its failure."""
    below = wait
    for up in wait.ancestors():
        if isinstance(up, Function):
            return False
        if isinstance(up, TryStatement) and below.is_field("body") and isinstance(up.handler, CatchClause):
            return True
        below = up
    return False
