"""Other scripts that a script loads by itself: imports, `importScripts`, workers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.script.evaluate import Evaluator
from extlint.script.facts import Load, LoadKind
from extlint.script.tree import Item, SyntaxTree
from extlint.values import Kind, Literal

_WORD = re.compile(rb"\b(?:import|from|importScripts|Worker|SharedWorker)\b")
_WORKERS = frozenset({"SharedWorker", "Worker"})
MOST_WORDS = 20_000
"""Places that are looked at in one script; what comes after them is passed over."""


def top_level(tree: SyntaxTree, kind: str) -> Iterator[Item]:
    """The statements of one kind at the top of a script, in source order."""
    cursor = tree.root.node.walk()
    if not cursor.goto_first_child():
        return
    tree.spend(tree.root.node.child_count)
    while True:
        node = cursor.node
        if node is not None and node.type == kind:
            yield Item(node, tree.root)
        if not cursor.goto_next_sibling():
            return


def loads_of(tree: SyntaxTree, evaluator: Evaluator) -> Iterator[Load]:
    """What a script loads by a name that is known, in source order."""
    for count, found in enumerate(_WORD.finditer(tree.text)):
        if count >= MOST_WORDS:
            return
        leaf = tree.leaf_at(found.start())
        if leaf.parent is not None and leaf.parent.type == "import":
            leaf = leaf.parent
        if leaf.start == found.start() and leaf.end == found.end() and leaf.parent is not None:
            yield from _at(evaluator, leaf, leaf.parent)


def _at(evaluator: Evaluator, leaf: Item, up: Item) -> Iterator[Load]:
    match leaf.type, up.type:
        case ("import", "import_statement") | ("from", "export_statement"):
            if up.has("type"):
                return
            source = up.field("source")
            if source is not None:
                yield from _named(evaluator, source, LoadKind.IMPORT)
        case ("import", "call_expression"):
            yield from _arguments(evaluator, up, LoadKind.DYNAMIC_IMPORT)
        case ("identifier", "call_expression") if leaf.is_field("function"):
            if evaluator.tree.source(leaf) == "importScripts" and _is_global(evaluator, leaf):
                yield from _arguments(evaluator, up, LoadKind.IMPORT_SCRIPTS)
        case ("identifier", "new_expression") if leaf.is_field("constructor"):
            if evaluator.tree.source(leaf) in _WORKERS and _is_global(evaluator, leaf):
                yield from _first_argument(evaluator, up, LoadKind.WORKER)


def _is_global(evaluator: Evaluator, leaf: Item) -> bool:
    return evaluator.names.resolve(evaluator.tree.source(leaf), leaf) is None


def _arguments(evaluator: Evaluator, call: Item, kind: LoadKind) -> Iterator[Load]:
    listed = call.field("arguments")
    for each in () if listed is None else listed.named():
        yield from _named(evaluator, each, kind)
        if kind is LoadKind.DYNAMIC_IMPORT:
            return


def _first_argument(evaluator: Evaluator, call: Item, kind: LoadKind) -> Iterator[Load]:
    listed = call.field("arguments")
    first = None if listed is None else listed.first()
    if first is not None:
        yield from _named(evaluator, first, kind)


def _named(evaluator: Evaluator, item: Item, kind: LoadKind) -> Iterator[Load]:
    value = evaluator.value(item)
    if isinstance(value, Literal) and value.kind is Kind.STRING and isinstance(value.value, str):
        yield Load(value.value, kind, item.span)
