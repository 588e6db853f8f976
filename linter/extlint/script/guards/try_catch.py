"""What a `try` does about a failure in its block: whether it has something to do instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from extlint.script.facts.script_facts import FailureHandling
from extlint.script.guards.error_handlers import ReportingCode, names_in
from extlint.script.guards.error_probes import inspects_error
from extlint.script.scope.reaching_definitions import LOOPS
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AssignmentExpression,
    BinaryExpression,
    CatchClause,
    ConditionalExpression,
    DoStatement,
    ForStatement,
    Function,
    IfStatement,
    TryStatement,
    WhileStatement,
)
from extlint.script.syntax.tree import SyntaxTree, parts

_MAX_HANDLER_BYTES = 2_000
"""Bytes of a handler; a longer one does more than to report a failure."""

_MAX_FOLLOWING_BYTES = 20_000
"""Bytes of code after a `try` that are looked at; in more of it something tests any variable."""

_EXITS = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
_BODIES = frozenset({"program", "statement_block"})


def failure_handling(tree: SyntaxTree, statement: TryStatement) -> FailureHandling:
    """What is done about a failure in the block of a `try` statement."""
    handler = statement.handler
    if not isinstance(handler, CatchClause):
        return FailureHandling.NONE
    body = handler.body
    if body.end - body.start > _MAX_HANDLER_BYTES:
        return FailureHandling.RECOVERED
    names = names_in(tree, handler.parameter)
    if inspects_error(tree, body, names):
        return FailureHandling.INSPECTED
    reporting = ReportingCode(tree, names)
    reports = all(map(reporting.is_statement, body.named()))
    if reports and not _has_alternative(statement, reporting) and not _is_outcome_tested(tree, statement):
        return FailureHandling.REPORTED
    return FailureHandling.RECOVERED


def _has_alternative(statement: TryStatement, reporting: ReportingCode) -> bool:
    """Whether something else follows that only runs if the block of a `try` failed."""
    statements = [each for each in statement.body.named() if each.type != "comment"]
    if not statements or statements[-1].type not in _EXITS:
        return False
    if any(up.type in LOOPS for up in _around(statement)):
        return True
    return not all(map(reporting.is_statement, _following(statement)))


def _is_outcome_tested(tree: SyntaxTree, statement: TryStatement) -> bool:
    """Whether what follows tests a variable that the block of a `try` assigns."""
    following = list(_following(statement))
    if not following:
        return False
    assigned = set(_assigned(tree, statement.body))
    if not assigned:
        return False
    if sum(each.end - each.start for each in following) > _MAX_FOLLOWING_BYTES:
        return True
    return any(_tests(tree, each, assigned) for each in following)


def _assigned(tree: SyntaxTree, block: Node) -> Iterator[str]:
    for each in parts(tree, block):
        if isinstance(each, AssignmentExpression) and each.left.type == "identifier":
            yield tree.source(each.left)


def _tests(tree: SyntaxTree, statement: Node, names: set[str]) -> bool:
    for each in parts(tree, statement):
        tested = _tested_by(each)
        if tested is not None and not names.isdisjoint(re.findall(r"[\w$]+", tree.source(tested))):
            return True
    return False


def _tested_by(node: Node) -> Node | None:
    """What decides which part of a statement or expression runs."""
    match node:
        case IfStatement() | ConditionalExpression() | WhileStatement() | DoStatement() | ForStatement():
            return node.condition
        case BinaryExpression(is_logical=True):
            return node.left
    return None


def _following(statement: Node) -> Iterator[Node]:
    """The statements that follow in the blocks around, up to those of the function."""
    for up in _around(statement):
        if up.type in _BODIES:
            yield from (each for each in up.named() if each.start >= statement.end)


def _around(statement: Node) -> Iterator[Node]:
    return takewhile(lambda up: not isinstance(up, Function), statement.ancestors())
