"""Whether a script is certainly broken.

The grammars refuse some valid programs, so an error in the tree alone proves nothing. What is never
valid in any dialect is a bracket that is not closed before the file ends.
"""

from __future__ import annotations

from tree_sitter import Node

from extlint.script.facts import SyntaxProblem
from extlint.script.parse import Grammar, parse
from extlint.script.tree import SyntaxTree

_OTHER: dict[Grammar, Grammar] = {"javascript": "typescript", "typescript": "tsx", "tsx": "typescript"}
_CLOSING = {")": "(", "]": "[", "}": "{"}


def syntax_problem(tree: SyntaxTree, grammar: Grammar) -> SyntaxProblem | None:
    """The first place that no JavaScript engine can take, if both grammars agree on one."""
    if not tree.root.node.has_error:
        return None
    first = _first_unclosed(tree.root.node)
    if first is None:
        return None
    second = parse(tree.text, _OTHER[grammar])
    if second is None or not second.root_node.has_error:
        return None
    again = _first_unclosed(second.root_node)
    return first if again is not None else None


def _first_unclosed(root: Node) -> SyntaxProblem | None:
    """A closing bracket that the parser had to make up."""
    node = root
    while True:
        broken = next((each for each in node.children if each.has_error or each.is_missing), None)
        if broken is None:
            return None
        if broken.is_missing and broken.type in _CLOSING:
            opened = next((each for each in node.children if each.type == _CLOSING[broken.type]), None)
            if opened is None:
                return None
            return SyntaxProblem(f"`{opened.type}` is never closed", (opened.start_byte, opened.end_byte))
        if broken.is_error or broken.is_missing:
            return None
        node = broken
