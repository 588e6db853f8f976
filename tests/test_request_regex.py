"""Regular expressions of rules that the engines of browsers reject, and the reasons in messages."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.checks import request_regex
from extlint.checks.request_regex import (
    Rejection,
    capturing_groups,
    chrome_rejection,
    firefox_rejection,
)
from extlint.text.javascript_regex import MAX_BRANCHES, MAX_PATTERN_LENGTH


def rejection_in_chrome(
    pattern: str, *, case_sensitive: bool = True, captures: bool = False
) -> Rejection | None:
    return chrome_rejection(pattern, case_sensitive=case_sensitive, captures=captures)


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
        pytest.param(r"a\Z", False, True, id="an escape that RE2 does not support"),
        pytest.param(r"a\/\-\_\%", True, True, id="escaped punctuation"),
        pytest.param(r"[\b]", False, True, id="a backspace in a set"),
        pytest.param("(?<a>b)", True, True, id="a named group"),
        pytest.param("(?P<a>b)", True, False, id="a group named as in RE2"),
        pytest.param("(?<a>b)|(?<a>c)", True, True, id="two groups of one name in two branches"),
        pytest.param("(?<a>b)(?<a>c)", True, False, id="two groups of one name in one branch"),
        pytest.param("(?<a", False, False, id="a name that does not end"),
        pytest.param("(?<a-b>c)", False, False, id="a name with a hyphen"),
        pytest.param("(?i)a", True, False, id="a flag for the rest"),
        pytest.param("(?i:a)", True, True, id="a flag for a group"),
        pytest.param("^*", True, False, id="a repeated anchor"),
        pytest.param(r"\Q(\E", True, False, id="literal text"),
        pytest.param("[[:alpha:]]", True, True, id="a kind of characters, or a set and a bracket"),
        pytest.param("[[:foo:]]", False, True, id="no kind of characters"),
        pytest.param(r"\p{Greek}", True, True, id="a script of Unicode"),
        pytest.param(r"\p{Foo}", False, True, id="no script of Unicode"),
        pytest.param(r"(?:[a-z]{1,60}\.){1,40}a", False, True, id="repetitions multiplied"),
        pytest.param(r"\k<n>(?<a>b)", False, False, id="the name of no group"),
        pytest.param("a" * 100, True, True, id="a hundred letters"),
        pytest.param("a" * 200, False, True, id="two hundred letters: too much memory"),
    ],
)
def test_engines_that_accept_a_pattern(pattern: str, re2: bool, javascript: bool) -> None:
    assert (rejection_in_chrome(pattern) is None) == re2
    assert (firefox_rejection(pattern) is None) == javascript


@pytest.mark.parametrize(
    ("pattern", "case_sensitive", "captures", "taken"),
    [
        pytest.param("(a|b)" * 60, True, False, True, id="nothing is captured"),
        pytest.param("(a|b)" * 60, True, True, False, id="captures that use more memory"),
        pytest.param("example" * 14, True, False, True, id="letters as they are"),
        pytest.param("[^a]" * 30, True, False, True, id="few sets"),
        pytest.param("[^a]" * 30, False, False, False, id="sets in both cases"),
    ],
)
def test_memory_limit_of_a_pattern(pattern: str, case_sensitive: bool, captures: bool, taken: bool) -> None:
    refusal = rejection_in_chrome(pattern, case_sensitive=case_sensitive, captures=captures)
    assert (refusal is None) == taken
    assert refusal is None or refusal.too_large


@pytest.mark.parametrize(
    ("pattern", "chrome", "firefox"),
    [
        ("(a", "a `(` has no `)`", "its parentheses do not match"),
        ("[a", "a `[` has no `]`", "a `[` has no `]`"),
        ("a\\", "it ends with a `\\`", "it ends with a `\\`"),
        (
            "[z-a]",
            "`z-a` is not a range or class of characters",
            "a range of characters has its ends in the wrong order",
        ),
        (
            "*a",
            "there is nothing to repeat before `*`",
            "there is nothing to repeat before a `*`, `+` or `?`",
        ),
        (
            "a{3,2}",
            "`{3,2}` has its numbers in the wrong order",
            "a repetition has its numbers in the wrong order",
        ),
        ("a{1001}", "`{1001}` repeats more than 1000 times", None),
        (
            "(?:a{60}){20}",
            "`{20}` and the repetition inside it repeat more than 1000 times together",
            None,
        ),
        ("a(?=b)", "look-aheads are not supported (`(?=`)", None),
        ("(?<!a)b", "negative look-behinds are not supported (`(?<!`)", None),
        (r"(a)\1", r"back references are not supported (`\1`)", None),
        (r"a\Z", r"unknown escape `\Z`", None),
        ("(?P<a>b)", None, "JavaScript does not support this kind of group, `(?P<`"),
        ("(?i)a", None, "JavaScript does not support flags for the rest of a pattern (`(?i)`)"),
        ("(?<a>b)(?<a>c)", None, "two groups have the same name"),
        ("a" * 200, "it requires more than the 2 KB of memory that Chrome allows a pattern", None),
    ],
)
def test_reason_for_the_rejection(pattern: str, chrome: str | None, firefox: str | None) -> None:
    in_firefox, of_chrome = firefox_rejection(pattern), rejection_in_chrome(pattern)
    assert (of_chrome and of_chrome.why) == chrome
    assert (in_firefox and in_firefox.why) == firefox


@pytest.mark.parametrize(
    ("pattern", "number"),
    [("a", 0), ("(a)(?:b)(?<c>d)", 2), (r"\((a)", 1), ("[(](a(b))", 2), ("(a", None), (r"\Q(\E", 0)],
)
def test_number_of_capturing_groups(pattern: str, number: int | None) -> None:
    assert capturing_groups(pattern) == number


@given(st.text("ab01()[]{}*+?|^$\\-,:=!<>iPQdkbux/", max_size=20))
def test_every_rejection_has_a_reason(pattern: str) -> None:
    for refusal in (rejection_in_chrome(pattern), firefox_rejection(pattern)):
        assert refusal is None or refusal.why


@pytest.mark.parametrize(
    ("pattern", "chrome", "firefox"),
    [
        pytest.param("a" * MAX_PATTERN_LENGTH + "(", False, False, id="long"),
        pytest.param("a{1000}" * 20 + "(", False, True, id="repeated often"),
        pytest.param("a{99999999999999999999}" * 20 + "(", True, True, id="repeated beyond all bounds"),
        pytest.param("a|" * MAX_BRANCHES + "b|(", True, False, id="many branches"),
    ],
)
def test_expensive_pattern_is_not_checked(pattern: str, chrome: bool, firefox: bool) -> None:
    assert (rejection_in_chrome(pattern) is not None) == chrome
    assert (firefox_rejection(pattern) is not None) == firefox


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("(" * 4_000 + ")" * 4_000, id="deep"),
        pytest.param("(?=" * 2_000 + ")" * 2_000, id="deep assertions"),
        pytest.param("a|" * MAX_BRANCHES, id="many branches"),
        pytest.param("|" * MAX_PATTERN_LENGTH, id="only branches"),
        pytest.param("\ud800", id="a lone surrogate"),
    ],
)
def test_deeply_nested_pattern_is_accepted_for_firefox(pattern: str) -> None:
    assert firefox_rejection(pattern) is None


def test_nothing_is_reported_for_chrome_without_re2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    _clear_caches()
    try:
        assert rejection_in_chrome("(a") is None
        assert capturing_groups("(a)") is None
        assert firefox_rejection("(a") is not None
    finally:
        monkeypatch.undo()
        _clear_caches()


@pytest.mark.parametrize(("target", "engine"), [("chrome", "re2"), ("firefox", "regress")])
def test_engine_is_loaded_for_the_first_regular_expression(target: str, engine: str) -> None:
    code = f"""
import sys
from extlint.checks.request_rules import mistakes_in
rule = {{"id": 1, "condition": {{"urlFilter": "a"}}, "action": {{"type": "block"}}}}
assert not list(mistakes_in([rule], "{target}"))
assert not {{"re2", "regress"}} & sys.modules.keys()
rule["condition"] = {{"regexFilter": "a"}}
assert not list(mistakes_in([rule], "{target}"))
assert {{"re2", "regress"}} & sys.modules.keys() == {{"{engine}"}}
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def _clear_caches() -> None:
    request_regex._re2.cache_clear()
    request_regex._compile.cache_clear()
