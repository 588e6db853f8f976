"""Finds `async` message listeners that end at once for some messages, and so answer them with `undefined`.

    runtime.onMessage.addListener(async (message) => {
      if (message.type === "save") return save(message);
    });

Such a listener returns a promise for every message. The first answer counts, so that the one of another
listener, which takes longer, is lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from msgspec import Struct

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    BinaryExpression,
    Function,
    IfStatement,
    SwitchStatement,
    TryStatement,
)

_EQUALITIES = frozenset({"!=", "!==", "==", "==="})
_MAX_DEPTH = 100
_NOTHING = frozenset({"false", "null", "undefined"})


class _Paths(Struct, frozen=True):
    """Whether code may be passed, and may end its function without a response, without any wait before."""

    passes: bool
    ends: bool = False


_PASSED = _Paths(True)
_WAITS = _Paths(False)


def ends_at_once(listener: Function, waits: Sequence[Node]) -> bool:
    """Whether an `async` listener, given its waits, may end without a response before it waits.

    An end does not count where nothing depends on what the message says, such as a test of the sender.
    """
    if not listener.has_token("async") or listener.body.type != "statement_block":
        return False
    found = _in_order(listener.body.named(), sorted(each.start for each in waits))
    return found.passes or found.ends


def _in_order(statements: Iterable[Node], waits: Sequence[int], depth: int = 0) -> _Paths:
    ends = False
    for each in statements:
        if each.type == "break_statement":
            break
        found = _through(each, waits, depth + 1)
        ends = ends or found.ends
        if not found.passes:
            return _Paths(False, ends)
    return _Paths(True, ends)


def _through(statement: Node, waits: Sequence[int], depth: int) -> _Paths:
    match statement:
        case _ if depth > _MAX_DEPTH:
            return _WAITS
        case IfStatement():
            return _through_if(statement, waits, depth)
        case SwitchStatement():
            return _through_switch(statement, waits, depth)
        case TryStatement():
            return _through(statement.body, waits, depth)
        case Node(type="statement_block" | "else_clause"):
            return _in_order(statement.named(), waits, depth)
        case Node(type="return_statement"):
            value = statement.first()
            return _Paths(False, value is None or value.type in _NOTHING)
        case Node(type="throw_statement"):
            return _WAITS
    return _WAITS if _has_wait(statement, waits) else _PASSED


def _through_if(statement: IfStatement, waits: Sequence[int], depth: int) -> _Paths:
    if _has_wait(statement.condition, waits):
        return _WAITS
    branch, other = statement.consequence, statement.alternative
    branches = (
        _through(branch, waits, depth),
        _PASSED if other is None else _through(other, waits, depth),
    )
    is_about_text = _compares_text(statement.condition)
    ends = is_about_text and any(each.ends for each in branches)
    return _Paths(any(each.passes for each in branches), ends)


def _through_switch(statement: SwitchStatement, waits: Sequence[int], depth: int) -> _Paths:
    if _has_wait(statement.value, waits):
        return _WAITS
    cases = [*statement.body.named()]
    branches = [_in_order(each.named()[each.type == "switch_case" :], waits, depth) for each in cases]
    passes = not any(each.type == "switch_default" for each in cases) or any(each.passes for each in branches)
    return _Paths(passes, any(each.ends for each in branches))


def _compares_text(condition: Node) -> bool:
    """Whether a condition compares something with a string."""
    waiting = [condition]
    while waiting:
        each = waiting.pop()
        if isinstance(each, BinaryExpression):
            if each.operator in _EQUALITIES and "string" in (each.left.type, each.right.type):
                return True
            waiting += [each.left, each.right]
        elif each.type in ("parenthesized_expression", "unary_expression"):
            waiting += each.named()
    return False


def _has_wait(node: Node, waits: Sequence[int]) -> bool:
    """Whether one of the waits, which are sorted offsets, is in a node."""
    at = bisect_left(waits, node.start)
    return at < len(waits) and waits[at] < node.end
