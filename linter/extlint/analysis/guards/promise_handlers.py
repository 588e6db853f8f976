"""Determines how a failure is handled in code that a promise runs, or that a compiler generated for `async`.

Reads `try` statements of generators that a compiler turned into the cases of a `switch`.

Babel stores their table next to the function, and marks in the function where each one begins:

    wrap(function (e) { for (;;) switch (e.prev = e.next) {
      case 0: return e.prev = 0, e.next = 3, work();
      case 3: return e.abrupt("return", e.sent);
      case 6: return e.prev = 6, e.t0 = e.catch(0), log(e.t0), e.abrupt("return", null);
    } }, outer, this, [[0, 6]])

TypeScript adds an entry to the table where one begins: `e.trys.push([0, 2, , 3])`. The first number of an
entry is the case in which the block begins, the second the case in which its handler begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import FailureHandling
from extlint.analysis.guards.error_handlers import ReportingCode, names_in
from extlint.analysis.guards.try_catch import MAX_HANDLER_BYTES
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    Function,
    NewExpression,
    SwitchCase,
    SwitchStatement,
)
from extlint.analysis.syntax.shapes import call_with_argument, enclosing_function, innermost, outermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.promise_values import catching_call
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy


def handling_of_callee(evaluator: Evaluator, call: CallExpression) -> FailureHandling:
    """Returns how a failure in the function that a call runs is handled, by its promise.

    A member of the API that is missing throws at once, and so does a function that is not asynchronous.
    """
    return _handling(evaluator, call) if _is_asynchronous(evaluator, call) else FailureHandling.NONE


def handling_of_callback(evaluator: Evaluator, function: Node) -> FailureHandling:
    """Returns how a failure in a function that a promise runs is handled, by its later methods."""
    call = call_with_argument(outermost(function))
    callee = None if call is None else innermost(call.callee)
    runs = isinstance(callee, AccessExpression) and key_of(evaluator, callee) in PROMISE_METHODS
    is_executor = isinstance(call, NewExpression) and evaluator.names.is_global(call.callee, {"Promise"})
    return _handling(evaluator, call) if call is not None and (runs or is_executor) else FailureHandling.NONE


def _handling(evaluator: Evaluator, promise: Node) -> FailureHandling:
    """Returns how the failure of a promise is handled, unless its handler only reports it."""
    call = catching_call(evaluator, promise)
    is_catch = call is not None and key_of(evaluator, call.callee) == "catch"
    handlers = () if call is None else call.arguments[:1] if is_catch else call.arguments[1:2]
    return _handling_by(evaluator, handlers[0]) if handlers else FailureHandling.NONE


def _handling_by(evaluator: Evaluator, handler: Node) -> FailureHandling:
    function = evaluator.definition_of(handler)
    if not isinstance(function, Function):
        return FailureHandling.NONE
    body = function.body
    statements = body.named() if body.type == "statement_block" else [body]
    if not statements:
        return FailureHandling.SWALLOWED
    names = (names_in(evaluator.tree, each) for each in function.parameters)
    reporting = ReportingCode(evaluator.tree, frozenset().union(*names))
    is_reporting = (
        reporting.is_reporting_statement
        if body.type == "statement_block"
        else reporting.is_reporting_expression
    )
    only_reports = body.end - body.start <= MAX_HANDLER_BYTES and all(map(is_reporting, statements))
    return FailureHandling.NONE if only_reports else FailureHandling.RECOVERED


def _is_asynchronous(evaluator: Evaluator, call: CallExpression) -> bool:
    """Whether the called function is asynchronous, or has a name, is unknown and not a member of the API."""
    definition = evaluator.definition_of(call.callee)
    if isinstance(definition, Function):
        return definition.has_token("async")
    named: Node = innermost(call.callee)
    while isinstance(named, AccessExpression):
        named = innermost(named.object)
    return named.type in {"identifier", "this"} and evaluator.api(call.callee) is None


_STATE = lazy(r"\(?\s*([\w$]+)\.(?:prev\s*=\s*\1\.next|p\s*=\s*\1\.n|n|label)\s*\)?")
"""Matches the value of a generator's `switch`, with the name of the object that stores its state."""

_ENTRY = r"\[\s*(\d+)\s*,\s*(\d+)\s*(?:,[\s\d,]*)?\]"
_ENTRIES = lazy(_ENTRY)
_STATE_UPDATE = lazy(
    r"[\w$]+\.(?:prev|next|p|n)\s*=[^=].*"
    r"|[\w$.]+\s*=\s*[\w$]+\.(?:catch\(\d+\)|sent\(\)|v)"
    r"|[\w$]+\.(?:stop|finish|f)\(\d*\)"
    r"|[\w$]+\.(?:abrupt\(\s*[\"']return[\"']|a\(\s*2)\s*(?:,\s*(?:void 0|undefined)\s*)?\)"
    r"|\[\s*[23]\s*(?:/\*[^*]*\*/)?\s*(?:,\s*\d+\s*)?\]"
)
_RETURNING = lazy(r"(?s).*(?:\.abrupt\(\s*[\"']return|\.a\(\s*2\b|\breturn\s*\[\s*2\b)")


