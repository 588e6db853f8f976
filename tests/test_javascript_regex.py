"""JavaScript regular expressions: what they match, and the texts for which the result is unknown."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.text.javascript_regex import MAX_BRANCHES, MAX_UNITS, is_match, longest_text, syntax_error

SMILE = "\U0001f600"

MATCHING = [
    (r"^\d+$", "123"),
    (r"a", "bab"),
    (r"(?i)^[0-9a-f]+$", "DEADbeef"),
    (r"(?m)^b$", "a\nb"),
    (r"(?im)^B$", "a\rb"),
    (r"(?m)^b$", "a\u2028b"),
    (r"^https?:\/\/", "https://"),
    (r"^[\w-.]+$", "a-b.c"),
    (r"^[^\]]$", "a"),
    (r"^[^]$", "\n"),
    (r"^\{[0-9a-f]{2}\}$", "{0f}"),
    (r"^a{,2}$", "a{,2}"),
    (r"^(?<name>a|b)(?:c)?$", "bc"),
    (r"^a(?=b)b(?!c)$", "ab"),
    (r"(?<=\$)1", "$1"),
    (r"^\u00e9\x41\/$", "éA/"),
    (r"^\s$", "\ufeff"),
    (r"\B", ""),
    (r"^a+?b*?$", "aab"),
    (r"(a)\1", "aa"),
    (r"(?i:a)", "A"),
    (r"^([0-9]{1,3}\.){3}[0-9]{1,3}$", "127.0.0.1"),
    pytest.param(r"^..$", SMILE, id="two units of one code point"),
    pytest.param(r"^[^a]{2}$", SMILE, id="two units that are not a letter"),
    pytest.param(rf"^{SMILE}$", SMILE, id="a code point in the pattern"),
    pytest.param(rf"^[{SMILE}]", "\ude00", id="half a code point"),
    pytest.param(r"^.$", "\ud83d", id="a lone surrogate"),
]
NOT_MATCHING = [
    (r"^\d+$", "12a"),
    (r"^\d$", "\u0663"),
    (r"^\w$", "é"),
    (r"^a$", "a\n"),
    (r"^.$", "\r"),
    (r"^b$", "a\nb"),
    (r"[]", "a"),
    (r"^\S$", "\u2029"),
    (r"^[a-c&&b]$", "-"),
    (r"^\p{L}$", "a"),
    pytest.param(r"^.$", SMILE, id="two units of one code point"),
    pytest.param(r"^\w", SMILE, id="no letter"),
    pytest.param(rf"^[{SMILE}]$", SMILE, id="a set of two units"),
]
UNDECIDABLE = [
    pytest.param(r"(?s).", "a", id="an unknown flag"),
    pytest.param(r"(?i)^é$", "É", id="letter case beyond ASCII"),
    pytest.param(r"(?i)k", "\u212a", id="a letter whose lower case is ASCII"),
    pytest.param(r"(?i)\u212a", "k", id="the same in the pattern"),
    pytest.param(r"\u{61}", "a", id="an escape of code points"),
    pytest.param(r"\ud83d", SMILE, id="half a code point by name"),
    pytest.param(rf"^{SMILE}", "\ue03d", id="a private character, which stands for half a code point"),
    pytest.param(r"a++", "aa", id="a possessive repetition"),
    pytest.param(r"(", "a", id="an open group"),
    pytest.param(r"a)", "a", id="a closed group"),
    pytest.param(r"[a", "a", id="an open class"),
    pytest.param(r"[b-a]", "a", id="a range from back to front"),
    pytest.param(r"*", "a", id="nothing to repeat"),
    pytest.param("a|" * (MAX_BRANCHES + 1), "a", id="many branches"),
    pytest.param(r"^a", "a" * (MAX_UNITS + 1), id="a long text"),
    pytest.param(r"^a", SMILE * (MAX_UNITS // 2 + 1), id="a text with many units"),
]


@pytest.mark.parametrize(("pattern", "text"), MATCHING)
def test_pattern_matches(pattern: str, text: str) -> None:
    assert is_match(pattern, text) is True


@pytest.mark.parametrize(("pattern", "text"), NOT_MATCHING)
def test_pattern_does_not_match(pattern: str, text: str) -> None:
    assert is_match(pattern, text) is False


@pytest.mark.parametrize(("pattern", "text"), UNDECIDABLE)
def test_match_is_unknown(pattern: str, text: str) -> None:
    assert is_match(pattern, text) is None


HOSTILE = [
    pytest.param(r"^(a+)+$", 20, id="a repetition in a repetition"),
    pytest.param(r"^(a|a)*$", 20, id="a repeated alternative"),
    pytest.param(r"^(a|a|a|a)*$", 10, id="several of them"),
    pytest.param(r"^\w+(\.\w+)*$", 20, id="words between dots"),
    pytest.param(r"^(a|a){40}$", -1, id="a counted alternative"),
    pytest.param(r"^(?:a?a?){30}$", -1, id="repeated options"),
    pytest.param(r"^(a*)*$", -1, id="a repetition of what may be nothing"),
    pytest.param(r"^((?=a))*$", -1, id="a repeated look-ahead"),
    pytest.param(r"^((a|a){3}){3}b$", -1, id="a counted repetition of a counted one"),
    pytest.param(r"^(((a+)\w+|)?\w){2,}c", -1, id="an option in a repetition"),
    pytest.param(r"^.*a.*b.*c$", 125, id="three loops"),
    pytest.param(r".*a.*b.*c.*d", 18, id="four loops from anywhere"),
    pytest.param(r"^(.*a){3}$", 125, id="three loops by a count"),
    pytest.param(r"(a+)\1$", 125, id="a back reference"),
    pytest.param(r"^[a-z*+(|)]*$", 1_000, id="marks in a class"),
    pytest.param(r"^\(\*\)\+(\|a)+$", 1_000, id="escaped marks"),
    pytest.param(r"^[a-f]{64,128}$", 1_000, id="one loop"),
]
"""Patterns, and the length of the longest text that each is matched against."""


@pytest.mark.parametrize(("pattern", "longest"), HOSTILE)
def test_hostile_pattern_is_matched_only_against_short_texts(pattern: str, longest: int) -> None:
    assert longest_text(pattern, "") == longest
    for text in ("a" * max(longest - 1, 0) + "!", "a" * longest, "ab" * (longest // 2)):
        assert (is_match(pattern, text) is None) == (len(text) > longest)
    assert is_match(pattern, "a" * (longest + 1)) is None


ATOMS = (
    "a",
    "b",
    "[ab]",
    "a*",
    "a+",
    "a?",
    "(a|b)",
    "(a|a)",
    "(?:a?a?)",
    "(a+)",
    r"\w",
    r"\w+",
    ".*",
    "(|a)",
)
parts = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.builds(
        "({}){}".format,
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.sampled_from(["", "*", "+", "?", "{4}", "{30}", "{2,}", "{0,3}", "|b"]),
    ),
    max_leaves=6,
)


@given(parts, st.sampled_from(["$", "!$", "c", r"\1"]))
@settings(max_examples=examples(100), deadline=None)
def test_every_search_terminates(pattern: str, end: str) -> None:
    longest = longest_text(pattern + end, "")
    for text in ("a" * (longest - 1) + "!", "ab" * (longest // 2)):
        assert is_match(pattern + end, text) in ((None,) if len(text) > longest else (True, False))


@given(st.text(alphabet=r"ab1(|)[]{}^$*+?.\-,:=!<dwsBé" + SMILE, max_size=12), st.text(max_size=10))
@settings(max_examples=examples(300))
def test_arbitrary_pattern_and_text_do_not_raise(pattern: str, text: str) -> None:
    assert is_match(pattern, text) in (True, False, None)
    assert syntax_error(pattern) is None or is_match(pattern, "") is None


def test_regress_is_loaded_on_first_use() -> None:
    code = """
import sys
from extlint.text.javascript_regex import is_match
assert "regress" not in sys.modules
assert is_match("a", "a")
assert "regress" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
