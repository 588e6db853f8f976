"""Declarations of a module that a bundler may drop if nothing uses them.

Rollup drops those that only read members of globals that it knows, such as `window.innerWidth`, and calls
that are marked as pure. Other bundlers keep the former.
"""

from __future__ import annotations

from extlint.analysis.call_graph.definitions import runs_separately
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import Class, VariableDeclarator
from extlint.analysis.syntax.prefilter import ROOTS
from extlint.analysis.syntax.shapes import outermost
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

_EFFECTS = frozenset(
    {
        *("assignment_expression", "augmented_assignment_expression", "await_expression", "call_expression"),
        *("new_expression", "update_expression"),
    }
)
_CALLS = frozenset({"call_expression", "new_expression"})
_PURE = lazy(rb"[#@]__PURE__\s*\*/\s*\Z")
_MAX_BYTES_TO_CALL = 40
"""The maximum number of bytes from the word in the comment that marks a call as pure to the call."""


def is_droppable(tree: SyntaxTree, child: Node, up: Node) -> bool:
    """Whether a part of a node is declared at the top of a module, and nothing that bundlers keep."""
    if isinstance(up, VariableDeclarator):
        statement = up.parent if up.name.type == "identifier" and child.is_field("value") else None
    else:
        statement = child if isinstance(child, Class) else None
    around = None if statement is None else statement.parent
    if around is not None and around.type == "export_statement":
        around = around.parent
    return around is not None and around.type == "program" and not _has_effect(tree, child)


def _has_effect(tree: SyntaxTree, value: Node) -> bool:
    """Whether the evaluation of an expression or class may have an effect, except that it may fail."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each.type == "identifier" and tree.source(each) in ROOTS:
            return True
        if each.type in _CALLS and _is_pure(tree, each):
            continue
        if each.type in _EFFECTS:
            return True
        waiting += [part for part in each.named() if not runs_separately(part, each)]
    return False


def _is_pure(tree: SyntaxTree, call: Node) -> bool:
    start = outermost(call).start
    return _PURE.search(tree.text, max(0, start - _MAX_BYTES_TO_CALL), start) is not None
