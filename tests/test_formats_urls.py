"""Addresses, paths, hosts and dates."""

from __future__ import annotations

import pytest
from format_tables import Row, accepted_texts, reported

NO_URL = "browsers cannot parse it"
NO_SCHEME = "it has no scheme, such as `https://`"
WEB = "it must begin with `https://` or `http://`"

ADDRESSES = ["https://example.com", "http://example.com/a?b#c", "https://example.com:8443/"]
INVALID_ADDRESSES: list[Row] = [
    ("", "it is empty", None),
    ("example.com", NO_SCHEME, "https://example.com"),
    ("www.example.com/support?a=b", NO_SCHEME, "https://www.example.com/support?a=b"),
    ("/page.html", NO_SCHEME, None),
    ("see our page", NO_SCHEME, None),
    ("https://", NO_URL, None),
    ("https://exa|mple.com", NO_URL, None),
]


@pytest.mark.parametrize(
    "name", ["absolute-url", "url", "http-url", "chrome-homepage-url", "chrome-update-url"]
)
def test_absolute_urls(name: str) -> None:
    addresses = [each for each in ADDRESSES if name != "chrome-update-url" or "#" not in each]
    assert accepted_texts(name, addresses) == addresses
    assert reported(name, INVALID_ADDRESSES) == INVALID_ADDRESSES


def test_urls_that_extensions_cannot_load() -> None:
    takes = ["mailto:a@example.com", "about:blank", "ftp://example.com"]
    table: list[Row] = [
        ("data:text/plain,a", "a `data:` URL cannot be loaded from here", None),
        ("javascript:alert(1)", "a `javascript:` URL cannot be loaded from here", None),
        ("chrome://settings/", "a `chrome:` URL cannot be loaded from here", None),
        ("file:///etc", "a `file:` URL cannot be loaded from here", None),
    ]
    for name in ("url", "relative-url", "homepage-url"):
        assert accepted_texts(name, takes) == takes
        assert reported(name, table) == table


def test_website_urls() -> None:
    table: list[Row] = [("ftp://example.com", WEB, None), ("mailto:a@example.com", WEB, None)]
    for name in ("http-url", "chrome-homepage-url"):
        assert reported(name, table) == table


def test_secure_urls() -> None:
    table: list[Row] = [
        ("http://example.com/updates.json", "it must begin with `https://`", None),
        ("updates.json", NO_SCHEME, "https://updates.json"),
    ]
    assert reported("secure-url", table[:1]) == table[:1]
    assert accepted_texts("secure-url", ["https://example.com/updates.json"])


def test_chrome_update_url_has_no_fragment() -> None:
    table: list[Row] = [("https://a/#b", "it cannot contain a fragment (`#`)", "https://a/")]
    assert reported("chrome-update-url", table) == table


def test_any_url_may_be_relative() -> None:
    takes = ["", "a.png", "/a.png", "//example.com/a", "https://example.com", "data:,a"]
    assert accepted_texts("any-url", takes) == takes
    assert reported("any-url", [("https://", NO_URL, None)]) == [("https://", NO_URL, None)]


PATHS = ["", "https://exa mple.com", "a.png", "/a.png", "a/../b c.png?d#e", "ö.png", "./a.png"]


def test_package_paths() -> None:
    for name in ("strict-relative-url", "image-data-or-path", "relative-url", "homepage-url"):
        assert accepted_texts(name, PATHS) == PATHS
    host = "a host follows the two slashes, but the file must be in the package"
    is_url = "it is a URL, but the file must be in the package"
    table: list[Row] = [
        ("https://example.com/a.png", is_url, None),
        ("ftp://example.com/a.png", is_url, None),
        ("https://münchen.example/a.png", is_url, None),
        ("https://xn--mnchen-3ya.example", is_url, None),
        ("about:blank", is_url, None),
        ("chrome://settings/", is_url, None),
        ("//example.com/a.png", host, None),
    ]
    for name in ("strict-relative-url", "image-data-or-path"):
        assert reported(name, table) == table


