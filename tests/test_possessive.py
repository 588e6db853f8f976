"""Possessive repeats rewritten with atomic groups, for Python versions that match them incorrectly."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lazy_patterns import lazy_patterns

from extlint.text.patterns import lazy, with_atomic_groups


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a*+b", "a*+b"),
        ("(?:ab)*", "(?:ab)*"),
        ("(?:ab)*+", "(?>(?:ab))*+"),
        ("(?:ab)?+(?:c)++", "(?>(?:ab))?+(?>(?:c))++"),
        ("(?:ab){2,3}+", "(?>(?:ab)){2,3}+"),
        ("(ab)*+", "(?>(ab))*+"),
        ("(?i:ab)*+", "(?>(?i:ab))*+"),
        ("(?:a(?:bc)*+)+", "(?:a(?>(?:bc))*+)+"),
        ("(?:a(?:bc)*)*+", "(?>(?:a(?:bc)*))*+"),
        (r"(?:[)]\)[^]()]b)*+", r"(?>(?:[)]\)[^]()]b))*+"),
        (r"[(]\((?:ab)*+", r"[(]\((?>(?:ab))*+"),
    ],
)
def test_possessively_repeated_groups_become_atomic(pattern: str, expected: str) -> None:
    assert with_atomic_groups(pattern) == expected
    assert with_atomic_groups(pattern.encode()) == expected.encode()


@pytest.mark.parametrize(
    ("pattern", "text", "end"),
    [
        (r"/\*(?:[^*]|\*(?!/))*+\*/", "/* a */ b", 7),
        (r"[0-9]++(?:\.[0-9]++)*+", "1.2.", 3),
        (r"(?:ab?c)*+", "abcabx", 3),
        (r"\"(?:[^\"\\]++|\\.)*+", '"a\\', 2),
    ],
)
def test_repeat_ends_before_a_failing_iteration(pattern: str, text: str, end: int) -> None:
    found = lazy(pattern).match(text)
    assert found is not None
    assert found.end() == end


@given(
    pattern=st.recursive(
        st.sampled_from(["a", "b", ".", "[^a]", "a?b", "(?=b)", "(?!a)", "a*+", "b*?"]),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map("".join),
            st.lists(inner, min_size=2, max_size=3).map(lambda options: f"(?:{'|'.join(options)})"),
            st.tuples(inner, st.sampled_from(["*+", "++", "?+", "{1,2}+", "*"])).map(
                lambda each: f"(?:{each[0]}){each[1]}"
            ),
        ),
        max_leaves=6,
    ),
    text=st.text("abc", max_size=8),
)
def test_rewritten_pattern_matches_the_same(pattern: str, text: str) -> None:
    found, other = lazy(pattern).match(text), re.compile(with_atomic_groups(pattern)).match(text)
    assert (found and found.span()) == (other and other.span())


def test_every_possessive_repeat_is_rewritten() -> None:
    changed = 0
    for name, each in lazy_patterns():
        pattern, flags = each._source
        rewritten = with_atomic_groups(pattern)
        re.compile(rewritten, flags)
        changed += rewritten != pattern
        assert not _has_non_atomic_repeat(rewritten, flags), name
    assert changed > 30


def _has_non_atomic_repeat(pattern: Any, flags: int) -> bool:
    from re import _parser  # type: ignore[attr-defined]

    waiting = [_parser.parse(pattern, flags)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, _parser.SubPattern):
            for code, argument in item.data:
                if str(code) == "POSSESSIVE_REPEAT":
                    inner = argument[2].data
                    if str(inner[0][0]) not in ("IN", "LITERAL", "NOT_LITERAL", "ANY", "ATOMIC_GROUP"):
                        return True
                waiting.append(argument)
        elif isinstance(item, list | tuple):
            waiting += item
    return False
