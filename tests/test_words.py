"""Where a name stands in a text, and what an iterator gave, kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from extlint.script.scope.word_index import word_ends
from extlint.script.values.lazy_list import LazyList


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("tabs.get(tabs)", "tabs", [0, 9]),
        ("tabsOf(tabs$, tabs_, tabs1, tabsé)", "tabs", []),
        ("myTabs.Tabs", "Tabs", [2, 7]),
        ("aaa.aa", "aa", [1, 4]),
        ("aaaa.aaa", "aaa", [1, 5]),
        ("a.ab.a", "a", [0, 5]),
        ("été.té", "té", [2, 6]),
        ("", "tabs", []),
    ],
)
def test_a_name_stands_where_no_longer_one_goes_on(text: str, name: str, expected: list[int]) -> None:
    data = text.encode()
    assert list(word_ends(data, name.encode(), 0, len(data))) == expected


@pytest.mark.parametrize(("name", "start", "end"), [("tabs", 1, 8), ("ta", 1, 6)])
def test_what_stands_after_a_range_is_not_looked_at(name: str, start: int, end: int) -> None:
    assert list(word_ends(b"    tabs2", name.encode(), start, end)) == [4]


def test_what_was_given_once_is_given_again_and_nothing_is_taken_early() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for each in range(4):
            taken.append(each)
            yield each

    kept = LazyList(numbers())
    assert list(islice(kept, 2)) == [0, 1]
    assert taken == [0, 1]
    assert [(one, two) for one in kept for two in islice(kept, 2)] == [
        (one, two) for one in range(4) for two in range(2)
    ]
    assert taken == [0, 1, 2, 3]
