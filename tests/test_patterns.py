"""Patterns that are compiled when they are first asked about a text that they may match in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import extlint
import extlint_rules
from extlint.text.patterns import _Lazy, _Marked, lazy, lazy_word


def marked() -> Iterator[tuple[str, _Marked]]:
    """All patterns with marks, by their names."""
    for package in (extlint, extlint_rules):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            if found.name != "extlint.__main__":
                for name, value in vars(import_module(found.name)).items():
                    for at, each in enumerate(value if isinstance(value, tuple) else [value]):
                        if isinstance(each, _Marked):
                            yield f"{found.name}.{name}-{at}", each


MARKED = dict(marked())


@pytest.mark.parametrize("name", MARKED)
def test_whatever_a_pattern_matches_has_a_mark(name: str) -> None:
    pattern: Any = MARKED[name]
    texts = st.from_regex(re.compile(*pattern._given))

    @settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
    @given(texts)
    def has_a_mark(text: str | bytes) -> None:
        assert any(mark in text for mark in pattern._marks)

    has_a_mark()


@pytest.mark.parametrize("method", ["finditer", "fullmatch", "match", "search"])
def test_a_text_without_marks_compiles_nothing(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern: Any = lazy(r"a+(b)", needs=("b",))
    monkeypatch.setattr(re, "compile", None)
    assert not list(getattr(pattern, method)("aaa") or ())
    monkeypatch.undo()
    assert getattr(pattern, method)("aab")
    assert getattr(pattern, method)("aab", 0, 3)
    assert isinstance(pattern, _Lazy)
    assert pattern.search("xab")[1] == "b"


def test_a_word_that_stands_apart() -> None:
    pattern = lazy_word(b"import", rb"\w", then=rb"(?=\()")
    found = [each.start() for each in pattern.finditer(b"import( import ximport( $import(")]
    assert found == [0, 25]
