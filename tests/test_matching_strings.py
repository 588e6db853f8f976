"""The formats of strings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.schema.matching.scalars import ARGUMENTS, EXPECTED, argument_verdict
from extlint.text.formats.registry import Problem

VALID = [
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
INVALID = [
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


@pytest.mark.parametrize(("name", "text"), VALID)
def test_valid_string_is_accepted(name: str, text: str) -> None:
    assert argument_verdict(name, text) is True


@pytest.mark.parametrize(("name", "text"), INVALID)
def test_invalid_string_is_rejected(name: str, text: str) -> None:
    assert isinstance(argument_verdict(name, text), Problem)


@pytest.mark.parametrize(("name", "text"), UNCERTAIN)
def test_uncertain_string_has_no_verdict(name: str, text: str) -> None:
    assert argument_verdict(name, text) is None


@given(st.sampled_from(sorted(ARGUMENTS)), st.text(max_size=30) | st.text("hpt:/.[]@a1%?#*\\\t", max_size=30))
@settings(max_examples=examples(300))
def test_every_rejection_has_a_message(name: str, text: str) -> None:
    verdict = argument_verdict(name, text)
    if isinstance(verdict, Problem):
        assert verdict.message
        assert EXPECTED[name]
    else:
        assert verdict in (True, None)
