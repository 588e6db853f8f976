"""Functions of a script that run once per argument list."""

from __future__ import annotations

import pytest

from extlint.script.syntax.budget import BudgetExceeded
from extlint.script.syntax.node import Node
from extlint.script.syntax.parse import parse
from extlint.script.syntax.tree import SyntaxTree
from extlint.script.values.memo import Memo, once_per_script

ASKED: list[object] = []


@pytest.fixture(autouse=True)
def _asked() -> None:
    ASKED.clear()


@once_per_script
def doubled(script: Memo, number: int) -> int:
    ASKED.append(number)
    return 2 * number


@once_per_script
def title(script: Memo) -> str | None:
    ASKED.append("title")
    return None


@once_per_script
def total(script: Memo, first: int, second: int) -> int:
    ASKED.append((first, second))
    return first + second


@once_per_script(meanwhile=-1)
def height(script: Memo, number: int) -> int:
    """One more than the height of the next number; 3 wraps around to 1."""
    ASKED.append(number)
    return 1 + height(script, number % 3 + 1)


@once_per_script
def attempts_left(script: Memo, number: int) -> int:
    """A function without a provisional result, which therefore also runs for recursive queries."""
    ASKED.append(number)
    return 0 if len(ASKED) > 3 else 1 + attempts_left(script, number)


@once_per_script(meanwhile="under way")
def failing(script: Memo) -> str:
    raise BudgetExceeded


@once_per_script
def names_seen(script: Memo) -> set[str]:
    return set()


def test_one_question_is_answered_once() -> None:
    script = Memo()
    assert [doubled(script, each) for each in (2, 3, 2, 2)] == [4, 6, 4, 4]
    assert ASKED == [2, 3]


def test_none_is_an_answer() -> None:
    script = Memo()
    assert title(script) is None
    assert title(script) is None
    assert ASKED == ["title"]


def test_all_arguments_count_and_their_order() -> None:
    script = Memo()
    assert [total(script, 1, 2), total(script, 2, 1), total(script, 1, 2)] == [3, 3, 3]
    assert ASKED == [(1, 2), (2, 1)]


def test_each_script_has_answers_of_its_own() -> None:
    one, other = Memo(), Memo()
    names_seen(one).add("api")
    assert (names_seen(one), names_seen(other)) == ({"api"}, set())


def test_a_node_counts_as_the_same_however_it_was_reached() -> None:
    text = b"f(a); f(b)"
    parsed = parse(text, "javascript")
    assert parsed is not None
    tree, script = SyntaxTree(text, parsed), Memo()

    @once_per_script
    def source(script: Memo, node: Node) -> str:
        ASKED.append(node)
        return tree.source(node)

    first, again, other = tree.root.named()[0], tree.root.named()[0], tree.root.named()[1]
    assert first is not again
    assert [source(script, each) for each in (first, again, other)] == ["f(a);", "f(a);", "f(b)"]
    assert len(ASKED) == 2


def test_who_asks_within_the_question_is_told_the_answer_for_the_meantime() -> None:
    script = Memo()
    assert height(script, 1) == 2
    assert ASKED == [1, 2, 3]
    assert [height(script, each) for each in (1, 2, 3)] == [2, 1, 0]


def test_without_such_an_answer_the_function_runs_for_them_too() -> None:
    assert attempts_left(Memo(), 7) == 3
    assert ASKED == [7, 7, 7, 7]


def test_what_was_told_meanwhile_is_taken_back_after_an_exception() -> None:
    script = Memo()
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            failing(script)


def test_answers_can_be_dropped() -> None:
    script = Memo()
    doubled(script, 2)
    script.answers_of(doubled).clear()
    doubled(script, 2)
    assert ASKED == [2, 2]
