"""Determines how a `try` handles a failure in its block: whether it does something else instead.

An error handler may also extract values from the text of an error, to learn about the browser.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.script_facts import FailureHandling
from extlint.analysis.guards.error_handlers import ReportingCode, mentions, names_in
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    CatchClause,
    ConditionalExpression,
    DoStatement,
    ForStatement,
    Function,
    IfStatement,
    MemberExpression,
    TryStatement,
    VariableDeclarator,
    WhileStatement,
)
from extlint.analysis.syntax.shapes import EXITS, assigned_parts, innermost
from extlint.analysis.syntax.tree import SyntaxTree, nodes_outside_functions

_EXTRACTING_METHODS = frozenset({"exec", "match", "matchAll", "split"})
"""Methods that return parts of a text; `includes` and `startsWith` only distinguish failures."""

_TESTING = frozenset({"binary_expression", "if_statement", "ternary_expression", "unary_expression"})
_WRAPPERS = frozenset({"non_null_expression", "parenthesized_expression"})


def inspects_error(tree: SyntaxTree, body: Node, names: frozenset[str]) -> bool:
    """Whether the body of a handler extracts parts of the text of its error, which has one of the names.

    A condition that tests such a part does not count: it distinguishes failures.
    """
    if not names:
        return False
    known = set(names)
    found = list(nodes_outside_functions(tree, body))
    for each in sorted(found, key=lambda item: item.start):
        match each:
            case VariableDeclarator(name=left, value=Node() as value):
                pass
            case AssignmentExpression(left=left, right=value):
                pass
            case CallExpression():
                if _extracts(tree, each, known) and not _is_tested(each):
                    return True
                continue
            case _:
                continue
        if left.type == "identifier" and mentions(tree, value, known):
            known |= names_in(tree, left)
    return False


def _extracts(tree: SyntaxTree, call: CallExpression, names: set[str]) -> bool:
    callee = call.callee
    if not isinstance(callee, MemberExpression) or tree.source(callee.property) not in _EXTRACTING_METHODS:
        return False
    return mentions(tree, call, names)


def _is_tested(call: Node) -> bool:
    above = next((up for up in call.ancestors() if up.type not in _WRAPPERS), None)
    return above is not None and above.type in _TESTING


MAX_HANDLER_BYTES = 2_000
"""The maximum number of bytes of a handler; a longer one does more than report a failure."""

_MAX_FOLLOWING_BYTES = 20_000
"""The maximum number of bytes of code after a `try` to search; longer code is assumed to test any
variable.
"""

_SILENT = frozenset({"comment", "empty_statement", "return_statement"})
_BODIES = frozenset({"program", "statement_block"})
_CONSTANTS = frozenset({"number", "string", "template_string"})


class _Place(Struct, frozen=True, eq=False):
    """The surroundings of a node in its function.

    The code that follows is the `siblings` from `index` on, and then the code that follows `outer`.
    """

    function: int = 0
    in_loop: bool = False
    siblings: Sequence[Node] = ()
    index: int = 0
    outer: _Place | None = None


class _Assignments(Struct, frozen=True, eq=False):
    """The variables that are assigned in a part of a function, with the offsets of the assignments."""

    part: Node
    found: Sequence[tuple[int, str]]


class TryReader:
    """Reads the `try` statements of one script.

    Nested statements are read after the outer ones, and reuse the surroundings that both share.
    """

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._handling: dict[int, FailureHandling] = {}
        self._places: dict[int, _Place] = {}
        self._statements: dict[int, Sequence[Node]] = {}
        self._assignments: dict[int, _Assignments] = {}
        self._tested: dict[int, Set[str]] = {}

    def failure_handling(self, statement: TryStatement) -> FailureHandling:
        """Returns how a failure in the block of a `try` statement is handled."""
        if statement.id not in self._handling:
            self._handling[statement.id] = self._handling_of(statement)
        return self._handling[statement.id]

    def _handling_of(self, statement: TryStatement) -> FailureHandling:
        handler = statement.handler
        if not isinstance(handler, CatchClause):
            return FailureHandling.NONE
        body = handler.body
        if body.end - body.start > MAX_HANDLER_BYTES:
            return FailureHandling.RECOVERED
        names = names_in(self._tree, handler.parameter)
        if inspects_error(self._tree, body, names):
            return FailureHandling.INSPECTED
        reporting = ReportingCode(self._tree, names)
        reports = all(map(reporting.is_reporting_statement, body.named()))
        if (
            reports
            and not self._has_alternative(statement, reporting)
            and not self._is_outcome_tested(statement)
        ):
            if not all(each.type in _SILENT and each.first() is None for each in body.named()):
                return FailureHandling.REPORTED
            if not self._has_default(statement):
                return FailureHandling.SWALLOWED
        return FailureHandling.RECOVERED

    def _has_alternative(self, statement: TryStatement, reporting: ReportingCode) -> bool:
        """Whether code follows that only runs if the block of a `try` failed."""
        statements = statement.body.named()
        if not statements or statements[-1].type not in EXITS:
            return False
        place = self._place(statement)
        return place.in_loop or not all(map(reporting.is_reporting_statement, _following(place)))

    def _is_outcome_tested(self, statement: TryStatement) -> bool:
        """Whether the code that follows tests a variable that the block of a `try` assigns."""
        place = self._place(statement)
        if next(_following(place), None) is None:
            return False
        assigned = self._assigned_variables(statement.body, place.function)
        if not assigned:
            return False
        length = 0
        for each in _following(place):
            length += each.end - each.start
            if length > _MAX_FOLLOWING_BYTES or not assigned.isdisjoint(self._tested_words(each)):
                return True
        return False

    def _has_default(self, statement: TryStatement) -> bool:
        """Whether a variable that the block of a `try` assigns has another meaningful value before.

        Code that ignores the failure then uses that value instead.
        """
        place: _Place | None = self._place(statement)
        assigned = self._assigned_variables(statement.body, place.function if place else 0)
        while place is not None and assigned:
            for each in reversed(place.siblings[: place.index]):
                for part in each.named():
                    name, value = assigned_parts(part) or (part, None)
                    if value is not None and self._tree.source(name) in assigned:
                        return self._is_meaningful(value)
            place = place.outer
        return False

    def _is_meaningful(self, value: Node) -> bool:
        """Whether a constant value is not one that stands for nothing."""
        item = innermost(value)
        if isinstance(item, ConditionalExpression):
            return self._is_meaningful(item.consequence) and self._is_meaningful(item.alternative)
        return item.type in _CONSTANTS and self._tree.source(item).strip("\"'`0") != ""

    def _place(self, node: Node) -> _Place:
        passed: list[tuple[Node, Node]] = []
        while (place := self._places.get(node.id)) is None:
            up = node.parent
            if up is None or isinstance(up, Function):
                place = _Place(0 if up is None else up.id)
                break
            passed.append((node, up))
            node = up
        for child, up in reversed(passed):
            place = self._inside(place, child, up)
            self._places[child.id] = place
        return place

    def _inside(self, place: _Place, child: Node, up: Node) -> _Place:
        """Returns the surroundings of a node, given those of its parent."""
        if up.type in _BODIES:
            if up.id not in self._statements:
                self._statements[up.id] = up.named()
            siblings = self._statements[up.id]
            index = bisect_left(siblings, child.end, key=lambda each: each.start)
            if index < len(siblings):
                return _Place(place.function, place.in_loop, siblings, index, place)
        return place if place.in_loop or up.type not in LOOPS else replace(place, in_loop=True)

    def _assigned_variables(self, body: Node, function: int) -> Set[str]:
        """Returns the variables that a part of a function assigns."""
        known = self._assignments.get(function)
        if known is None or not known.part.contains(body):
            found = sorted(
                (each.start, self._tree.source(each.left))
                for each in nodes_outside_functions(self._tree, body)
                if isinstance(each, AssignmentExpression) and each.left.type == "identifier"
            )
            known = self._assignments[function] = _Assignments(body, found)
        first, last = (bisect_left(known.found, (at,)) for at in body.span)
        return {name for _, name in known.found[first:last]}

    def _tested_words(self, statement: Node) -> Set[str]:
        """Returns the words in the conditions that a statement tests."""
        if statement.id not in self._tested:
            tested = filter(None, map(_deciding_condition, nodes_outside_functions(self._tree, statement)))
            words = (re.findall(r"[\w$]+", self._tree.source(each)) for each in tested)
            self._tested[statement.id] = {word for found in words for word in found}
        return self._tested[statement.id]


def _following(place: _Place) -> Iterator[Node]:
    """Yields the statements that follow in the enclosing blocks, up to those of the function."""
    around: _Place | None = place
    while around is not None:
        for index in range(around.index, len(around.siblings)):
            yield around.siblings[index]
        around = around.outer


def _deciding_condition(node: Node) -> Node | None:
    """Returns the condition that decides which part of a statement or expression runs, or None."""
    match node:
        case IfStatement() | ConditionalExpression() | WhileStatement() | DoStatement() | ForStatement():
            return node.condition
        case BinaryExpression(is_logical=True):
            return node.left
    return None
