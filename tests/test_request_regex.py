"""Which regular expressions of rules are certainly refused, by RE2 and by JavaScript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.request_rules.regex import capturing_groups, refused


@pytest.mark.parametrize(
    ("pattern", "re2", "javascript"),
    [
        pytest.param("", True, True, id="nothing"),
        pytest.param(r"^https?:\/\/[^/]+\.a\b.*(?:b|c)+?$", True, True, id="an everyday one"),
        pytest.param("(a", False, False, id="a group that stays open"),
        pytest.param("a)", False, False, id="a group that was never open"),
        pytest.param("[a", False, False, id="a set that stays open"),
        pytest.param("a]", True, True, id="a bracket that closes nothing"),
        pytest.param("a\\", False, False, id="a backslash at the end"),
        pytest.param("*a", False, False, id="nothing to repeat"),
        pytest.param("a|*b", False, False, id="nothing to repeat in a branch"),
        pytest.param("a**", False, False, id="repeated twice"),
        pytest.param("a++", False, False, id="possessive"),
        pytest.param("a*?", True, True, id="lazy"),
        pytest.param("a{2,1}", False, False, id="from more to less"),
        pytest.param("a{2}{3}", False, False, id="a number of times, repeated"),
        pytest.param("a{", True, True, id="a brace that means itself"),
        pytest.param("a{1001}", False, True, id="more than a thousand times"),
        pytest.param("[z-a]", False, False, id="a range from behind"),
        pytest.param("[a-]", True, True, id="a hyphen at the end of a set"),
        pytest.param("[]a]", True, True, id="a bracket first in a set"),
        pytest.param("a[]b", False, True, id="an empty set"),
        pytest.param("(?=a)", False, True, id="look-ahead"),
        pytest.param("(?<!a)b", False, True, id="look-behind"),
        pytest.param("(?>a)", False, False, id="an atomic group"),
        pytest.param(r"(a)\1", False, True, id="a back reference"),
        pytest.param(r"(a)\12", True, True, id="an octal number"),
        pytest.param(r"a\Z", False, True, id="an escape that RE2 lacks"),
        pytest.param(r"a\/\-\_\%", True, True, id="escaped punctuation"),
        pytest.param(r"[\b]", False, True, id="a backspace in a set"),
        pytest.param("(?<a>b)", True, True, id="a named group"),
        pytest.param("(?P<a>b)", True, False, id="a group named as in RE2"),
        pytest.param("(?<a>b)(?<a>c)", False, True, id="two groups with one name"),
        pytest.param("(?i)a", True, False, id="a flag for the rest"),
        pytest.param("(?i:a)", True, True, id="a flag for a group"),
        pytest.param("^*", True, False, id="a repeated anchor"),
        pytest.param(r"\Q(\E", True, False, id="not certain in RE2: literal text"),
    ],
)
def test_who_takes_a_pattern(pattern: str, re2: bool, javascript: bool) -> None:
    assert (refused(pattern, "RE2") is None) == re2
    assert (refused(pattern, "JavaScript") is None) == javascript


@pytest.mark.parametrize(
    ("pattern", "number"),
    [("a", 0), ("(a)(?:b)(?<c>d)", 2), (r"\((a)", 1), ("[(](a(b))", 2), ("(a", None), (r"\Q(\E", None)],
)
def test_how_many_groups_capture_something(pattern: str, number: int | None) -> None:
    assert capturing_groups(pattern) == number


@given(st.text("ab01()[]{}*+?|^$\\-,:=!<>iPQdkbux/", max_size=20), st.sampled_from(["RE2", "JavaScript"]))
def test_any_pattern_has_an_answer(pattern: str, engine: str) -> None:
    answer = refused(pattern, engine)  # type: ignore[arg-type]
    assert answer is None or answer
