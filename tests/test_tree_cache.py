"""The cache of syntax trees: which trees stay for later queries."""

from __future__ import annotations

import pytest

from extlint.analysis.syntax import tree_cache
from extlint.analysis.syntax.parse import grammar_of
from extlint.analysis.syntax.tree_cache import TreeCache

KIB = 1024


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_cache, "MIN_KEPT_BYTES", 1 * KIB)
    monkeypatch.setattr(tree_cache, "MAX_KEPT_BYTES", 8 * KIB)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    ("sizes", "kept"),
    [
        pytest.param([1], [True], id="the last one"),
        pytest.param([3, 4], [True, True], id="adjacent ones"),
        pytest.param([3, 0, 4], [True, False, True], id="large ones, but not the short one between them"),
        pytest.param([3, 4, 3], [False, True, True], id="as many as there is room for"),
        pytest.param([3, 4, 9], [False, False, True], id="one without room for others"),
        pytest.param([40, 2], [True, True], id="an oversized one followed by a short one"),
        pytest.param([40, 3], [False, True], id="an oversized one followed by a longer one"),
        pytest.param([2, 40], [False, True], id="a short one followed by an oversized one"),
        pytest.param([0, 0], [False, False], id="no short ones"),
    ],
)
def test_cached_trees_depend_on_sizes(sizes: list[int], kept: list[bool]) -> None:
    texts = [f"// {at}".encode() + b" " * size * KIB for at, size in enumerate(sizes)]
    trees = TreeCache()
    for text in texts:
        assert trees.parse(text, grammar_of("a.js")) is not None
    assert [trees.places_in(text) is not None for text in texts] == kept


@pytest.mark.usefixtures("small_limits")
def test_recently_used_tree_stays_cached() -> None:
    first, second, third = (f"// {at}".encode() + b" " * 3 * KIB for at in range(3))
    trees, grammar = TreeCache(), grammar_of("a.js")
    before = trees.parse(first, grammar)
    trees.parse(second, grammar)
    assert trees.parse(first, grammar) is before
    trees.parse(third, grammar)
    assert trees.places_in(first) is not None
    assert trees.places_in(second) is None


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(("large", "stays"), [(0, True), (1, True), (2, False)])
def test_tree_of_the_only_large_script_is_pinned(large: int, stays: bool) -> None:
    text, grammar = b"let a = 1;" + b" " * 3 * KIB, grammar_of("a.js")
    found = TreeCache(large).parse(text, grammar)
    assert found is not None
    assert found.is_pinned is stays
    short = TreeCache(large).parse(b"let a = 1;", grammar)
    assert short is not None
    assert not short.is_pinned


@pytest.mark.usefixtures("small_limits")
def test_trees_are_cached_per_language() -> None:
    text, trees = b"let a = 1;" + b" " * 3 * KIB, TreeCache()
    found = [trees.parse(text, grammar_of(path)) for path in ("a.js", "a.ts", "a.js", "a.ts")]
    assert found[0] is found[2]
    assert found[1] is found[3]
    assert found[0] is not found[1]
