"""Patterns that are compiled when first applied to a text that they may match."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lazy_patterns import lazy_patterns
from thorough import examples

from extlint.text.patterns import _Lazy, _Marked, lazy, lazy_word


def test_every_match_of_a_pattern_contains_a_mark() -> None:
    marked = [(name, each) for name, each in lazy_patterns() if isinstance(each, _Marked)]
    assert marked
    for name, each in marked:
        assert_matches_contain_a_mark(name, each)


def assert_matches_contain_a_mark(name: str, pattern: Any) -> None:
    texts = st.from_regex(re.compile(*pattern._source))

    @settings(max_examples=examples(20), suppress_health_check=list(HealthCheck), database=None)
    @given(texts)
    def has_a_mark(text: str | bytes) -> None:
        assert any(mark in text for mark in pattern._marks), name

    has_a_mark()


@pytest.mark.parametrize("method", ["finditer", "fullmatch", "match", "search"])
def test_text_without_marks_compiles_no_pattern(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern: Any = lazy(r"a+(b)", needs=("b",))
    monkeypatch.setattr(re, "compile", None)
    assert not list(getattr(pattern, method)("aaa") or ())
    monkeypatch.undo()
    assert getattr(pattern, method)("aab")
    assert getattr(pattern, method)("aab", 0, 3)
    assert isinstance(pattern, _Lazy)
    assert pattern.search("xab")[1] == "b"


def test_whole_word_pattern() -> None:
    pattern = lazy_word(b"import", rb"\w", then=rb"(?=\()")
    found = [each.start() for each in pattern.finditer(b"import( import ximport( $import(")]
    assert found == [0, 25]
