"""Match patterns and globs, which select the pages of a script or a permission.

Firefox checks them with the regular expressions of its schemas (`MatchPattern`), Chrome with a parser of its
own (`URLPattern`) that accepts different schemes in each key.

A text that is not a match pattern is corrected, if the intention is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from extlint.text.formats.host import NO_HOST, wrong_in_chrome, wrong_in_firefox
from extlint.text.formats.registry import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

ALL_URLS = "<all_urls>"

BOTH_SCHEMES = frozenset(
    "http* http? https* https? http(s) http(s)? http|https https|http *http *https".split()
)
"""Common notations for "http and https", which a pattern writes as `*`."""

_WRITTEN = lazy(r"(?:([^:/\\.\s]*+)(?::[/\\]{1,3}|//))?+([\s\S]*+)")
_SITE = lazy(r"(?i:(?:\*\.?)?+(?:[a-z0-9_-]++(?:\.[a-z0-9_-]++)++|localhost)(?::[0-9]{1,5}+)?+|\*)")
_STAR_BEFORE_NAME = lazy(r"\*[A-Za-z0-9_-][^*]*+")


def means_all_urls(text: str) -> bool:
    """Whether a text is a different notation of `<all_urls>`."""
    bare = text.strip().strip("<>*").replace("-", "_").lower()
    return bare == "all_urls" or nearest(bare, ("all_urls",)) is not None


def meant_scheme(written: str, schemes: Sequence[str]) -> str | None:
    """Returns the scheme that a text stands for, or None if unclear."""
    lower = written.lower()
    if lower in BOTH_SCHEMES:
        return "*"
    return lower if lower in schemes else nearest(lower, schemes)


def corrected_pattern(text: str, schemes: Sequence[str]) -> str | None:
    """Returns the pattern that a text probably stands for, or None if unclear. It may still be invalid."""
    if means_all_urls(text):
        return ALL_URLS
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        return None
    scheme = meant_scheme(written[1] or "*", schemes)
    host, slash, path = written[2].replace("\\", "/").partition("/")
    if scheme is None or (written[1] is None and _SITE.fullmatch(host) is None):
        return None
    if scheme == "file":
        return f"file:///{written[2].lstrip('/')}"
    if not slash:
        if set("?#") & set(host):
            return None
        path = "*"
    if _STAR_BEFORE_NAME.fullmatch(host):
        host = f"*.{host[1:]}"
    host = host.removesuffix(":*").removesuffix(":")
    return f"{scheme}://{host}/{path}"


_HOST = r"(?:\*(?:\.[^*/]++)?+|[^*/]++)"
_REST = r"[^\n\r\u2028\u2029]*+"
_FIREFOX = lazy(rf"(?:https?|wss?|file|ftp|\*|resource)://{_HOST}/{_REST}|file:///{_REST}|about:[\s\S]*+")
_OTHER_SCHEME = lazy(r"[A-Za-z][A-Za-z+-]*+")
_LINE_END = lazy(r"[\n\r\u2028\u2029]")


class _Grammar(Struct, frozen=True):
    """The patterns of a key: schemes before `://`, schemes before just a colon, and the check of hosts."""

    schemes: tuple[str, ...]
    without_host: tuple[str, ...]
    wrong_host: Callable[[str, str], str | None]


_WEB = ("http", "https", "file", "ftp", "*")
_SOCKETS = ("ws", "wss")
_CHROME_PAGES = ("chrome", "chrome-extension", "chrome-untrusted", "devtools", "isolated-app")
_PACKED = ("uuid-in-package",)

_IN_FIREFOX = _Grammar((*_WEB, *_SOCKETS, "resource"), ("about",), wrong_in_firefox)
_SCRIPTS = _Grammar(_WEB, _PACKED, wrong_in_chrome)
_PERMISSIONS = _Grammar((*_WEB, *_SOCKETS), _PACKED, wrong_in_chrome)
_CONNECTABLE = _Grammar(
    (*_WEB, *_SOCKETS, *_CHROME_PAGES), (*_PACKED, "about", "data", "urn"), wrong_in_chrome
)
_CONTENT = _Grammar(("http", "https", "*"), (), wrong_in_chrome)
_RESOURCES = _Grammar((*_WEB, *_SOCKETS, *_CHROME_PAGES), (), wrong_in_chrome)


def firefox(text: str) -> Problem | None:
    """Checks patterns of web pages and sockets, and of pages that only privileged extensions can access."""
    if text == ALL_URLS or _FIREFOX.fullmatch(text):
        return None
    return _problem(text, _IN_FIREFOX)


_PORT = lazy(r":[0-9]+\Z")
_PARTS = lazy(r"([a-z]+|\*)://([^/]*)(/[\s\S]*)")


def unmatched_in_firefox(patterns: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Yields the patterns that Firefox accepts although they match nothing: their hosts are in no address.

    Yields the index of each, the reason, and the pattern as it was meant, unless another pattern matches the
    same pages. Verified in Firefox 153 by `extlint_judge request-patterns`.
    """
    for at, text in enumerate(patterns):
        found = _PARTS.fullmatch(text)
        if found is None:
            continue
        host = _PORT.sub("", found[2])
        reason = None if host == found[2] else "patterns have no ports in Firefox"
        if not host.isascii():
            host = ".".join(map(_in_punycode, host.split(".")))
            reason = reason or "Firefox does not convert hosts to Punycode"
        meant = f"{found[1]}://{host}{found[3]}"
        if reason is not None and not any(_covers(each, meant) for each in patterns):
            yield at, f"matches nothing, as {reason}", meant


