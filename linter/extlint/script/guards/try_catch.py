"""What a `try` does about what fails in its block: whether it has something to do instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from extlint.script.facts.script_facts import FailureHandling
from extlint.script.guards.error_handlers import Telling, names_in
from extlint.script.guards.error_probes import reads_text
from extlint.script.scope.reaching_definitions import LOOPS
from extlint.script.syntax.node import FUNCTIONS, Node
from extlint.script.syntax.tree import SyntaxTree, parts

_MAX_HANDLER_BYTES = 2_000
"""Bytes of a handler; a longer one does more than to say that something failed."""

_MAX_FOLLOWING_BYTES = 20_000
"""Bytes of code after a `try` that are looked at; in more of it something asks for any variable."""

_LEAVING = frozenset({"break_statement", "continue_statement", "return_statement", "throw_statement"})
_BODIES = frozenset({"program", "statement_block"})


def failure_handling(tree: SyntaxTree, statement: Node) -> FailureHandling:
    """What becomes of a failure in the block of a `try` statement."""
    handler = statement.field("handler")
    body = None if handler is None else handler.field("body")
    if handler is None or body is None:
        return FailureHandling.NONE
    if body.end - body.start > _MAX_HANDLER_BYTES:
        return FailureHandling.RECOVERED
    names = names_in(tree, handler.field("parameter"))
    if reads_text(tree, body, names):
        return FailureHandling.INSPECTED
    only_tells = Telling(tree, names)
    told = all(map(only_tells.of_statement, body.named()))
    is_helped = not told or _goes_on(statement, only_tells) or _is_asked_later(tree, statement)
    return FailureHandling.RECOVERED if is_helped else FailureHandling.REPORTED


def _goes_on(statement: Node, only_tells: Telling) -> bool:
    """Whether something else follows that only runs if the block of a `try` failed."""
    block = statement.field("body")
    statements = [] if block is None else [each for each in block.named() if each.type != "comment"]
    if not statements or statements[-1].type not in _LEAVING:
        return False
    if any(up.type in LOOPS for up in _around(statement)):
        return True
    return not all(map(only_tells.of_statement, _following(statement)))


def _is_asked_later(tree: SyntaxTree, statement: Node) -> bool:
    """Whether what follows asks for a variable that the block of a `try` gives a value."""
    block = statement.field("body")
    given = set() if block is None else set(_assigned(tree, block))
    if not given:
        return False
    following = list(_following(statement))
    if sum(each.end - each.start for each in following) > _MAX_FOLLOWING_BYTES:
        return True
    return any(_asks_for(tree, each, given) for each in following)


def _assigned(tree: SyntaxTree, block: Node) -> Iterator[str]:
    for each in parts(tree, block):
        left = each.field("left") if each.type == "assignment_expression" else None
        if left is not None and left.type == "identifier":
            yield tree.source(left)


def _asks_for(tree: SyntaxTree, statement: Node, names: set[str]) -> bool:
    for each in parts(tree, statement):
        asked = each.field("condition")
        if each.type == "binary_expression" and (each.has("||") or each.has("??") or each.has("&&")):
            asked = each.field("left")
        if asked is not None and not names.isdisjoint(re.findall(r"[\w$]+", tree.source(asked))):
            return True
    return False


def _following(statement: Node) -> Iterator[Node]:
    """The statements that follow in the blocks around, up to those of the function."""
    for up in _around(statement):
        if up.type in _BODIES:
            yield from (each for each in up.named() if each.start >= statement.end)


def _around(statement: Node) -> Iterator[Node]:
    return takewhile(lambda up: up.type not in FUNCTIONS, statement.ancestors())
