"""Searches through the source texts: one by one, and for all names at once, with the same answers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extlint.checks.portability import source_searches
from extlint.text import word_search
from extlint.text.word_search import WordSearch

PIECES = st.lists(
    st.sampled_from([*"a b ab $ . = : ( ) { } \" ' ` , ;".split(), " ", "\n", "=="]), max_size=25
)
NAMES = ("a", "b", "ab", "aab", "$")


@given(PIECES)
@settings(max_examples=400)
def test_the_list_of_defined_names_has_those_that_a_search_finds(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    listed = source_searches._all_defined([text])
    for name in map(str.encode, NAMES):
        assert source_searches._defines(text, name) == (name in listed)


@pytest.mark.parametrize(
    ("text", "is_defined"),
    [
        ("x.name = 1", True),
        ("x.name == 1", False),
        ("name: 1", True),
        ("name(a) {", True),
        ("name(a);", False),
        ("x.name: 1", False),
        ("'name'", True),
        ("'names'", False),
        ("rename: 1", False),
    ],
)
def test_what_defines_a_property(text: str, is_defined: bool) -> None:
    assert source_searches._defines(text.encode(), b"name") == is_defined


@given(PIECES)
@settings(max_examples=200)
def test_listed_words_are_those_that_a_search_finds(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    search = WordSearch(text)
    first = [search.has(name.encode()) for name in NAMES]
    search._searches = word_search.MAX_SEARCHES
    assert [search.has(name.encode()) for name in NAMES] == first
    assert first == [name.encode() in re.findall(rb"[\w$]+", text) for name in NAMES]


def test_a_long_text_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    search = WordSearch(b"a b c")
    for _ in range(word_search.MAX_SEARCHES):
        assert not search.has(b"d")
    assert search._listed is None
    assert search.has(b"c")
    assert search._listed == {b"a", b"b", b"c"}
    assert not search.has("é".encode())
    monkeypatch.setattr(word_search, "MAX_LISTED_BYTES", 2)
    other = WordSearch(b"a b c")
    for _ in range(word_search.MAX_SEARCHES + 1):
        other.has(b"d")
    assert other._listed is None
