"""Recognizes error handlers that extract values from the text of an error to learn about the browser."""

from __future__ import annotations

from extlint.script.guards.error_handlers import mentions, names_in
from extlint.script.syntax.node import Node
from extlint.script.syntax.nodes import (
    AssignmentExpression,
    CallExpression,
    MemberExpression,
    VariableDeclarator,
)
from extlint.script.syntax.tree import SyntaxTree, nodes_outside_functions

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