def test_package_files() -> None:
    blank: list[Row] = [(" ", "it does not name a file", None), ("\t", "it does not name a file", None)]
    folders: list[Row] = [
        *(("?", "it does not name a file", None), ("#", "it does not name a file", None)),
        *(
            (path, "it names a folder", None)
            for path in ("/", ".", "..", "a/", "a/ ", "a/?", "./a/..", "a/.")
        ),
    ]
    assert reported("firefox-file", blank) == blank
    assert not accepted_texts("chrome-file", [text for text, *_ in blank + folders])
    assert reported("chrome-file", folders) == folders
    takes = ["", "a.png", "/a", "a/../b.html", "a.html?b#c", "a b", " a.png ", "#.png", "..a", "a."]
    for name in ("firefox-file", "chrome-file"):
        assert accepted_texts(name, takes) == takes


def test_chrome_pages_are_urls_and_other_files_are_paths() -> None:
    """Verified in Chromium with `extlint_judge file-names`."""
    assert not accepted_texts("chrome-file", ["a.png#/", "a.png?b/"])
    pages = [
        "",
        "a.html",
        "a.html?b",
        "a.html#b",
        "/a.html#/",
        "a.html#/b",
        "a.html?b=/",
        "a.html?b/#c/..",
        "a",
    ]
    assert accepted_texts("chrome-page", pages) == pages
    table: list[Row] = [
        *((text, "it does not name a file", None) for text in ("?", "#", "#/", "?a/b", " #/")),
        *((text, "it names a folder", None) for text in ("/", "/#/", "a/", "a/#/b.html", "a/?b", "a/..?b")),
        ("https://example.com/a.html#/", "it is a URL, but the file must be in the package", None),
    ]
    assert reported("chrome-page", table) == table


def test_data_url_images() -> None:
    takes = ["data:image/png;base64,AAAA", "data:image/jpeg;base64,AAAA"]
    assert accepted_texts("image-data-or-path", takes) == takes
    message = "a `data:` URL must begin with `data:image/png;base64,` or `data:image/jpeg;base64,` here"
    table: list[Row] = [
        ("data:image/svg+xml;base64,AAAA", message, None),
        ("data:image/svg+xml," + "%20" * 5_000, message, None),
        ("data:image/jpg;base64,AAAA", message, None),
    ]
    assert reported("image-data-or-path", table) == table


def test_origins() -> None:
    takes = ["https://example.com", "http://example.com:8080", "https://EXAMPLE.com"]
    assert accepted_texts("origin", takes) == takes
    more = "only a scheme and a host are allowed here"
    table: list[Row] = [
        ("", "it is empty", None),
        ("example.com", NO_SCHEME, "https://example.com"),
        ("https://example.com/", more, "https://example.com"),
        ("https://example.com/path", more, "https://example.com"),
        ("https://example.com#a", more, "https://example.com"),
        ("https://user@example.com", more, "https://example.com"),
        ("https://*.example.com", "the host cannot contain `*` here", None),
        ("ftp://example.com", WEB, None),
        ("https://", NO_URL, None),
    ]
    assert reported("origin", table) == table


def test_hosts() -> None:
    takes = ["example.com", "127.0.0.1", "localhost"]
    assert accepted_texts("canonical-domain", takes) == takes
    assert accepted_texts("hostname", [*takes, "example.com:8080"]) == [*takes, "example.com:8080"]
    url = "it is a URL, but only a host is allowed here"
    star = "the host cannot contain `*` here; it includes its subdomains"
    table: list[Row] = [
        ("", "it is empty", None),
        ("https://example.com/a", url, "example.com"),
        ("example.com/a", url, "example.com"),
        ("Example.com", "the host must be lowercase here", "example.com"),
        ("*.example.com", star, "example.com"),
        ("münchen.example", "the host must be ASCII (Punycode) here", None),
        ("exa mple.com", "it is not a host as URLs write it", None),
    ]
    for name in ("canonical-domain", "hostname"):
        assert reported(name, table) == table
    port: list[Row] = [("example.com:8080", "a port is not allowed here", None)]
    assert reported("canonical-domain", port) == port


def test_dates() -> None:
    takes = ["2016-03-04", "2016-03-04T08:00:00Z", "2016-03-04T08:00:00.123+02:00"]
    assert accepted_texts("date", takes) == takes
    message = "a date must look like `2016-03-04` or `2016-03-04T08:00:00Z`"
    table: list[Row] = [
        (text, message, None) for text in ("", "today", "2016-3-4", "2016-13-04", "04.03.2016")
    ]
    assert reported("date", table) == table
