"""The leaves of a syntax tree: lookup by position, and the few nodes that it visits."""

from __future__ import annotations

import pytest

from extlint.analysis.syntax import tree as of_trees
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.parse import parse
from extlint.analysis.syntax.tree import SyntaxTree

TEXT = b"  a; function f(b = [1, {c}]) { return g(`${b}`, x => x.y) } /* d */ class C { m() { a(); } } ("
DEPTH = 100


def _path(leaf: Node) -> list[int]:
    return [leaf.id, *(up.id for up in leaf.ancestors())]


@pytest.mark.parametrize("kept", [2, 1_000])
def test_leaf_does_not_depend_on_earlier_lookups(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_trees, "MAX_LEAVES_KEPT", kept)
    parsed = parse(TEXT, "javascript")
    assert parsed is not None
    tree, length = SyntaxTree(TEXT, parsed), len(TEXT)
    for place in (*range(0, length, 7), *reversed(range(length)), *range(length)):
        assert _path(tree.leaf_at(place)) == _path(SyntaxTree(TEXT, parsed).leaf_at(place))


def test_alternating_lookups_visit_each_path_once() -> None:
    nested = b"f(" * DEPTH + b"a, b, c, d" + b")" * DEPTH + b";"
    text = nested + nested
    parsed = parse(text, "javascript")
    assert parsed is not None
    tree = SyntaxTree(text, parsed)
    for word in b"abcd":
        for start in (0, len(nested)):
            tree.leaf_at(text.index(word, start))
    nodes_of_paths = 2 * (2 * DEPTH + 2)
    assert tree.budget.spent < nodes_of_paths + 20
