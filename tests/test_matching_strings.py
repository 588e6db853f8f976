"""JavaScript's patterns and the formats of strings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extlint.formats.arguments import ARGUMENTS, EXPECTED, argument_verdict
from extlint.formats.problem import Problem
from extlint.matching.patterns import MAX_UNITS, found_in

SMILE = "\U0001f600"

FOUND = [
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
    (r"^..$", SMILE),
    (r"\B", ""),
    (r"^a+?b*?$", "aab"),
]
NOT_FOUND = [
    (r"^\d+$", "12a"),
    (r"^\d$", "\u0663"),
    (r"^\w$", "é"),
    (r"^a$", "a\n"),
    (r"^.$", "\r"),
    (r"^.$", SMILE),
    (r"^b$", "a\nb"),
    (r"[]", "a"),
    (r"^\S$", "\u2029"),
    (r"^[a-c&&b]$", "-"),
]
NOT_TOLD = [
    pytest.param(r"(a)\1", "aa", id="a back reference"),
    pytest.param(r"^\p{L}$", "a", id="a property escape"),
    pytest.param(r"(?s).", "a", id="an unknown flag"),
    pytest.param(r"(?i:a)", "A", id="flags inside"),
    pytest.param(r"(?i)^é$", "É", id="letter case beyond ASCII"),
    pytest.param(r"a++", "aa", id="a possessive repetition"),
    pytest.param(r"(", "a", id="an open group"),
    pytest.param(r"a)", "a", id="a closed group"),
    pytest.param(r"[a", "a", id="an open class"),
    pytest.param(r"[b-a]", "a", id="a range from back to front"),
    pytest.param(r"*", "a", id="nothing to repeat"),
    pytest.param(r"(?=a)*", "a", id="a repeated look ahead"),
    pytest.param(r"^\c", "a", id="half a control letter"),
    pytest.param("a{99999999999999999999}", "a", id="a repetition beyond all bounds"),
    pytest.param(r"^a", "a" * (MAX_UNITS + 1), id="a long text"),
    pytest.param(r"^(a+)+$", "a" * 40 + "!", id="a repetition in a repetition"),
    pytest.param(r"^(a|a)*$", "a" * 40 + "!", id="a repeated alternative"),
    pytest.param(r"^(a?a?){30}$", "a" * 40 + "!", id="repeated options"),
    pytest.param(r".*a.*b.*c.*d", "a" * 900, id="many loops on a text of some length"),
]


@pytest.mark.parametrize(("pattern", "text"), FOUND)
def test_a_pattern_that_matches(pattern: str, text: str) -> None:
    assert found_in(pattern, text) is True


@pytest.mark.parametrize(("pattern", "text"), NOT_FOUND)
def test_a_pattern_that_does_not_match(pattern: str, text: str) -> None:
    assert found_in(pattern, text) is False


@pytest.mark.parametrize(("pattern", "text"), NOT_TOLD)
def test_a_pattern_that_has_no_answer(pattern: str, text: str) -> None:
    assert found_in(pattern, text) is None


@given(st.text(alphabet=r"ab1(|)[]{}^$*+?.\-,:=!<dwsBé" + SMILE, max_size=12), st.text(max_size=10))
@settings(max_examples=300)
def test_no_pattern_and_no_text_raises(pattern: str, text: str) -> None:
    assert found_in(pattern, text) in (True, False, None)


RIGHT = [
    ("hostname", "example.com"),
    ("hostname", "localhost:8080"),
    ("hostname", "[::1]:8080"),
    ("hostname", "127.0.0.1"),
    ("canonicalDomain", "a-b.example"),
    ("canonicalDomain", "[2001:db8::1:0:0:1]"),
    ("origin", "https://example.com"),
    ("origin", "http://localhost:8080"),
    ("relativeUrl", "page.html"),
    ("relativeUrl", "/page.html?a=http://b"),
    ("strictRelativeUrl", "page.html"),
    ("strictRelativeUrl", "images/a:b.png"),
    ("imageDataOrStrictRelativeUrl", "icon.png"),
    ("imageDataOrStrictRelativeUrl", "data:image/png;base64,AA"),
    ("date", "2016-03-04"),
    ("date", "2016-03-04T08:00:00Z"),
    ("date", "2016-03-04T08:00:00.000+0800"),
    ("versionString", "1.02"),
    ("contentSecurityPolicy", "nonsense"),
]
WRONG = [
    ("hostname", ""),
    ("hostname", "Example.com"),
    ("hostname", "example.com/"),
    ("hostname", "example.com:80"),
    ("hostname", "example.com:99999"),
    ("hostname", "user@example.com"),
    ("hostname", "1.2.3"),
    ("hostname", "300.1.1.1"),
    ("hostname", "*.example.com"),
    ("canonicalDomain", "example.com:8080"),
    ("canonicalDomain", "bücher.example"),
    ("canonicalDomain", "[::FFFF]"),
    ("canonicalDomain", "[1:0:0:0:0:0:0:1]"),
    ("canonicalDomain", "[nonsense]"),
    ("url", "page.html"),
    ("url", "http://"),
    ("url", "http://a b/"),
    ("url", "http://a:99999/"),
    ("origin", "https://example.com/"),
    ("origin", "https://example.com/path"),
    ("origin", "https://example.com#top"),
    ("origin", "https://user@example.com"),
    ("origin", "https://*.example.com"),
    ("origin", "ftp://example.com"),
    ("origin", "example.com"),
    ("strictRelativeUrl", "//example.com/a"),
    ("strictRelativeUrl", "https://example.com/a"),
    ("strictRelativeUrl", "data:text/plain,a"),
    ("imageDataOrStrictRelativeUrl", "data:image/svg+xml;base64,AA"),
    ("date", "today"),
    ("date", "2016-3-4"),
    ("date", "2016-99-99"),
    ("date", "2016-03-04T25:00:00Z"),
    ("date", "2016-03-04T08:00:00"),
]
UNCERTAIN = [
    ("url", "https://example.com/"),
    ("url", "__MSG_address__"),
    ("hostname", "xn--bcher-kva.example"),
    ("hostname", "a..b"),
    ("hostname", "."),
    ("origin", "https://bücher.example"),
    ("origin", "https://example.com/a/.."),
    ("relativeUrl", "https://example.com/"),
    ("strictRelativeUrl", "http://"),
    ("date", "2016-02-31"),
    ("url", "x" * 10_000),
    ("manifestShortcutKey", "Ctrl+A"),
]


@pytest.mark.parametrize(("name", "text"), RIGHT)
def test_a_string_in_a_format(name: str, text: str) -> None:
    assert argument_verdict(name, text) is True


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_a_string_that_is_not_in_a_format(name: str, text: str) -> None:
    assert isinstance(argument_verdict(name, text), Problem)


@pytest.mark.parametrize(("name", "text"), UNCERTAIN)
def test_a_string_whose_format_cannot_be_told(name: str, text: str) -> None:
    assert argument_verdict(name, text) is None


@given(st.sampled_from(sorted(ARGUMENTS)), st.text(max_size=30) | st.text("hpt:/.[]@a1%?#*\\\t", max_size=30))
@settings(max_examples=300)
def test_what_is_refused_can_be_put_into_words(name: str, text: str) -> None:
    verdict = argument_verdict(name, text)
    if isinstance(verdict, Problem):
        assert verdict.message
        assert EXPECTED[name]
    else:
        assert verdict in (True, None)
