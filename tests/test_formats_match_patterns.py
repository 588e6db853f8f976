"""Match patterns in Firefox and Chrome."""

from __future__ import annotations

import re

import pytest
from format_tables import Row, accepted_texts, reported
from hypothesis import given
from hypothesis import strategies as st

from extlint.text.formats.registry import problem

FIREFOX = "firefox-match-pattern"
CHROME = "chrome-match-pattern"

ACCEPTED = [
    "<all_urls>",
    "*://*/*",
    "http://*/*",
    "https://example.com/",
    "https://*.example.com/*",
    "https://example.com/a/*/b?c=*#d",
    "https://example.com:8443/*",
    "http://localhost:8080/*",
    "http://127.0.0.1/*",
    "http://[::1]/*",
    "http://[::1]:8080/*",
    "https://EXAMPLE.com/*",
    "https://münchen.example/*",
    "https://sub_domain.example/*",
    "file:///*",
    "file:///home/*",
    "ftp://*/*",
]

REJECTED: list[Row] = [
    ("", "it is empty", None),
    ("  ", "it is empty", None),
    ("htp://x/*", "the scheme `htp` is not allowed here", "http://x/*"),
    ("htps://*.x.org/a", "the scheme `htps` is not allowed here", "https://*.x.org/a"),
    ("HTTP://example.com/*", "the scheme `HTTP` must be lowercase", "http://example.com/*"),
    ("http*://example.com/*", "the scheme for http and https is `*`", "*://example.com/*"),
    ("https?://example.com/*", "the scheme for http and https is `*`", "*://example.com/*"),
    ("chrome://*/*", "the scheme `chrome` is not allowed here", None),
    ("data:*", "the scheme `data` is not allowed here", None),
    ("://*/*", "the scheme before `://` is missing; `*` stands for http and https", "*://*/*"),
    ("http:/example.com/*", "`://` must follow the scheme `http`", "http://example.com/*"),
    (" https://example.com/*", "it starts with a space", "https://example.com/*"),
    ("https://example.com", "it has no path; `/*` matches every path", "https://example.com/*"),
    ("*://*", "it has no path; `/*` matches every path", "*://*/*"),
    ("https://example.com?q=1", "it has no path; `/*` matches every path", None),
    ("https://example.com\\*", "it has no path; `/*` matches every path", "https://example.com/*"),
    ("https:///example.com/*", "it has no host; `*` matches every host", "https://example.com/*"),
    ("https://", "it has no host; `*` matches every host", None),
    ("http://*./*", "it has no host; `*` matches every host", None),
    ("<all-urls>", "the pattern for all pages is `<all_urls>`", "<all_urls>"),
    ("all_urls", "the pattern for all pages is `<all_urls>`", "<all_urls>"),
    ("<All_URLs>", "the pattern for all pages is `<all_urls>`", "<all_urls>"),
]

NO_SCHEME = "it must begin with a scheme such as `https://`, or with `*://` for http and https"
WITHOUT_SCHEME: list[Row] = [
    ("*.example.com", NO_SCHEME, "*://*.example.com/*"),
    ("example.com/news/*", NO_SCHEME, "*://example.com/news/*"),
    ("//example.com/*", NO_SCHEME, "*://example.com/*"),
    ("localhost:3000/*", NO_SCHEME, "*://localhost:3000/*"),
    ("*", NO_SCHEME, "*://*/*"),
    ("http//example.com/*", NO_SCHEME, "http://example.com/*"),
    ("tabs", NO_SCHEME, None),
    ("all sites", NO_SCHEME, None),
]

STAR = "`*` must be the whole host or its first part (`*.example.com`), not as in "
STARS_IN_HOSTS: list[Row] = [
    ("https://*foo.com/*", f"{STAR}`*foo.com`", "https://*.foo.com/*"),
    ("http://*foo/", f"{STAR}`*foo`", "http://*.foo/"),
    ("https://www.google.*/*", f"{STAR}`www.google.*`", None),
    ("https://*.google.*/*", f"{STAR}`*.google.*`", None),
    ("https://www.*.org/*", f"{STAR}`www.*.org`", None),
]


@pytest.mark.parametrize("name", [FIREFOX, CHROME, "chrome-host-permission", "chrome-connectable-pattern"])
def test_patterns_accepted_by_every_browser(name: str) -> None:
    assert accepted_texts(name, ACCEPTED) == ACCEPTED


@pytest.mark.parametrize("name", [FIREFOX, CHROME, "chrome-host-permission"])
@pytest.mark.parametrize("table", [REJECTED, STARS_IN_HOSTS], ids=["forms", "stars in hosts"])
def test_patterns_rejected_by_every_browser(name: str, table: list[Row]) -> None:
    assert reported(name, table) == table


def test_suggestion_for_missing_scheme_covers_http_and_https() -> None:
    assert reported(FIREFOX, WITHOUT_SCHEME) == WITHOUT_SCHEME


def test_chrome_rejects_ports_with_scheme_wildcard() -> None:
    table: list[Row] = [
        ("*://host:8443/*", "a pattern with the scheme `*` cannot have the port `8443`", None),
        ("localhost:3000/*", NO_SCHEME, None),
        ("http://host:/*", "the port after the colon is missing", "http://host/*"),
        ("http://host:99999/*", "`99999` is not a valid port", None),
        ("http://host:http/*", "`http` is not a valid port", None),
    ]
    assert reported(CHROME, table) == table
    takes = ["*://host:*/*", "http://host:*/*", "http://*:80/*", "http://host:0/*", "http://host:00080/*"]
    assert accepted_texts(CHROME, takes) == takes