def _in_punycode(label: str) -> str:
    """Returns a part of a host as addresses have it."""
    if label.isascii():
        return label
    from unicodedata import normalize

    return f"xn--{normalize('NFKC', label.lower()).encode('punycode').decode()}"


def _covers(pattern: str, other: str) -> bool:
    """Whether a pattern certainly matches all that another one matches."""
    if pattern == ALL_URLS:
        return True
    one, two = _PARTS.fullmatch(pattern), _PARTS.fullmatch(other)
    if one is None or two is None or one[1] not in ("*", two[1]) or one[3] not in ("/*", two[3]):
        return False
    host = one[2].removeprefix("*.")
    return one[2] in ("*", two[2]) or (host != one[2] and f".{two[2]}".endswith(f".{host}"))


def chrome(text: str) -> Problem | None:
    """Checks patterns of content scripts."""
    return _problem(text, _SCRIPTS)


def chrome_host_permission(text: str) -> Problem | None:
    """Checks patterns of `host_permissions` and `optional_host_permissions`."""
    return _problem(text, _PERMISSIONS)


def chrome_host_permission_2(text: str) -> Problem | None:
    """Checks patterns among the permissions of Manifest V2, where the icons of pages had URLs."""
    return None if text.startswith("chrome://favicon/") else chrome_host_permission(text)


def chrome_connectable(text: str) -> Problem | None:
    """Checks patterns of `externally_connectable`, which accepts all schemes that Chrome knows."""
    return _problem(text, _CONNECTABLE)


def chrome_content(text: str) -> Problem | None:
    """Checks patterns of `contentSettings`, which select entire origins of websites."""
    scheme, slashes, rest = text.partition("://")
    if scheme == "file" and slashes:
        return Problem("a file has a path without `*`") if rest.endswith("*") else None
    return _problem(text, _CONTENT) or _wrong_path(text)


def chrome_resource(text: str) -> Problem | None:
    """Checks patterns of `web_accessible_resources`, which select entire origins: the path must be `/*`."""
    problem = _problem(text, _RESOURCES)
    if problem is not None:
        return Problem(problem.message, problem.suggestion and _origin_pattern(problem.suggestion))
    return _wrong_path(text)


def _wrong_path(text: str) -> Problem | None:
    """Returns the problem of a valid pattern that does not select an entire origin, or None."""
    whole = _origin_pattern(text)
    path = quoted(text[len(whole) - len("/*") :])
    return None if text in (whole, ALL_URLS) else Problem(f"its path must be `/*`, not {path}", whole)


def _origin_pattern(pattern: str) -> str:
    """Returns the pattern for the entire origin of a pattern; file patterns stay unchanged."""
    scheme, slashes, rest = pattern.partition("://")
    return pattern if not slashes or scheme == "file" else f"{scheme}://{rest.partition('/')[0]}/*"


def _problem(text: str, grammar: _Grammar) -> Problem | None:
    reason = _reason(text, grammar)
    if reason is None:
        return None
    suggestion = corrected_pattern(text, grammar.schemes)
    if suggestion is not None and _reason(suggestion, grammar) is not None:
        suggestion = None
    return Problem(reason, suggestion)


def _reason(text: str, grammar: _Grammar) -> str | None:
    if text == ALL_URLS:
        return None
    if not text.strip():
        return "it is empty"
    if means_all_urls(text):
        return f"the pattern for all pages is `{ALL_URLS}`"
    scheme, slashes, rest = text.partition("://")
    if not slashes:
        return _reason_without_slashes(text, grammar)
    if scheme not in grammar.schemes:
        return _wrong_scheme(scheme, grammar)
    host, slash, path = rest.partition("/")
    is_chrome = grammar.wrong_host is wrong_in_chrome
    if scheme == "file" and (is_chrome or (slash and not host)):
        host = "*"
        if not rest:
            return "it has no path"
    elif not host:
        return NO_HOST
    elif not slash:
        return "it has no path; `/*` matches every path"
    if (wrong := grammar.wrong_host(scheme, host)) is not None:
        return wrong
    return "it contains a line break" if not is_chrome and _LINE_END.search(path) else None


def _reason_without_slashes(text: str, grammar: _Grammar) -> str | None:
    scheme, colon, rest = text.partition(":")
    if colon and scheme in grammar.without_host:
        return None if rest else "nothing follows the scheme"
    if colon and scheme in grammar.schemes:
        return f"`://` must follow the scheme {quoted(scheme)}"
    if colon and _OTHER_SCHEME.fullmatch(scheme) and not rest[:1].isdigit():
        return _wrong_scheme(scheme, grammar)
    return "it must begin with a scheme such as `https://`, or with `*://` for http and https"


def _wrong_scheme(scheme: str, grammar: _Grammar) -> str:
    if scheme != scheme.strip():
        return "it starts with a space"
    if scheme.lower() in grammar.schemes:
        return f"the scheme {quoted(scheme)} must be lowercase"
    if scheme.lower() in BOTH_SCHEMES:
        return "the scheme for http and https is `*`"
    if not scheme:
        return "the scheme before `://` is missing; `*` stands for http and https"
    return f"the scheme {quoted(scheme)} is not allowed here"


def is_glob(_text: str) -> bool:
    """Whether a text is a glob, as any text is.

    `*` matches any characters, and `?` one character, in Chrome at most one.
    """
    return True
