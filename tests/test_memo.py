"""Functions of a script that run once per argument list."""

from __future__ import annotations

import pytest

from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.parse import parse
from extlint.analysis.syntax.tree import BudgetExceeded, SyntaxTree
from extlint.analysis.values.memo import Memo, once_per_script

CALLS: list[object] = []


@pytest.fixture(autouse=True)
def _asked() -> None:
    CALLS.clear()


@once_per_script
def doubled(script: Memo, number: int) -> int:
    CALLS.append(number)
    return 2 * number


@once_per_script
def title(script: Memo) -> str | None:
    CALLS.append("title")
    return None


@once_per_script
def total(script: Memo, first: int, second: int) -> int:
    CALLS.append((first, second))
    return first + second


@once_per_script(meanwhile=-1)
def height(script: Memo, number: int) -> int:
    """One more than the height of the next number; 3 wraps around to 1."""
    CALLS.append(number)
    return 1 + height(script, number % 3 + 1)


@once_per_script
def attempts_left(script: Memo, number: int) -> int:
    """A function without a provisional result, which therefore also runs for recursive queries."""
    CALLS.append(number)
    return 0 if len(CALLS) > 3 else 1 + attempts_left(script, number)


@once_per_script(meanwhile="under way")
def failing(script: Memo) -> str:
    raise BudgetExceeded


@once_per_script
def names_seen(script: Memo) -> set[str]:
    return set()


def test_result_is_computed_once() -> None:
    script = Memo()
    assert [doubled(script, each) for each in (2, 3, 2, 2)] == [4, 6, 4, 4]
    assert CALLS == [2, 3]


def test_absent_result_is_cached() -> None:
    script = Memo()
    assert title(script) is None
    assert title(script) is None
    assert CALLS == ["title"]


def test_cache_key_includes_all_arguments_in_order() -> None:
    script = Memo()
    assert [total(script, 1, 2), total(script, 2, 1), total(script, 1, 2)] == [3, 3, 3]
    assert CALLS == [(1, 2), (2, 1)]


def test_each_script_has_its_own_results() -> None:
    one, other = Memo(), Memo()
    names_seen(one).add("api")
    assert (names_seen(one), names_seen(other)) == ({"api"}, set())


def test_equal_nodes_share_a_result() -> None:
    text = b"f(a); f(b)"
    parsed = parse(text, "javascript")
    assert parsed is not None
    tree, script = SyntaxTree(text, parsed), Memo()

    @once_per_script
    def source(script: Memo, node: Node) -> str:
        CALLS.append(node)
        return tree.source(node)

    first, again, other = tree.root.named()[0], tree.root.named()[0], tree.root.named()[1]
    assert first is not again
    assert [source(script, each) for each in (first, again, other)] == ["f(a);", "f(a);", "f(b)"]
    assert len(CALLS) == 2


def test_recursive_query_gets_the_provisional_result() -> None:
    script = Memo()
    assert height(script, 1) == 2
    assert CALLS == [1, 2, 3]
    assert [height(script, each) for each in (1, 2, 3)] == [2, 1, 0]


def test_function_without_provisional_result_recurses() -> None:
    assert attempts_left(Memo(), 7) == 3
    assert CALLS == [7, 7, 7, 7]


def test_provisional_result_is_discarded_after_an_exception() -> None:
    script = Memo()
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            failing(script)


def test_cached_results_can_be_cleared() -> None:
    script = Memo()
    doubled(script, 2)
    script.cache_of(doubled).clear()
    doubled(script, 2)
    assert CALLS == [2, 2]
