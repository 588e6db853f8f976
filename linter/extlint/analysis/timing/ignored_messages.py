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
    CallExpression,
    Function,
    IfStatement,
    SwitchStatement,
    TryStatement,
    UnaryExpression,
)

_EQUALITIES = {"!=": False, "!==": False, "==": True, "===": True}
"""The operators that compare, and whether they are true of equal values."""

_MAX_DEPTH = 100
_NOTHING = frozenset({"false", "null", "undefined"})


class _Paths(Struct, frozen=True):
    """Whether code may be passed, and may end its function without a response, without any wait before.

    `is_open` is whether messages may pass that are not one of a few which conditions name.
    """

    passes: bool
    ends: bool = False
    is_open: bool = True


_PASSED = _Paths(True)
_WAITS = _Paths(False)


class _Condition(Struct, frozen=True):
    """Whether a condition compares something with a string, and the branches for messages that it names.

    Other messages come to neither branch if it is a mixture, so that nothing is certain of them.
    """

    is_about_text: bool = False
    names_if_true: bool = False
    names_if_false: bool = False


def ends_at_once(listener: Function, waits: Sequence[Node]) -> bool:
    """Whether an `async` listener, given its waits, may end without a response before it waits.

    An end does not count where nothing depends on what the message says, such as a test of the sender, nor
    where only messages come that the listener itself names.
    """
    if not listener.has_token("async") or listener.body.type != "statement_block":
        return False
    found = _in_order(listener.body.named(), sorted(each.start for each in waits))
    return (found.passes and found.is_open) or found.ends


def _in_order(statements: Iterable[Node], waits: Sequence[int], depth: int = 0) -> _Paths:
    ends, is_open = False, True
    for each in statements:
        if each.type == "break_statement":
            break
        found = _through(each, waits, depth + 1)
        ends = ends or (found.ends and is_open)
        is_open = is_open and found.is_open
        if not found.passes:
            return _Paths(False, ends)
    return _Paths(True, ends, is_open)


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
    other, condition = statement.alternative, _read(statement.condition)
    branches = (
        (_through(statement.consequence, waits, depth), condition.names_if_true),
        (_PASSED if other is None else _through(other, waits, depth), condition.names_if_false),
    )
    ends = condition.is_about_text and any(each.ends and not is_named for each, is_named in branches)
    return _combined(branches, ends=ends)


def _through_switch(statement: SwitchStatement, waits: Sequence[int], depth: int) -> _Paths:
    if _has_wait(statement.value, waits):
        return _WAITS
    cases = [*statement.body.named()]
    branches = [
        (_in_order(each.named()[each.type == "switch_case" :], waits, depth), each.type == "switch_case")
        for each in cases
    ]
    if all(is_case for _, is_case in branches):
        branches.append((_PASSED, False))
    return _combined(branches, ends=any(each.ends and not is_case for each, is_case in branches))


def _combined(branches: Iterable[tuple[_Paths, bool]], *, ends: bool) -> _Paths:
    """Returns the paths through branches, each with whether only messages that are named come there."""
    passed = [each.is_open and not is_named for each, is_named in branches if each.passes]
    return _Paths(bool(passed), ends, any(passed))


def _read(condition: Node) -> _Condition:
    is_about_text, signs = False, set()
    waiting = [(condition, True)]
    while waiting:
        each, sign = waiting.pop()
        if isinstance(each, BinaryExpression) and each.operator in _EQUALITIES:
            is_about_text = is_about_text or "string" in (each.left.type, each.right.type)
            if not _NOTHING & {each.left.type, each.right.type}:
                signs.add(_EQUALITIES[each.operator] is sign)
        elif isinstance(each, BinaryExpression) and each.is_logical:
            waiting += [(each.left, sign), (each.right, sign)]
        elif isinstance(each, UnaryExpression) and each.operator == "!":
            waiting.append((each.argument, not sign))
        elif each.type == "parenthesized_expression":
            waiting += [(inner, sign) for inner in each.named()]
        elif isinstance(each, CallExpression):
            signs.add(sign)
    return _Condition(is_about_text, True in signs, False in signs)


def _has_wait(node: Node, waits: Sequence[int]) -> bool:
    """Whether one of the waits, which are sorted offsets, is in a node."""
    at = bisect_left(waits, node.start)
    return at < len(waits) and waits[at] < node.end