def test_firefox_rejects_port_wildcard() -> None:
    message = "the port cannot be `*`; a pattern without a port matches every port"
    table: list[Row] = [
        ("http://x:*/*", message, "http://x/*"),
        ("*://*.x.org:*/*", message, "*://*.x.org/*"),
    ]
    assert reported(FIREFOX, table) == table


def test_firefox_accepts_websocket_and_privileged_schemes() -> None:
    takes = ["ws://*/*", "wss://x.org/", "resource://*/*", "about:blank", "about:reader*"]
    assert accepted_texts(FIREFOX, takes) == takes
    table: list[Row] = [
        ("file://*", "it has no path; `/*` matches every path", "file:///*"),
        ("moz-extension://*/*", "the scheme `moz-extension` is not allowed here", None),
        ("http://x/\n*", "it contains a line break", None),
    ]
    assert reported(FIREFOX, table) == table


CHROME_HOSTS: list[Row] = [
    ("https://user@host/*", "a host cannot contain `@`", None),
    ("https://a?b/*", "a host cannot contain `?`", None),
    ("https://a<b/*", "a host cannot contain `<`", None),
    ("https://a%/*", "a host cannot contain `%`", None),
    ("https://256.1.1.1/*", "`256.1.1.1` ends like an IPv4 address, but is not a valid one", None),
    ("https://1.2.3.4.5/*", "`1.2.3.4.5` ends like an IPv4 address, but is not a valid one", None),
    ("https://*.example.1/*", "`example.1` ends like an IPv4 address, but is not a valid one", None),
    ("https://[::g]/*", "`[::g]` is not a valid IPv6 address", None),
    ("https://[::1/*", "`[::1` is not a valid IPv6 address", None),
]


def test_chrome_rejects_invalid_hosts() -> None:
    assert reported(CHROME, CHROME_HOSTS) == CHROME_HOSTS
    texts = [text for text, _, _ in CHROME_HOSTS]
    assert accepted_texts(FIREFOX, texts) == texts
    takes = ["https://1.2.3/*", "https://*.1.2.3.4/*", "https://a b/*", "https://a..b/*", "file://*"]
    assert accepted_texts(CHROME, takes) == takes


CHROME_SCHEMES = {
    CHROME: ["uuid-in-package:*"],
    "chrome-host-permission": ["ws://x/*", "wss://x/*", "uuid-in-package:*"],
    "chrome-host-permission-2": ["ws://x/*", "wss://x/*", "uuid-in-package:*", "chrome://favicon/*"],
    "chrome-connectable-pattern": [
        "ws://x/*",
        "wss://x/*",
        "chrome://favicon/*",
        "devtools://*/*",
        "uuid-in-package:*",
        "data:*",
        "about:blank",
    ],
    "chrome-resource-pattern": ["ws://x/*", "wss://x/*", "chrome://favicon/*", "devtools://*/*"],
}


@pytest.mark.parametrize("name", CHROME_SCHEMES)
def test_chrome_schemes_depend_on_the_key(name: str) -> None:
    every = {text: None for texts in CHROME_SCHEMES.values() for text in texts}
    assert set(accepted_texts(name, every)) == set(CHROME_SCHEMES[name])


def test_chrome_resource_patterns_match_entire_origins() -> None:
    table: list[Row] = [
        ("https://x.org/a/*", "its path must be `/*`, not `/a/*`", "https://x.org/*"),
        ("https://x.org/", "its path must be `/*`, not `/`", "https://x.org/*"),
        ("https://x.org", "it has no path; `/*` matches every path", "https://x.org/*"),
    ]
    assert reported("chrome-resource-pattern", table) == table
    takes = ["<all_urls>", "*://*/*", "https://*.x.org/*", "file:///*"]
    assert accepted_texts("chrome-resource-pattern", takes) == takes


def test_quoted_pattern_is_truncated() -> None:
    found = problem(CHROME, f"https://www.*{'a' * 100_000}/*")
    assert found is not None
    assert len(found.message) < 250


SCHEMA = re.compile(
    r"^(https?|wss?|file|ftp|\*)://(\*|\*\.[^*/]+|[^*/]+)/[^\n\r\u2028\u2029]*\Z"
    r"|^file:///[^\n\r\u2028\u2029]*\Z"
    r"|^resource://(\*|\*\.[^*/]+|[^*/]+)/[^\n\r\u2028\u2029]*\Z|^about:"
)
"""The regular expressions in Firefox's schemas for match patterns, in Python syntax."""

PIECES = [
    "http",
    "https",
    "file",
    "ws",
    "about",
    "resource",
    ":",
    "/",
    "//",
    "://",
    "*",
    ".",
    "a",
    "\n",
    ":80",
]


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_firefox_agrees_with_its_schemas(text: str) -> None:
    assert (problem(FIREFOX, text) is None) == (SCHEMA.search(text) is not None)


@given(st.sampled_from(sorted(CHROME_SCHEMES)), st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_suggested_patterns_are_valid(name: str, text: str) -> None:
    for each in (name, FIREFOX):
        found = problem(each, text)
        if found is not None and found.suggestion is not None:
            assert problem(each, found.suggestion) is None
