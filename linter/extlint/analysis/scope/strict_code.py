"""Whether code is strict, so that an assignment to a name that nothing declares throws an error."""

from __future__ import annotations

from extlint.analysis.syntax.node import CLASSES, VARIABLE_SCOPES, Node
from extlint.analysis.syntax.tree import SyntaxTree

_DIRECTIVES = frozenset({b'"use strict"', b"'use strict'"})


def is_strict(tree: SyntaxTree, item: Node, *, in_module: bool) -> bool:
    """Whether the code at a node is strict: in a module, a class, or after a directive."""
    if in_module:
        return True
    return any(
        up.type in CLASSES or (up.type in VARIABLE_SCOPES and _has_directive(tree, up))
        for up in item.ancestors()
    )


def _has_directive(tree: SyntaxTree, scope: Node) -> bool:
    """Whether a function or the program begins with a directive that makes it strict."""
    body = scope.field("body") or scope
    for statement in body.named():
        literal = statement.first() if statement.type == "expression_statement" else None
        if literal is None or literal.type != "string":
            return False
        if tree.text[literal.start : literal.end] in _DIRECTIVES:
            return True
    return False
