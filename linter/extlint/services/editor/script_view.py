"""A script as it is in the middle of an edit, with the evaluator of its expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from extlint.analysis.expressions.destructuring import part_of
from extlint.analysis.expressions.parameters import parameter_value
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.follow import evaluator_of
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import AssignmentExpression, VariableDeclarator
from extlint.analysis.values.evaluator import Evaluator
from extlint.package.files import Package
from extlint.services.editor.documents.imported_modules import ImportedModules
from extlint.services.editor.documents.scripts import ScriptPart, missing_closers, parsing_of

CURSOR = b"extlint_cursor_"
"""The name that stands for the one which is yet to be typed."""

_ERROR = "ERROR"
_Result = TypeVar("_Result")


class ScriptView:
    """A script, its evaluator, and the innermost node at the cursor.

    `word` is the byte range, in the script as it is, of the word at the cursor.
    """

    def __init__(self, part: ScriptPart, evaluator: Evaluator, leaf: Node, added: int) -> None:
        self.path = part.path
        self.evaluator = evaluator
        self.leaf = leaf
        self.word = part.word
        self._added = added

    def source(self, node: Node) -> str:
        """Returns the text of a node."""
        return self.evaluator.tree.source(node)

    def range_of(self, node: Node) -> tuple[int, int]:
        """Returns the byte range that a node around the cursor has in the script as it is."""
        return node.start, node.end - self._added

    def attempt(self, find: Callable[[], _Result]) -> _Result | None:
        """Returns a result, or None if it takes too much work."""
        return self.evaluator.attempt(None, find)

    def value(self, node: Node) -> Value:
        """Returns the value of an expression."""
        found = self.attempt(lambda: self.evaluator.possible.value(node))
        return UNKNOWN if found is None else found

    def value_of_pattern(self, pattern: Node) -> Value:
        """Returns the value that an object pattern takes apart."""
        found = self.attempt(lambda: _value_of_pattern(self.evaluator, pattern))
        return UNKNOWN if found is None else found


@contextmanager
def script_view(package: Package, part: ScriptPart, *, completes: bool) -> Iterator[ScriptView | None]:
    """Yields the view of a script, or None if it cannot be parsed.

    To complete a name, the cursor stands for it if it is yet to be typed, and
    brackets that are yet to be closed are closed.
    """
    best: ScriptView | None = None
    for text, added in _candidates(part) if completes else ((part.text, 0),):
        view = _view(package, part, text, added)
        if view is None:
            continue
        if best is not None and _has_error(view):
            view.evaluator.close()
            continue
        if best is not None:
            best.evaluator.close()
        best = view
        if not _has_error(best):
            break
    try:
        yield best
    finally:
        if best is not None:
            best.evaluator.close()


def _candidates(part: ScriptPart) -> Iterator[tuple[bytes, int]]:
    """Yields the texts that the author may be about to write, with the number of the bytes added."""
    start, end = part.word
    added = CURSOR if start == end else b""
    yield part.text[:end] + added + part.text[end:], len(added)
    if closers := missing_closers(part.text, part.offset):
        yield part.text[:end] + added + closers + part.text[end:], len(added)
    yield part.text[:end] + added + b"," + part.text[end:], len(added)


def _view(package: Package, part: ScriptPart, changed: bytes, added: int) -> ScriptView | None:
    name = f"{package.name}/{part.path}"
    imported = ImportedModules(package).seen_from(part.path)
    evaluator = evaluator_of(changed, part.path, imported, parsing=parsing_of(name, part.path))
    if evaluator is None:
        return None
    leaf = evaluator.attempt(
        None, lambda: evaluator.tree.leaf_at(min(part.word[0], max(len(changed) - 1, 0)))
    )
    if leaf is None:
        evaluator.close()
        return None
    return ScriptView(part, evaluator, leaf, added)


def _has_error(view: ScriptView) -> bool:
    if not view.evaluator.tree.root.node.has_error:
        return False
    return view.leaf.type == _ERROR or any(each.type == _ERROR for each in view.leaf.ancestors())


def _value_of_pattern(evaluator: Evaluator, pattern: Node) -> Value:
    child: Node = pattern
    for up in pattern.ancestors():
        match up:
            case VariableDeclarator(value=Node() as value) if child.is_field("name"):
                return part_of(evaluator.possible, evaluator.possible.value(value), child, pattern)
            case AssignmentExpression(right=value) if child.is_field("left"):
                return part_of(evaluator.possible, evaluator.possible.value(value), child, pattern)
        if up.type == "formal_parameters" or (up.type in FUNCTIONS and child.is_field("parameter")):
            return parameter_value(evaluator.possible, child, pattern)
        if up.type.endswith(("statement", "declaration", "block")):
            break
        child = up
    return UNKNOWN