class _Block(Struct, frozen=True):
    """The byte offsets where a `try` block and its handler begin, and how the handler handles a failure."""

    start: int
    handler: int
    handling: FailureHandling


class CompiledTryReader:
    """Reads the compiled `try` statements of one script."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._blocks: dict[int, Sequence[_Block]] = {}

    def failure_handling(self, statement: Node, case: Node) -> FailureHandling:
        """Returns how a failure in a statement of a case is handled."""
        body = case.parent
        if body is None:
            return FailureHandling.NONE
        if body.id not in self._blocks:
            self._blocks[body.id] = tuple(self._blocks_in(body))
        around = (each for each in self._blocks[body.id] if each.start < statement.end <= each.handler)
        return max((each.handling for each in around), default=FailureHandling.NONE)

    def _blocks_in(self, body: Node) -> Iterator[_Block]:
        switch = body.parent
        state = (
            _STATE.fullmatch(self._tree.source(switch.value)) if isinstance(switch, SwitchStatement) else None
        )
        if state is None:
            return
        cases = [each for each in body.named() if each.type in {"switch_case", "switch_default"}]
        by_number = {
            self._tree.source(each.value): at for at, each in enumerate(cases) if isinstance(each, SwitchCase)
        }
        for start, second in self._entries(body, state[1]):
            at = by_number.get(second)
            if at and start < cases[at].start:
                yield _Block(start, cases[at].start, self._handling_of(cases, at))

    def _entries(self, body: Node, state: str) -> Iterator[tuple[int, str]]:
        """Yields the offsets where blocks begin, and the cases of their handlers."""
        self._tree.spend_search(body.end - body.start)
        begin = re.compile(
            rb"(?<![\w$.])%b\.(?:(?:prev|p)\s*=\s*(\d+)|trys\.push\(\s*%b)"
            % (re.escape(state.encode()), _ENTRY.encode())
        )
        table = self._table(body)
        for found in begin.finditer(self._tree.text, body.start, body.end):
            first, _, second = (None if each is None else each.decode() for each in found.groups())
            second = table.get(first) if second is None and first is not None else second
            if second is not None:
                yield found.start(), second

    def _table(self, body: Node) -> dict[str, str]:
        """Returns the table that Babel stores next to the function: handler cases by block cases."""
        function = enclosing_function(body)
        call = None if function is None else call_with_argument(outermost(function))
        last = call.arguments[-1] if call is not None and len(call.arguments) == 4 else None
        if last is None or last.type != "array":
            return {}
        return dict(_ENTRIES.findall(self._tree.source(last)))

    def _handling_of(self, cases: Sequence[Node], at: int) -> FailureHandling:
        """Returns how the handler that begins with a case handles a failure."""
        handler = cases[at]
        if handler.end - handler.start > MAX_HANDLER_BYTES:
            return FailureHandling.RECOVERED
        reporting = ReportingCode(self._tree, _names_of_errors(self._tree.source(handler)))
        steps = [each for each in self._steps(handler) if not self._updates_state(each)]
        if not all(
            each.type == "throw_statement" or reporting.is_reporting_expression(each) for each in steps
        ):
            return FailureHandling.RECOVERED
        returns = _RETURNING.match(self._tree.source(cases[at - 1])) is not None
        after = cases[at + 1 :]
        if returns and any(not self._updates_state(step) for case in after for step in self._steps(case)):
            return FailureHandling.RECOVERED
        return FailureHandling.REPORTED if steps else FailureHandling.SWALLOWED

    def _steps(self, case: Node) -> Iterator[Node]:
        """Yields the expressions and other statements of a case, one by one."""
        waiting = [each for each in reversed(case.named()) if not each.is_field("value")]
        while waiting:
            step = innermost(waiting.pop())
            match step.type:
                case "expression_statement" | "return_statement" | "sequence_expression":
                    waiting += reversed(step.named())
                case "comment" | "empty_statement" | "break_statement":
                    pass
                case _:
                    yield step

    def _updates_state(self, step: Node) -> bool:
        return _STATE_UPDATE.fullmatch(self._tree.source(step)) is not None


def _names_of_errors(handler: str) -> frozenset[str]:
    """Returns the names that a handler has for its error: a variable, or the object that stores the state."""
    return frozenset(
        re.findall(r"(?<![\w$])([\w$]+)(?:\.\w+)?\s*=\s*[\w$]+\.(?:catch\(|sent\(|v\b)", handler)
    )
