"""Searches of source texts: one name at a time and all names at once, with the same results."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.checks import other_browsers
from extlint.text import word_search
from extlint.text.word_search import WordSearch

PIECES = st.lists(
    st.sampled_from([*"a b ab $ . = : ( ) { } \" ' ` , ;".split(), " ", "\n", "=="]), max_size=25
)
NAMES = ("a", "b", "ab", "aab", "$")


@given(PIECES)
@settings(max_examples=examples(400))
def test_list_of_defined_names_agrees_with_the_search(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    listed = other_browsers._all_defined_names([text])
    for name in map(str.encode, NAMES):
        assert other_browsers._defines(text, name) == (name in listed)


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
def test_property_definition_is_recognized(text: str, is_defined: bool) -> None:
    assert other_browsers._defines(text.encode(), b"name") == is_defined


@given(PIECES, PIECES)
@settings(max_examples=examples(200))
def test_word_list_agrees_with_the_search(one: list[str], other: list[str]) -> None:
    texts = ["".join(pieces).encode() for pieces in (one, other)]
    search = WordSearch(texts)
    first = [list(search.texts_with(name.encode())) for name in NAMES]
    search._searches = word_search.MAX_SEARCHES
    assert [list(search.texts_with(name.encode())) for name in NAMES] == first
    words = [re.findall(rb"[\w$]+", text) for text in texts]
    assert first == [[at for at in (0, 1) if name.encode() in words[at]] for name in NAMES]


def test_words_are_listed_after_many_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    search = WordSearch([b"a b", b"b c"])
    for _ in range(word_search.MAX_SEARCHES):
        assert not search.texts_with(b"d")
    assert not search._listed
    assert list(search.texts_with(b"b")) == [0, 1]
    assert {each: sorted(at) for each, at in search._listed.items()} == {b"a": [0], b"b": [0, 1], b"c": [1]}
    assert not search.texts_with("é".encode())
    monkeypatch.setattr(word_search, "MAX_LISTED_BYTES", 2)
    other = WordSearch([b"a b c", b"d", b"a b c"])
    for _ in range(word_search.MAX_SEARCHES + 1):
        assert other.texts_with(b"d") == [1]
    assert other._listed == {b"d": [1]}
    assert other.texts_with(b"b") == [0, 2]
