"""Handlers that take values out of the text of an error, to learn from it what a browser knows."""

from __future__ import annotations

from extlint.script.guards.error_handlers import mentions, names_in
from extlint.script.syntax.node import MEMBERS, Node
from extlint.script.syntax.tree import SyntaxTree, parts

_TAKING = frozenset({"exec", "match", "matchAll", "split"})
"""Methods that give the parts of a text; `includes` and `startsWith` merely ask what failed."""

_ASKING = frozenset({"binary_expression", "if_statement", "ternary_expression", "unary_expression"})
_AROUND = frozenset({"non_null_expression", "parenthesized_expression"})


def reads_text(tree: SyntaxTree, body: Node, names: frozenset[str]) -> bool:
    """Whether the body of a handler takes parts of the text of its error, which has one of the names.

    A condition that asks for such a part does not count: it tells one failure from another.
    """
    if not names:
        return False
    known = set(names)
    found = list(parts(tree, body))
    for each in sorted(found, key=lambda item: item.start):
        if each.type in {"variable_declarator", "assignment_expression"}:
            given = each.field("value") or each.field("right")
            left = each.field("name") or each.field("left")
            is_variable = left is not None and left.type == "identifier"
            if given is not None and is_variable and mentions(tree, given, known):
                known |= names_in(tree, left)
        if each.type == "call_expression" and _takes(tree, each, known) and not _is_asked(each):
            return True
    return False


def _takes(tree: SyntaxTree, call: Node, names: set[str]) -> bool:
    function = call.field("function")
    key = function.field("property") if function is not None and function.type in MEMBERS else None
    return key is not None and tree.source(key) in _TAKING and mentions(tree, call, names)


def _is_asked(call: Node) -> bool:
    above = next((up for up in call.ancestors() if up.type not in _AROUND), None)
    return above is not None and above.type in _ASKING
