"""Determines whether a script is certainly broken, also by the marks of a merge conflict of Git.

The grammars reject some valid programs, so an error in the tree by itself proves nothing. Brackets do:
in a program of any dialect, each closes the last one that is open. An operator without its operand also
proves an error, as do the errors of `early_errors`. Markup (JSX) is exempt, because its text may contain
syntax that compilers accept and the grammars do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node, Tree

from extlint.analysis.facts.script_facts import SyntaxProblem
from extlint.analysis.syntax.lexer import code_of
from extlint.analysis.syntax.parse import Grammar, parse
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

_CONFLICT = lazy(rb"^<{7}(?= \S)", re.MULTILINE, needs=(b"<<<<<<< ",))


def merge_conflict(text: bytes) -> SyntaxProblem | None:
    """Returns the first line that marks a merge conflict in the code of a broken script, or None."""
    code = code_of(text) if _CONFLICT.search(text) is not None else None
    found = None if code is None else _CONFLICT.search(code)
    return None if found is None else SyntaxProblem("a merge conflict is not resolved here", found.span())


_OTHER: dict[Grammar, Grammar] = {"javascript": "typescript", "typescript": "tsx", "tsx": "typescript"}
_OPENING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_CLOSING = frozenset(_OPENING.values())

_WITHOUT_OPERAND = lazy(
    rb"(?<=[\w$\s)\]}'\"`])((?:[-+*%]|\*\*|&&|\|\||\?\?)=|===?|!==?|[<>]=|=>?|&&|\|\||\?\?|\+|-)(\s*)([;,)\]}])"
)
"""An operator that requires an operand, followed by the end of a statement, an argument or a list.

TypeScript and other type dialects allow `*`, `?`, `!`, `|`, `<` and `>` before such a sign, so these are
omitted.
"""


def syntax_problem(tree: SyntaxTree, parsed: Tree, grammar: Grammar) -> SyntaxProblem | None:
    """Returns the first error that no JavaScript engine accepts, if two grammars agree that there is one.

    The tree must contain an error.
    """
    first = _unbalanced(parsed)
    found = first or _missing_operand(tree.text)
    if found is None or _has_markup(parsed):
        return None
    other = parse(tree.text, _OTHER[grammar])
    if other is None or not other.root_node.has_error:
        return None
    is_certain = first is None or _unbalanced(other) is not None
    return (merge_conflict(tree.text) or found) if is_certain else None


def _missing_operand(text: bytes) -> SyntaxProblem | None:
    """Returns the first operator with a missing right operand, in a script that no grammar accepts."""
    code = code_of(text)
    if code is None:
        return None
    for found in _WITHOUT_OPERAND.finditer(code):
        if not text[found.start(2) : found.end(2)].strip():
            operator, end = found[1].decode(), found[3].decode()
            message = f"an expression is missing between `{operator}` and `{end}`"
            return SyntaxProblem(message, (found.start(1), found.end(3)))
    return None


def _unbalanced(parsed: Tree) -> SyntaxProblem | None:
    brackets = list(_brackets(parsed))
    waiting, count = _open_after(brackets)
    if count < len(brackets):
        token, start = brackets[count]
        if not waiting or _open_after(brackets[count + 1 :], waiting) == ([], len(brackets) - count - 1):
            return SyntaxProblem(f"this `{token}` has no matching opening bracket", (start, start + 1))
    elif not waiting:
        return None
    opened, at = waiting[-1]
    return SyntaxProblem(f"`{opened}` is never closed", (at, at + len(opened)))


def _open_after(
    brackets: Sequence[tuple[str, int]], before: Sequence[tuple[str, int]] = ()
) -> tuple[list[tuple[str, int]], int]:
    """Returns the brackets that are open after others, and the number up to the first that does not match."""
    waiting = list(before)
    for count, (token, start) in enumerate(brackets):
        if token in _OPENING:
            waiting.append((token, start))
        elif waiting and _OPENING[waiting[-1][0]] == token:
            waiting.pop()
        else:
            return waiting, count
    return waiting, len(brackets)


def _has_markup(parsed: Tree) -> bool:
    return any(node.type.startswith("jsx_") for node in _nodes(parsed))


def _brackets(parsed: Tree) -> Iterator[tuple[str, int]]:
    """Yields the brackets of a program with their byte offsets, in order."""
    for node in _nodes(parsed):
        if node.child_count or node.is_named or node.is_missing:
            continue
        if node.type in _OPENING or node.type in _CLOSING:
            yield node.type, node.start_byte


def _nodes(parsed: Tree) -> Iterator[Node]:
    """Yields every node of a program, in source order."""
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
