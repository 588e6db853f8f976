"""Whether a script is certainly broken.

The grammars refuse some valid programs, so an error in the tree alone proves nothing. Brackets do:
in a program of any dialect each closes the last one that is open. Only markup (JSX) is left out, whose
text holds what compilers take and the grammars do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node, Tree

from extlint.script.facts.script_facts import SyntaxProblem
from extlint.script.syntax.parse import Grammar, parse
from extlint.script.syntax.tree import SyntaxTree

_OTHER: dict[Grammar, Grammar] = {"javascript": "typescript", "typescript": "tsx", "tsx": "typescript"}
_OPENING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_CLOSING = frozenset(_OPENING.values())


def syntax_problem(tree: SyntaxTree, parsed: Tree, grammar: Grammar) -> SyntaxProblem | None:
    """The first bracket that no JavaScript engine can take, if two grammars agree that there is one."""
    if not parsed.root_node.has_error:
        return None
    first = _unbalanced(parsed)
    if first is None or _has_markup(parsed):
        return None
    other = parse(tree.text, _OTHER[grammar])
    return first if other is not None and _unbalanced(other) is not None else None


def _unbalanced(parsed: Tree) -> SyntaxProblem | None:
    waiting: list[tuple[str, int]] = []
    for token, start in _brackets(parsed):
        if token in _OPENING:
            waiting.append((token, start))
        elif not waiting:
            return SyntaxProblem(f"this `{token}` has no matching opening bracket", (start, start + 1))
        else:
            opened, at = waiting.pop()
            if _OPENING[opened] != token:
                return SyntaxProblem(f"`{opened}` is never closed", (at, at + len(opened)))
    if not waiting:
        return None
    opened, at = waiting[-1]
    return SyntaxProblem(f"`{opened}` is never closed", (at, at + len(opened)))


def _has_markup(parsed: Tree) -> bool:
    return any(node.type.startswith("jsx_") for node in _nodes(parsed))


def _brackets(parsed: Tree) -> Iterator[tuple[str, int]]:
    """The brackets of a program, with the byte offset of each, in order."""
    for node in _nodes(parsed):
        if node.child_count or node.is_named or node.is_missing:
            continue
        if node.type in _OPENING or node.type in _CLOSING:
            yield node.type, node.start_byte


def _nodes(parsed: Tree) -> Iterator[Node]:
    """Every node of a program, in source order."""
    cursor = parsed.walk()
    while True:
        if cursor.node is None:
            return
        yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
