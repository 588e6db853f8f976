"""Matches origins against the match patterns among an extension's permissions.

As in Chromium 156 and Firefox 153, the path of a pattern is ignored for permissions; a port counts in
Chromium.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from extlint.manifest.manifest import ALL_URLS, Manifest
from extlint.text.patterns import lazy

_PATTERN = lazy(
    r"(?P<scheme>\*|https?|wss?|ftp|file)://(?P<host>\*|(?:\*\.)?[^*/:]+)?(?::(?P<port>\d+|\*))?/.*"
)
_MATCHES_ALL = lazy(r"<all_urls>|[^:]*://\*/")
"""A match pattern of every host."""

_ADDRESS = lazy(r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+)(?::(?P<port>\d+))?(?:[/?#].*)?")
_PORTS = {"http": "80", "https": "443"}
_WEB = ("http", "https")
ANY_NAME = "any-other-page"
"""A part of a host name that no manifest contains."""


class Origin(Struct, frozen=True):
    """The origin of an address."""

    scheme: str
    host: str
    port: str


def origin_of(address: str) -> Origin | None:
    """Returns the origin of a web page's absolute address, or None for other or hard-to-parse texts."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    scheme = found["scheme"].lower()
    return Origin(scheme, found["host"].lower(), found["port"] or _PORTS[scheme])


def origins_in(pattern: str) -> Iterator[Origin]:
    """Yields one origin that a match pattern matches for each web scheme; an invalid pattern yields none."""
    found = _PATTERN.fullmatch("*://*/*" if pattern == ALL_URLS else pattern)
    if found is None or not found["host"] or not pattern.isascii():
        return
    host = f"{ANY_NAME}.example" if found["host"] == "*" else found["host"].lower()
    for scheme in _WEB if found["scheme"] == "*" else (found["scheme"],):
        if scheme in _WEB:
            port = found["port"] or "*"
            yield Origin(scheme, host.replace("*", ANY_NAME), _PORTS[scheme] if port == "*" else port)


def may_match_origin(patterns: Iterable[str], origin: Origin, *, related: bool) -> bool:
    """Whether a match pattern may match an origin; an invalid one may match any.

    With `related`, patterns for its parent or subdomains, and for other schemes and ports, are enough.
    """
    return any(_matches(each, origin, related) for each in patterns)


def _matches(text: str, origin: Origin, related: bool) -> bool:
    found = _PATTERN.fullmatch(text)
    if text == ALL_URLS or found is None or not text.isascii():
        return True
    scheme, host, port = found["scheme"], (found["host"] or "").lower(), found["port"] or "*"
    if scheme not in (*_WEB, "*"):
        return False
    name = host.removeprefix("*.")
    if related:
        return host == "*" or _is_in(origin.host, name) or _is_in(name, origin.host)
    is_host = host in ("*", origin.host) or (host != name and _is_in(origin.host, name))
    return is_host and scheme in ("*", origin.scheme) and port in ("*", origin.port)


def _is_in(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def is_of_content_scripts(manifest: Manifest, pattern: str) -> bool:
    """Whether a match pattern is that of sites for which the manifest has content scripts."""
    matched, origins = sites_of_content_scripts(manifest), [*origins_in(pattern)]
    return bool(origins) and all(may_match_origin(matched, each, related=False) for each in origins)


def sites_of_content_scripts(manifest: Manifest) -> list[str]:
    """Returns the match patterns of the content scripts in the manifest, except those of every site."""
    listed = manifest.get("content_scripts")
    entries = range(0 if listed is None else len([*listed.items()]))
    found = (each for at in entries for each, _ in manifest.strings("content_scripts", at, "matches"))
    return [each for each in found if not _MATCHES_ALL.match(each)]


_HOST = lazy(
    r"(?i)(?:(?:https?|wss?|ftp):)?//(?:[^/?#\\@\0]*@)?(\[[\da-f:]+\]|[\w.-]*)(?::\d+)?(?![^/?#\\\0])"
)
_OWN = lazy(
    r"(?i)(?:about|blob|chrome|chrome-extension|data|javascript|moz-extension):"
    r"|(?!//)(?:[./?#]|[^:\0]*[./?#]|\Z)"
)
"""An address that is relative, or has a scheme that requires no access to a host.

A mere word may stand for an address that users fill in.
"""

_IP = lazy(r"[\d.]+|\[.*\]")
_COMMON_LETTERS = 4
"""The first letters that sites of one organization share: `github.com` and `githubusercontent.com`."""


def requested_host(address: str) -> str | None:
    """Returns the host of an address, an empty text if a request of it leads to none, or None if unknown.

    What follows a NUL character is not known.
    """
    found = _HOST.match(address)
    if found is None:
        return "" if _OWN.match(address) else None
    host = found[1].lower()
    is_known = host == "localhost" or host.startswith("[") or ("." in host and not host.endswith("."))
    return host if is_known else None


def may_match_address(pattern: str, address: str) -> bool:
    """Whether a request of an address may require a match pattern, also if it is redirected.

    Any may require another pattern, such as `chrome://favicon/`.
    """
    host, found = requested_host(address), _PATTERN.fullmatch(pattern)
    if pattern == ALL_URLS or not host:
        return host != "" or (found is None and pattern != ALL_URLS)
    if found is None or not pattern.isascii() or found["host"] in (None, "*"):
        return True
    name = found["host"].lower().removeprefix("*.")
    if _IP.fullmatch(host) or _IP.fullmatch(name):
        return host == name
    labels = host.split(".")
    is_begun = "/" not in address.partition("//")[2] and address.endswith("\0")
    return (
        (len(_site(name)) >= _COMMON_LETTERS and _site(host).startswith(_site(name)[:_COMMON_LETTERS]))
        or _domain(host) == _domain(name)
        or (is_begun and any(name.startswith(".".join(labels[at:])) for at in range(len(labels))))
    )


def shares_name(pattern: str, word: str) -> bool:
    """Whether the name of a site in a match pattern begins like a word, as related names do."""
    found = _PATTERN.fullmatch(pattern)
    site = _site((found["host"] or "").lower().removeprefix("*.")) if found is not None else ""
    return len(site) >= _COMMON_LETTERS and word.lower().startswith(site[:_COMMON_LETTERS])


def _domain(host: str) -> str:
    return ".".join(host.split(".")[-2:])


def _site(host: str) -> str:
    """Returns the part of a host that names the site, without a suffix like `.com` or `.co.uk`."""
    labels = host.split(".")[:-1]
    return labels[-2] if len(labels) > 1 and len(labels[-1]) <= len("com") else labels[-1] if labels else host
