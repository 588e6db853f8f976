"""Certainly wrong statements, and the positions in a script where they can be inserted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle

from msgspec import Struct
from planting.sites import never_runs

from extlint.analysis.scope.bindings import NameResolver
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import Function
from extlint.analysis.syntax.tree import SyntaxTree

WRONG = ('ROOT.tabs.query("active");', "ROOT.runtime.getUrl('a');", "ROOT.management.getAll();")
"""A wrong argument, an unknown member, and a member that requires a permission."""

WRONG_ANYWHERE = WRONG[:1]
"""The statements that no surrounding code excuses."""

MIN_MODULE_BYTES = 300
"""The minimum size of a function that is treated as a module, in bytes."""

_MODULE_HOLDERS = frozenset({"arguments", "array", "object", "pair", "method_definition"})
_STATEMENTS = frozenset({"program", "statement_block"})


class Planted(Struct, frozen=True):
    """A wrong statement in a script: its text, and the byte offset before which it is inserted."""

    text: str
    offset: int
    in_module: bool


def statements_between(tree: SyntaxTree, count: int) -> list[Planted]:
    """Returns about `count` wrong statements for the top level of a script, and as many for the tops of
    its modules.
    """
    names = NameResolver(tree)
    top = _spread(list(_insertion_points(tree.root)), count)
    modules = _spread(
        [start for each in _modules(tree.root) for start in _first_and_last(list(_insertion_points(each)))],
        count,
    )
    found = [
        *_statements_at(top, names, WRONG, in_module=False),
        *_statements_at(modules, names, WRONG_ANYWHERE, in_module=True),
    ]
    return sorted(found, key=lambda each: each.offset)


def with_statements(text: bytes, planted: Sequence[Planted]) -> tuple[bytes, list[tuple[int, int]]]:
    """Returns the text with these statements, given in order of offset, and the byte range of each."""
    parts: list[bytes] = []
    places: list[tuple[int, int]] = []
    at = length = 0
    for each in planted:
        statement = f";{each.text}".encode()
        parts += [text[at : each.offset], statement]
        length += each.offset - at
        places.append((length + 1, length + len(statement)))
        length += len(statement)
        at = each.offset
    return b"".join([*parts, text[at:]]), places


def _spread(items: Sequence[Node], count: int) -> Sequence[Node]:
    """Returns `count` items, spread evenly from the first to the last."""
    if len(items) <= count:
        return items
    return [items[index * (len(items) - 1) // (count - 1)] for index in range(count)]


def _first_and_last(items: Sequence[Node]) -> Sequence[Node]:
    """Returns the first and the last item."""
    return items if len(items) < 3 else [items[0], items[-1]]


def _insertion_points(block: Node) -> Iterator[Node]:
    """Yields the statements of a block before which another one can be inserted."""
    for each in block.named():
        is_directive = each.type == "expression_statement" and each.named()[0].type == "string"
        if each.type not in {"comment", "import_statement", "hash_bang_line"} and not is_directive:
            if never_runs(each):
                return
            yield each


def _modules(root: Node) -> Iterator[Node]:
    """Yields the bodies of functions that may be modules of a bundle, in source order."""
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Function):
            up = each.parent
            is_large = each.end - each.start >= MIN_MODULE_BYTES
            if is_large and up is not None and up.type in _MODULE_HOLDERS and each.body.type in _STATEMENTS:
                yield each.body
            if sum(up.type in FUNCTIONS for up in each.ancestors()) >= 2:
                continue
        waiting += reversed(each.named())


def _statements_at(
    starts: Sequence[Node], names: NameResolver, wrong: Sequence[str], *, in_module: bool
) -> Iterator[Planted]:
    for start, text in zip(starts, cycle(wrong), strict=False):
        free = [root for root in ("chrome", "browser") if names.resolve(root, start) is None]
        if free:
            yield Planted(text.replace("ROOT", free[0]), start.start, in_module)
