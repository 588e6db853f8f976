"""Finds which messages a listener handles, and `async` listeners that end at once for some of them.

    runtime.onMessage.addListener((message) => {
      if (message.type === "save") save(message);
      else console.warn("unknown message", message);
    });

This listener handles messages whose `type` is "save". It only writes others to the console.

    runtime.onMessage.addListener(async (message) => {
      if (message.type === "save") return save(message);
    });

Such a listener returns a promise for every message. The first answer counts, so that the one of another
listener, which takes longer, is lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct

from extlint.analysis.expressions.object_effects import only_describes
from extlint.analysis.facts.events import MessageTest
from extlint.analysis.facts.values import ApiResult, Delivery, Kind, Literal, options_of
from extlint.analysis.syntax.node import CLASSES, DECLARED_FUNCTIONS, Node
from extlint.analysis.syntax.nodes import (
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Function,
    IfStatement,
    SwitchCase,
    SwitchStatement,
    TryStatement,
    UnaryExpression,
)
from extlint.analysis.syntax.shapes import EQUAL, EQUALITY, combined_outcome, innermost, swapped
from extlint.analysis.timing.effects import is_generator
from extlint.analysis.values.evaluator import Evaluator

_MAX_DEPTH = 60
_DECLARATIONS = CLASSES | DECLARED_FUNCTIONS | {"empty_statement"}
_EFFECTS = frozenset(
    {
        "assignment_expression",
        "augmented_assignment_expression",
        "await_expression",
        "call_expression",
        "new_expression",
        "update_expression",
        "yield_expression",
    }
)
"""The expressions that may do something other than to compute a value."""


class _End(Enum):
    """The code after statements that do nothing: the next one, or the end of the switch or function."""

    NEXT = "next"
    BREAK = "break"
    RETURN = "return"


class _BusyError(Exception):
    """Raised where code may do something when a message comes that it does not name."""


def handled_messages(evaluator: Evaluator, listener: Function) -> frozenset[MessageTest] | None:
    """Returns the tests by which a listener chooses its messages.

    Returns None if it may do something with a message that passes none of them.
    """
    if is_generator(listener):
        return None
    reader = _Reader(evaluator)
    try:
        if listener.body.type == "statement_block":
            reader.through_all(listener.body.named(), 0)
        else:
            reader.through_expression(listener.body, 0)
    except _BusyError:
        return None
    return frozenset(reader.tests) or None


class _Reader:
    """Follows the code that runs for a message whose fields equal none of the texts in comparisons."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.tests: set[MessageTest] = set()

    def through_all(self, statements: Iterable[Node], depth: int) -> _End:
        for each in statements:
            end = self._through(each, depth + 1)
            if end is not _End.NEXT:
                return end
        return _End.NEXT

    def _through(self, statement: Node, depth: int) -> _End:
        match statement:
            case _ if depth > _MAX_DEPTH:
                raise _BusyError
            case IfStatement():
                return self._through_if(statement, depth)
            case SwitchStatement():
                return self._through_switch(statement, depth)
            case TryStatement(finalizer=None):
                return self._through(statement.body, depth)
            case Node(type="statement_block" | "else_clause"):
                return self.through_all(statement.named(), depth)
            case Node(type="break_statement"):
                return _End.BREAK
            case Node(type="return_statement"):
                self._through_parts(statement, depth)
                return _End.RETURN
            case Node(type="expression_statement" | "lexical_declaration" | "variable_declaration"):
                self._through_parts(statement, depth)
                return _End.NEXT
            case Node() if statement.type in _DECLARATIONS:
                return _End.NEXT
        raise _BusyError

    def _through_if(self, statement: IfStatement, depth: int) -> _End:
        self.through_expression(statement.condition, depth + 1)
        outcome = self._outcome(statement.condition)
        other = statement.alternative
        ends = set()
        if outcome is not False:
            ends.add(self._through(statement.consequence, depth + 1))
        if outcome is not True:
            ends.add(_End.NEXT if other is None else self._through(other, depth + 1))
        # Code after the statement runs unless each branch leaves it.
        return ends.pop() if len(ends) == 1 else _End.NEXT

    def _through_switch(self, statement: SwitchStatement, depth: int) -> _End:
        self.through_expression(statement.value, depth + 1)
        cases = [*statement.body.named()]
        known = [each for each in cases if isinstance(each, SwitchCase)]
        if not all(self._add_tests(statement.value, each.value) for each in known):
            for each in cases:
                self.through_all(each.named()[isinstance(each, SwitchCase) :], depth)
            return _End.NEXT
        first = next((at for at, each in enumerate(cases) if each.type == "switch_default"), len(cases))
        for each in cases[first:]:
            end = self.through_all(each.named()[isinstance(each, SwitchCase) :], depth)
            if end is not _End.NEXT:
                return _End.NEXT if end is _End.BREAK else end
        return _End.NEXT

    def through_expression(self, expression: Node, depth: int) -> None:
        """Raises an error unless an expression only computes a value or writes to the console."""
        item = innermost(expression)
        if depth > _MAX_DEPTH:
            raise _BusyError
        match item:
            case Function():
                return
            case BinaryExpression(operator="&&" | "||"):
                self.through_expression(item.left, depth + 1)
                if self._outcome(item.left) is not (item.operator == "||"):
                    self.through_expression(item.right, depth + 1)
                return
            case ConditionalExpression():
                self.through_expression(item.condition, depth + 1)
                outcome = self._outcome(item.condition)
                for branch, needed in ((item.consequence, True), (item.alternative, False)):
                    if outcome is not (not needed):
                        self.through_expression(branch, depth + 1)
                return
            case CallExpression() if isinstance(innermost(item.callee), Function) and not item.arguments:
                body = innermost(item.callee).field("body")
                if body is None or body.type != "statement_block":
                    raise _BusyError
                self.through_all(body.named(), depth + 1)
                return
            case CallExpression() if only_describes(self._evaluator, item):
                self._through_parts(item, depth)
                return
        if item.type in _EFFECTS:
            raise _BusyError
        self._through_parts(item, depth)

    def _through_parts(self, node: Node, depth: int) -> None:
        for each in node.named():
            self.through_expression(each, depth + 1)

    def _outcome(self, condition: Node) -> bool | None:
        return combined_outcome(condition, lambda each, _: self._outcome_of(each))

    def _outcome_of(self, condition: Node) -> bool | None:
        """Returns the outcome of a comparison of a message with other texts, or None."""
        if not isinstance(condition, BinaryExpression) or condition.operator not in EQUALITY:
            return None
        for subject, value, _ in swapped(condition):
            if self._add_tests(subject, value):
                return condition.operator not in EQUAL
        return None

    def _add_tests(self, subject: Node, value: Node) -> bool:
        """Adds the tests that a comparison makes; false if it does not compare a message with texts."""
        of = self._evaluator.value(innermost(subject))
        if not isinstance(of, ApiResult) or of.path[-1] != "onMessage" or len(of.steps) > 1:
            return False
        if of.delivery is not Delivery.LISTENER or of.index:
            return False
        tests = set()
        for each in options_of(self._evaluator.value(innermost(value))):
            if not isinstance(each, Literal) or each.kind is not Kind.STRING:
                return False
            tests.add(MessageTest("".join(of.steps), each.value))
        self.tests |= tests
        return bool(tests)


_EQUALITIES = {"!=": False, "!==": False, "==": True, "===": True}
"""The operators that compare, and whether they are true of equal values."""

_MAX_IGNORED_DEPTH = 100
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
        case _ if depth > _MAX_IGNORED_DEPTH:
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
