"""URLs and hosts: Firefox's formats of the same names, and Chrome's where the name says so.

Only certain rejections are reported.
"""

from __future__ import annotations

from collections.abc import Callable

from extlint.text.formats.host import is_canonical_domain, is_hostname, is_origin, parses
from extlint.text.formats.package_path import relative_url, scheme_of
from extlint.text.formats.registry import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted

_SITE = lazy(r"(?:[a-z0-9][a-z0-9-]*+\.)++[a-z]{2,}+(?::[0-9]{1,5}+)?+(?:[/?#][!-~]*+)?+")
_WEB = ("https", "http")


def absolute_url(text: str) -> Problem | None:
    """Checks a URL with a scheme."""
    if parses(text) is not False:
        return None
    if not text.strip():
        return Problem("it is empty")
    if scheme_of(text) is not None and _SITE.fullmatch(text) is None:
        return Problem("browsers cannot parse it")
    return Problem(
        "it has no scheme, such as `https://`", f"https://{text}" if _SITE.fullmatch(text) else None
    )


def any_url(text: str) -> Problem | None:
    """Checks any URL, with a scheme or relative."""
    return absolute_url(text) if scheme_of(text) in _WEB else None


def url(text: str) -> Problem | None:
    """Checks a URL with a scheme that an extension may load."""
    return absolute_url(text) or relative_url(text)


def http_url(text: str) -> Problem | None:
    """Checks a URL that begins with `http://` or `https://`."""
    return url(text) or _other_scheme(text, _WEB)


def secure_url(text: str) -> Problem | None:
    """Checks a URL that begins with `https://`."""
    return url(text) or _other_scheme(text, _WEB[:1])


def chrome_homepage_url(text: str) -> Problem | None:
    """Checks `homepage_url` in Chrome: the URL of a website."""
    return _absolute_in_chrome(text) or _other_scheme(text, _WEB)


def chrome_update_url(text: str) -> Problem | None:
    """Checks `update_url` in Chrome: any URL without a fragment."""
    bare, fragment, _ = text.partition("#")
    problem = _absolute_in_chrome(bare)
    return Problem("it cannot contain a fragment (`#`)", bare) if fragment and problem is None else problem


def _absolute_in_chrome(text: str) -> Problem | None:
    """Checks a URL as in Firefox, except that hosts may contain spaces."""
    return None if " " in text.strip() and scheme_of(text) is not None else absolute_url(text)


def origin(text: str) -> Problem | None:
    """Checks that a text consists of the scheme and host of a website only."""
    if is_origin(text) is not False:
        return None
    problem = absolute_url(text) or _other_scheme(text, _WEB)
    if problem is not None:
        return problem
    scheme, _, rest = text.partition("://")
    host = rest.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0].rpartition("@")[2]
    if "*" in host:
        return Problem("the host cannot contain `*` here")
    bare = f"{scheme}://{host}"
    return Problem("only a scheme and a host are allowed here", bare if is_origin(bare) else None)


def hostname(text: str) -> Problem | None:
    """Checks a host as URLs write it, with an optional port."""
    return _host(text, is_hostname, with_port=True)


def canonical_domain(text: str) -> Problem | None:
    """Checks a host as URLs write it, without a port."""
    return _host(text, is_canonical_domain, with_port=False)


def _host(text: str, judge: Callable[[str], bool | None], *, with_port: bool) -> Problem | None:
    if judge(text) is not False:
        return None
    if not text.strip():
        return Problem("it is empty")
    host = text.partition("://")[2] or text
    bare = host.partition("/")[0].strip().lower().removeprefix("*.")
    suggestion = bare if judge(bare) else None
    if "/" in text:
        return Problem("it is a URL, but only a host is allowed here", suggestion)
    if text != text.lower() and text.isascii():
        return Problem("the host must be lowercase here", suggestion)
    if "*" in text:
        return Problem("the host cannot contain `*` here; it includes its subdomains", suggestion)
    if not text.isascii():
        return Problem("the host must be ASCII (Punycode) here")
    if not with_port and ":" in text:
        return Problem("a port is not allowed here")
    return Problem("it is not a host as URLs write it")


def _other_scheme(text: str, schemes: tuple[str, ...]) -> Problem | None:
    if scheme_of(text) in schemes:
        return None
    return Problem(f"it must begin with {listed([quoted(f'{each}://') for each in schemes], 'or')}")
