"""Where a name stands in a text, and what an iterator gave, kept."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.script.scope.word_index import word_ends
from extlint.script.values.lazy_list import LazyList
from extlint.text.patterns import apart, lazy, places_of, spans_of


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"with (a)", [0]),
        (b"a.with(b) swith(c) $with(d) withs(e) with$(f)", [2]),
        (b"with", [0]),
        (b"", []),
    ],
)
def test_a_word_stands_apart_from_the_characters_that_would_make_it_longer(
    text: bytes, expected: list[int]
) -> None:
    assert [start for start, _ in spans_of([lazy(apart(b"with"))], text)] == expected


def test_a_word_is_taken_as_it_is_and_its_sides_may_differ() -> None:
    pattern = lazy(apart(b"a.b", before=rb"\w$.", after=rb"\w"))
    assert [found.start() for found in pattern.finditer(b"a.b axb .a.b a.b. a.bc a.b$")] == [0, 13, 23]


def test_the_places_of_several_words_are_in_order() -> None:
    words = [lazy(apart(each)) for each in (b"yield", b"await")]
    assert spans_of(words, b"await 1; yield 2; await 3") == [(0, 5), (9, 14), (18, 23)]


@pytest.mark.parametrize("word", [b"ab", b"a", b"aa", b"$", b"a-b", "é".encode(), b"abab"])
@given(text=st.lists(st.sampled_from([b"ab", b"a", b"b", b"$", b"-", b".", b" ", b"\xc3\xa9"])).map(b"".join))
def test_the_places_of_a_word_are_those_of_its_pattern(word: bytes, text: bytes) -> None:
    assert list(places_of(word, text)) == [found.start() for found in lazy(apart(word)).finditer(text)]


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
