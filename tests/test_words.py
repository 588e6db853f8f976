"""Offsets of names in a text, and caching of an iterator's values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.analysis.scope.word_index import Words
from extlint.analysis.syntax.parse import parse
from extlint.analysis.syntax.tree import BudgetExceeded, SyntaxTree
from extlint.analysis.values.property_index import LazyList
from extlint.text.patterns import isolated_word, isolated_word_offsets, lazy, spans_of
from extlint.text.word_search import (
    BLOCK_BYTES,
    MIN_BYTES_AS_HASHES,
    MIN_BYTES_IN_BLOCKS,
    PASSES,
    WordOffsets,
    unquoted_words,
    word_occurrences,
)


@pytest.mark.parametrize("padding", [0, 20_000])
@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("tabs.get(tabs)", "tabs", [0, 9]),
        ("tabsOf(tabs$, tabs_, tabs1, tabsé)", "tabs", []),
        ("myTabs.Tabs", "Tabs", [7]),
        ("aaa.aa", "aa", [4]),
        ("aaaa.aaa", "aaa", [5]),
        ("a.ab.ba.a", "a", [0, 8]),
        ("été.té", "té", [6]),
        ("a-b-c b-c", "b-c", [2, 6]),
        ("", "tabs", []),
    ],
)
def test_whole_words_excludes_parts_of_longer_words(
    text: str, name: str, expected: list[int], padding: int
) -> None:
    data = text.encode() + b" " * padding
    assert list(word_occurrences(data, name.encode(), 0, len(data))) == expected


@pytest.mark.parametrize(("name", "start", "end"), [("tabs", 1, 8), ("ta", 1, 6)])
def test_whole_words_ignores_text_after_the_range(name: str, start: int, end: int) -> None:
    assert list(word_occurrences(b"    tabs2", name.encode(), start, end)) == [4]


def test_names_exclude_members_but_include_spreads() -> None:
    words = _words("tabs(a.tabs, ...tabs, a?.tabs, a. tabs)")
    assert list(words.name_occurrences("tabs", 0, 39)) == [0, 16, 34]
    assert list(words.occurrences("tabs")) == [0, 7, 16, 25, 34]


def test_names_in_a_range_are_the_same_for_repeated_queries() -> None:
    words = _words(" ".join(["tabs", *["x"] * 100] * 3))
    for _ in range(20):
        assert list(words.name_occurrences("tabs", 0, 300)) == [0, 205]
        assert list(words.name_occurrences("tabs", 205, 210)) == [205]
        assert list(words.name_occurrences("tabs", 1, 205)) == []


@pytest.mark.parametrize("requested", [1, 40])
def test_words_in_blocks_are_found(requested: int) -> None:
    """Any number of requested words are found at all their offsets, even at the edges of blocks."""
    names = [f"name{at}" for at in range(10_000)]
    text = " ".join(names) + " name7 é.name7 " + "long" * 10_000 + " last"
    words, searched_names = (
        _words(text),
        [*names[:: 10_000 // requested], "name9999", "last", "long" * 10_000, "none"],
    )
    for name in searched_names:
        expected = [found.start() for found in re.finditer(rf"\b{name}\b".encode(), text.encode())]
        assert list(words.occurrences(name)) == expected


def test_number_of_text_searches_is_bounded() -> None:
    """Looking up ten times as many names costs little more than dividing the text into blocks once."""
    names = [f"name{at}" for at in range(30_000)]
    searched = []
    for count in (50, 500):
        words = _words(" ".join(names))
        for name in names[:count]:
            list(words.occurrences(name))
            list(words.name_occurrences(name, 0, len(names) * 5))
        searched.append(words.bytes_searched / len(" ".join(names)))
    few, many = searched
    assert few < PASSES + 10
    assert many - few < (500 - 50) * 2 * BLOCK_BYTES / len(" ".join(names))


def test_repeated_search_has_the_same_cost() -> None:
    """The cost of a query does not depend on earlier queries by others."""
    names = [f"name{at}" for at in range(2_000)]
    text = " ".join(names)
    places = WordOffsets(text.encode())
    first, second = (_words(text, places) for _ in range(2))
    for words in (first, second):
        for name in names[:40]:
            assert list(words.occurrences(name)) == [text.index(f"{name} ")]
    assert first.bytes_searched == second.bytes_searched > PASSES * len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"document.title", {b"document"}),
        (b"a[document]", {b"document"}),
        (b"'document'", set()),
        (b'{"document": 1}', set()),
        (b"`${document}`", {b"document"}),
        (b"documents; myDocument; $document", set()),
        (b"'document'; document", {b"document"}),
        (b"alert(document)", {b"document", b"alert"}),
        (b" " * 2 * BLOCK_BYTES + b"document", {b"document"}),
        (b" " * MIN_BYTES_AS_HASHES + b"document; documents", {b"document"}),
        (b"", set()),
    ],
)
def test_word_found_only_in_quotes_is_a_string(text: bytes, expected: set[bytes]) -> None:
    words = [b"document", b"alert"]
    assert unquoted_words(text, words) == expected
    places = WordOffsets(text)
    assert places.find_unquoted(words) is None
    places.size_of_blocks_with(b"document")
    assert places.find_unquoted(words) == frozenset(expected)


@pytest.mark.parametrize("padding", [0, MIN_BYTES_IN_BLOCKS, MIN_BYTES_AS_HASHES])
def test_patterns_match_at_their_words(padding: int) -> None:
    text = b"load(a); reload(b); load (c); load; wait(load(d))" + b" " * padding
    patterns = {
        b"load": re.compile(rb"load\s*\("),
        b"wait": re.compile(rb"wait"),
        b"gone": re.compile(rb"gone"),
    }
    found = [text[start:end] for start, end in WordOffsets(text).spans_of(patterns)]
    assert found == [b"load(", b"load (", b"wait", b"load("]


@pytest.mark.parametrize("padding", [0, MIN_BYTES_IN_BLOCKS, MIN_BYTES_AS_HASHES])
@pytest.mark.parametrize("is_known", [False, True])
def test_word_frequency_is_compared_with_a_count(padding: int, is_known: bool) -> None:
    places = WordOffsets(b"a; aa; a; a.b" + b" " * padding)
    if is_known:
        places.stored_offsets(b"a")
    assert [places.occurs_more_than(b"a", count) for count in (1, 2, 3, 4)] == [True, True, False, False]
    assert not places.occurs_more_than(b"gone", 0)


def test_only_long_texts_index_their_words() -> None:
    short, long = WordOffsets(b"eval(a)"), WordOffsets(b"eval(a);" + b" " * MIN_BYTES_IN_BLOCKS)
    assert list(short.iter_offsets(b"eval")) == list(long.iter_offsets(b"eval")) == [0]
    assert (short.contains(b"eval"), short.contains(b"evil")) == (None, None)
    assert (long.contains(b"eval"), long.contains(b"evil")) == (True, False)


def _words(text: str, places: WordOffsets | None = None) -> Words:
    data = text.encode()
    parsed = parse(b"", "javascript")
    assert parsed is not None
    tree = SyntaxTree(data, parsed, places)
    return Words(tree)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"with (a)", [0]),
        (b"a.with(b) swith(c) $with(d) withs(e) with$(f)", [2]),
        (b"with", [0]),
        (b"", []),
    ],
)
def test_pattern_of_a_whole_word_excludes_longer_words(text: bytes, expected: list[int]) -> None:
    assert [start for start, _ in spans_of([lazy(isolated_word(b"with"))], text)] == expected


def test_pattern_of_a_whole_word_is_literal_with_given_boundaries() -> None:
    pattern = lazy(isolated_word(b"a.b", before=rb"\w$.", after=rb"\w"))
    assert [found.start() for found in pattern.finditer(b"a.b axb .a.b a.b. a.bc a.b$")] == [0, 13, 23]


def test_spans_of_several_words_are_in_order() -> None:
    words = [lazy(isolated_word(each)) for each in (b"yield", b"await")]
    assert spans_of(words, b"await 1; yield 2; await 3") == [(0, 5), (9, 14), (18, 23)]


@pytest.mark.parametrize("word", [b"ab", b"a", b"aa", b"$", b"a-b", "é".encode(), b"abab"])
@given(text=st.lists(st.sampled_from([b"ab", b"a", b"b", b"$", b"-", b".", b" ", b"\xc3\xa9"])).map(b"".join))
def test_offsets_of_a_word_match_its_pattern(word: bytes, text: bytes) -> None:
    assert list(isolated_word_offsets(word, text)) == [
        found.start() for found in lazy(isolated_word(word)).finditer(text)
    ]


def test_lazy_list_repeats_values_and_reads_only_on_demand() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for each in range(4):
            taken.append(each)
            yield each

    lazy_list = LazyList(numbers)
    assert list(islice(lazy_list, 2)) == [0, 1]
    assert taken == [0, 1]
    assert [(one, two) for one in lazy_list for two in islice(lazy_list, 2)] == [
        (one, two) for one in range(4) for two in range(2)
    ]
    assert taken == [0, 1, 2, 3]


def test_lazy_list_retries_the_rest_after_an_exception() -> None:
    attempts: list[int] = []

    def numbers() -> Iterator[int]:
        attempts.append(0)
        for each in range(4):
            if each == 2 and len(attempts) < 3:
                raise BudgetExceeded
            yield each

    lazy_list = LazyList(numbers)
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            list(lazy_list)
    assert list(lazy_list) == list(lazy_list) == [0, 1, 2, 3]
    assert len(attempts) == 3
