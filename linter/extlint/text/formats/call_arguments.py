"""Strings in calls that browsers refuse although the schemas accept any string.

Each function names the browser that it describes. Verified in Firefox 153 and Chromium 156 by
`extlint_judge refused-calls`. Only certain refusals are reported.
"""

from __future__ import annotations

from extlint.text.formats.host import parses
from extlint.text.formats.match_pattern import ALL_URLS, chrome_connectable, corrected_pattern
from extlint.text.formats.package_path import scheme_of
from extlint.text.formats.registry import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

_WEB = ("http", "https")
_WITH_HOST = ("http", "https", "ws", "wss", "ftp", "*")
_WHOLE = lazy(r"[^:/]+://[^/]+/[\s\S]*")
_OPEN_PAGES = lazy(r"(?i)about:(?:blank|srcdoc)(?![^?#])")
"""The only `about:` pages of Firefox 153 that extensions can open, of 60 that were tried."""

_CLOSED_SCHEMES = ("javascript", "data", "chrome", "resource", "file")
_CLOSED_PATTERNS = ("about", "chrome", "chrome-extension", "javascript")
_WITHOUT_COOKIES = frozenset(
    """
    about blob brave chrome chrome-extension data edge javascript mailto resource view-source
    """.split()
)
_NATIVE_HOST = lazy(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*+")
_FIREFOX_BOOKMARK = lazy(r"[A-Za-z0-9_-]{12}")
_DOWNLOAD_FIELDS = frozenset(
    """
    bytesReceived canResume danger endTime error estimatedEndTime exists fileSize filename finalUrl id
    incognito mime paused startTime state totalBytes url
    """.split()
)

_RESERVED_HEADERS = frozenset(
    """
    accept-charset accept-encoding access-control-request-headers access-control-request-method connection
    content-length cookie cookie2 date dnt expect host keep-alive origin te trailer transfer-encoding upgrade
    via
    """.split()
)
_RESERVED_IN_CHROME = frozenset({"referer", "set-cookie", "user-agent"})

MAX_BADGE_BYTES = 100
"""The maximum length of a badge in Chrome, in bytes of UTF-8."""


def chrome_pattern(text: str) -> Problem | None:
    """Checks match patterns of tabs, requests and menus, which may have any scheme that Chrome knows."""
    scheme, colon, rest = text.partition(":")
    if scheme.lower() == "javascript":
        return None
    return chrome_connectable(f"{scheme.lower()}{colon}{rest}")


def firefox_pattern(text: str) -> Problem | None:
    """Checks match patterns of tabs and scripts, whose schemes Firefox does not restrict here."""
    scheme, colon, _ = text.partition(":")
    if text == ALL_URLS or (colon and scheme.lower() not in _WITH_HOST) or _WHOLE.fullmatch(text):
        return None
    suggestion = corrected_pattern(text, _WITH_HOST)
    return Problem(
        "it must have a scheme, a host and a path, as `https://example.org/*`",
        suggestion if suggestion is not None and _WHOLE.fullmatch(suggestion) else None,
    )


def firefox_web_pattern(text: str) -> Problem | None:
    """Checks match patterns of scripts and menus in Firefox, which may not have every scheme."""
    scheme = text.partition(":")[0]
    if scheme != scheme.lower():
        return Problem("its scheme must be lowercase")
    if ":" in text and scheme in _CLOSED_PATTERNS:
        return Problem(f"the scheme {quoted(scheme)} is not allowed here")
    return firefox_pattern(text)


def absolute(text: str) -> Problem | None:
    """Checks URLs that browsers do not complete."""
    if parses(text) is not False or " " in text:
        return None
    return Problem("it must be an absolute URL, such as `https://example.org/`")


def absolute_or_empty(text: str) -> Problem | None:
    """Does the same for URLs that may be empty."""
    return absolute(text) if text else None


def web_scheme(text: str) -> Problem | None:
    """Checks the scheme of URLs of websites."""
    return None if scheme_of(text) in _WEB else Problem("it must begin with `https://` or `http://`")


def web_scheme_or_empty(text: str) -> Problem | None:
    """Does the same for URLs that may be empty."""
    return web_scheme(text) if text else None


def host_part(text: str) -> Problem | None:
    """Checks parts of hosts in filters. Both browsers accept an address, and then match nothing."""
    if "/" not in text:
        return None
    host = text.partition("://")[2].partition("/")[0] or text.partition("/")[0]
    return Problem("a host has no `/`, so that it matches nothing", host or None)


def path_start(text: str) -> Problem | None:
    """Checks beginnings of paths in filters."""
    if text.startswith("/") or not text:
        return None
    return Problem("a path begins with `/`, so that it matches nothing")


def website(text: str) -> Problem | None:
    """Checks URLs of websites."""
    return web_scheme(text) or absolute(text)


def website_or_empty(text: str) -> Problem | None:
    """Does the same for URLs that may be empty."""
    return website(text) if text else None


def chrome_opened(text: str) -> Problem | None:
    """Checks URLs that Chrome opens in a tab, which may be relative."""
    scheme = scheme_of(text)
    if scheme == "moz-extension":
        return _of_other_browser("chrome-extension")
    if scheme == "javascript":
        return Problem("Chrome opens no `javascript:` URL for an extension; use `scripting.executeScript`")
    return absolute(text) if scheme in _WEB or text.startswith("//") else None


def firefox_opened(text: str) -> Problem | None:
    """Checks URLs that Firefox opens in a tab, which may be relative."""
    scheme = scheme_of(text)
    if scheme == "about" and not _OPEN_PAGES.match(text):
        return Problem("Firefox does not open its own pages for an extension")
    if scheme == "chrome-extension":
        return _of_other_browser("moz-extension")
    if scheme in _CLOSED_SCHEMES:
        return Problem(f"Firefox opens no {quoted(f'{scheme}:')} URL for an extension")
    return absolute(text) if scheme in _WEB else None


def _of_other_browser(own: str) -> Problem:
    return Problem(f"pages of the package begin with {quoted(f'{own}:')} here; use `runtime.getURL`")


def firefox_saved(text: str) -> Problem | None:
    """Checks URLs that Firefox downloads."""
    scheme = scheme_of(text)
    if scheme == "data":
        return Problem("Firefox downloads no `data:` URL; use `URL.createObjectURL` with a `Blob`")
    return Problem(f"Firefox downloads no {quoted(f'{scheme}:')} URL") if scheme in _CLOSED_SCHEMES else None


def header(text: str) -> Problem | None:
    """Checks the name of a header that a download sends."""
    name = text.lower()
    if name not in _RESERVED_HEADERS and not name.startswith(("proxy-", "sec-")):
        return None
    return Problem("only the browser may set this header")


def chrome_header(text: str) -> Problem | None:
    """Checks the name of a header that a download sends in Chrome, which reserves a few more."""
    found = Problem("only the browser may set this header")
    return found if text.lower() in _RESERVED_IN_CHROME else header(text)


def firefox_visited(text: str) -> Problem | None:
    """Checks URLs of Firefox's history."""
    scheme = scheme_of(text)
    if scheme in ("about", "chrome", "data", "javascript", "view-source"):
        return Problem(f"the history of Firefox has no {quoted(f'{scheme}:')} URLs")
    return absolute(text)


def own_page(text: str) -> Problem | None:
    """Checks the URLs of pages of the extension."""
    if scheme_of(text) in (None, "chrome-extension", "moz-extension") and not text.startswith("//"):
        return None
    return Problem("it must be a page of the extension")


def cookie_site(text: str) -> Problem | None:
    """Checks the URL of a cookie in Chrome, which has none for pages of the browser and of extensions."""
    scheme = scheme_of(text)
    if scheme in _WITHOUT_COOKIES:
        return Problem(f"no extension can access cookies of {quoted(f'{scheme}:')} URLs")
    return absolute(text)


def chrome_bookmark(text: str) -> Problem | None:
    """Checks the id of a bookmark in Chrome."""
    return (
        None
        if text.isascii() and text.isdecimal()
        else Problem("in Chrome, the id of a bookmark is a number")
    )


def chrome_folder(text: str) -> Problem | None:
    """Checks the id of a folder of bookmarks in Chrome to which something is added."""
    if text == "0":
        return Problem("nothing can be added to the root of all bookmarks")
    return chrome_bookmark(text)


def firefox_bookmark(text: str) -> Problem | None:
    """Checks the id of a bookmark in Firefox."""
    if not text or _FIREFOX_BOOKMARK.fullmatch(text):
        return None
    return Problem("in Firefox, the id of a bookmark has 12 characters, such as `toolbar_____`")


def firefox_folder(text: str) -> Problem | None:
    """Checks the id of a folder of bookmarks in Firefox to which something is added."""
    if text == "root________":
        return Problem("nothing can be added to the root of all bookmarks")
    return firefox_bookmark(text) if text else Problem("it is empty")


def suggestion(text: str) -> Problem | None:
    """Checks the description of a suggestion of Chrome's omnibox, which is XML."""
    from xml.parsers import expat

    parser = expat.ParserCreate()
    try:
        parser.Parse(f"<a>{text}</a>", True)
    except (expat.ExpatError, UnicodeEncodeError):
        return Problem("it must be XML: write `&amp;` for `&` and `&lt;` for `<`, and close each element")
    return None


def search_order(text: str) -> Problem | None:
    """Checks a field by which found downloads are sorted, after `-` in descending order."""
    name = text.removeprefix("-")
    if name in _DOWNLOAD_FIELDS:
        return None
    near = nearest(name, _DOWNLOAD_FIELDS)
    return Problem("downloads have no such field", None if near is None else text.replace(name, near))


def web_origin(text: str) -> Problem | None:
    """Checks the origin of data that the browser removes."""
    return None if "://" in text else Problem("it must be an origin, such as `https://example.org`")


def firefox_shortcut(text: str) -> Problem | None:
    """Checks a keyboard shortcut in Firefox; an empty one removes it."""
    from extlint.text.formats.shortcut import firefox

    return firefox(text) if text else None


def not_empty(text: str) -> Problem | None:
    """Checks that a text is not empty."""
    return None if text else Problem("it is empty")


def chrome_native_host(text: str) -> Problem | None:
    """Checks names of native messaging hosts in Chrome."""
    is_valid = _NATIVE_HOST.fullmatch(text) is not None
    return (
        None
        if is_valid
        else Problem("it must have only lowercase letters, digits, `_` and single dots between them")
    )


def script_id(text: str) -> Problem | None:
    """Checks the ids of registered scripts."""
    return Problem("an id must not begin with `_`") if not text or text.startswith("_") else None


def badge_text(text: str) -> Problem | None:
    """Checks the length of badges in Chrome, in bytes of UTF-8."""
    if len(text.encode("utf-8", "replace")) <= MAX_BADGE_BYTES:
        return None
    return Problem(f"a badge can have at most {MAX_BADGE_BYTES} bytes")
