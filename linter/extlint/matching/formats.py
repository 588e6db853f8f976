"""The string formats of Firefox's schemas: the part of each that is well understood.

Every function answers True (certainly of that format), False (certainly refused) or None. Hosts and
URLs follow the URL standard's parser, which the formats of Firefox are defined by; what is left to
that parser's corners has no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from extlint.text.patterns import lazy

MAX_TEXT_LENGTH = 2_000
"""Longer strings (in code points) have no answer."""

MAX_PORT = 65_535

_MESSAGE = lazy(r"__MSG_[A-Za-z0-9_@]+?__")
_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_IGNORED_BY_URLS = lazy(r"[\t\n\r]")
_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_SPECIAL = frozenset({"http", "https", "ws", "wss", "ftp"})
_FORBIDDEN_IN_HOSTS = frozenset(" #%/:<>?@[\\]^|*\x7f") | frozenset(map(chr, range(0x20)))
_PLAIN_LABEL = lazy(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER_LABEL = lazy(r"[0-9]+|0x[0-9a-f]*")
_OCTET = lazy(r"0|[1-9][0-9]{0,2}")
_CANONICAL_PORT = lazy(r"0|[1-9][0-9]{0,4}")
_AUTHORITY = lazy(r"[/\\]*([^/\\?#]*)")
_DATE = lazy(
    r"[0-9]{4}-([0-9]{2})-([0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{3})?(?:Z|[-+]([0-9]{2}):?([0-9]{2})))?"
)
_IMAGES = ("data:image/png;base64,", "data:image/jpeg;base64,")


def has_format(name: str, text: str) -> bool | None:
    """Whether a string is of the format with this name; None if that cannot be told.

    A string that names a message of a locale file (`__MSG_title__`) may be replaced first.
    """
    judge = _FORMATS.get(name)
    if judge is None or len(text) > MAX_TEXT_LENGTH or _MESSAGE.search(text):
        return None
    return judge(text)


def _hostname(text: str) -> bool | None:
    """A host as URLs write it, with a port if there is one."""
    host, port = _split_port(text)
    if port is not None and not _is_canonical_port(port, default="80"):
        return False
    return _canonical_domain(host)


def _is_canonical_port(port: str, default: str) -> bool:
    return _CANONICAL_PORT.fullmatch(port) is not None and int(port) <= MAX_PORT and port != default


def _split_port(text: str) -> tuple[str, str | None]:
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        return text, None
    return host, port


def _canonical_domain(text: str) -> bool | None:
    """A host exactly as the URL parser would write it, without a port."""
    if text.startswith("["):
        return _is_canonical_ipv6(text)
    if not text or not text.isascii() or text != text.lower() or _FORBIDDEN_IN_HOSTS & set(text):
        return False
    return _is_plain_host(text)


def _is_plain_host(text: str) -> bool | None:
    labels = text.removesuffix(".").split(".")
    if all(label.isdigit() for label in labels):
        if text.endswith("."):
            return None
        return len(labels) == 4 and all(_OCTET.fullmatch(each) and int(each) <= 255 for each in labels)
    if _NUMBER_LABEL.fullmatch(labels[-1]) or any(label.startswith("xn--") for label in labels):
        return None
    if text.endswith(".") or not all(_PLAIN_LABEL.fullmatch(label) for label in labels):
        return None
    return True


def _is_canonical_ipv6(text: str) -> bool:
    import ipaddress

    try:
        address = ipaddress.IPv6Address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return text == f"[{_ipv6_text(int(address))}]"


def _ipv6_text(number: int) -> str:
    pieces = [f"{number >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
    start, length = 0, 1
    for at in range(8):
        run = next((end for end in range(at, 8) if pieces[end] != "0"), 8) - at
        if run > length:
            start, length = at, run
    if length == 1:
        return ":".join(pieces)
    return f"{':'.join(pieces[:start])}::{':'.join(pieces[start + length :])}"


def _url(text: str) -> bool | None:
    """An absolute URL that an extension may load; the latter cannot be told."""
    return False if _parses(text) is False else None


def _parses(text: str) -> bool | None:
    """Whether the URL parser takes it without a base."""
    text = _IGNORED_BY_URLS.sub("", text.strip(_C0_AND_SPACE))
    scheme = _SCHEME.match(text)
    if scheme is None:
        return False
    rest = text[scheme.end() :]
    if scheme[1].lower() not in _SPECIAL:
        return None if rest.startswith("/") or scheme[1].lower() == "file" else True
    authority = _AUTHORITY.match(rest)
    if authority is None or not authority[1]:
        return False
    host, port = _split_port(authority[1].rpartition("@")[2])
    if not host:
        return False
    if port and not (port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
        return False
    if set(host) & set(" <>^|"):
        return False
    return True if _is_plain_host(host.lower()) else None


def _relative_url(text: str) -> bool | None:
    """Whatever the page's own address turns into a URL that may be loaded."""
    return True if _is_path(text) else None


def _strict_relative_url(text: str) -> bool | None:
    """A URL that says neither scheme nor host."""
    if text.startswith("//"):
        return False
    if _is_path(text):
        return True
    return False if _parses(text) else None


def _is_path(text: str) -> bool:
    """Whether a base gives it scheme and host, so that nothing can be wrong with them."""
    rest = _IGNORED_BY_URLS.sub("", text).lstrip(_C0_AND_SPACE)
    return _SCHEME.match(rest) is None and not rest.startswith(("//", "\\", "/\\"))


def _image_or_strict_relative_url(text: str) -> bool | None:
    return True if text.startswith(_IMAGES) else _strict_relative_url(text)


def _origin(text: str) -> bool | None:
    """Scheme and host of the web, and nothing after them."""
    if _parses(text) is False or text.endswith("/"):
        return False
    scheme = _SCHEME.match(text)
    if scheme is None or _IGNORED_BY_URLS.search(text):
        return None
    if scheme[1].lower() not in ("http", "https"):
        return False
    authority = _AUTHORITY.match(text, scheme.end())
    if authority is None or "*" in authority[1] or authority[1].rpartition("@")[0].strip(":"):
        return False
    after = text[authority.end() :].strip(_C0_AND_SPACE)
    if not after:
        return _parses(text)
    if after[0] in "?#":
        return False
    path = re.split(r"[?#]", after, maxsplit=1)[0]
    may_lead_back = "%" in path or "\\" in path or {".", ".."} & set(path.split("/"))
    return None if may_lead_back or not path.strip("/") else False


def _date(text: str) -> bool | None:
    """A day, or a moment with its time zone, in ISO 8601."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    month, day, hour, minute, second, zone_hour, zone_minute = (int(each or 0) for each in found.groups())
    if not 1 <= month <= 12 or not 1 <= day <= 31 or hour > 24 or minute > 59 or second > 59:
        return False
    if day > 28 or hour == 24 or zone_hour > 14 or zone_minute > 59:
        return None
    return True


def _anything(_text: str) -> bool:
    """What is wrong is only logged, and the value is taken all the same."""
    return True


_FORMATS: dict[str, Callable[[str], bool | None]] = {
    "hostname": _hostname,
    "canonicalDomain": _canonical_domain,
    "url": _url,
    "origin": _origin,
    "relativeUrl": _relative_url,
    "strictRelativeUrl": _strict_relative_url,
    "unresolvedRelativeUrl": _strict_relative_url,
    "imageDataOrStrictRelativeUrl": _image_or_strict_relative_url,
    "date": _date,
    "contentSecurityPolicy": _anything,
    "versionString": _anything,
}

FORMAT_WORDS = {
    "hostname": "a host name such as example.org",
    "canonicalDomain": "a host name in its canonical form, such as example.org",
    "url": "an absolute URL such as https://example.org/",
    "origin": "the origin of a website, without a path, such as https://example.org",
    "relativeUrl": "a URL",
    "strictRelativeUrl": "a relative URL such as images/icon.png",
    "unresolvedRelativeUrl": "a relative URL such as images/icon.png",
    "imageDataOrStrictRelativeUrl": "a relative URL such as images/icon.png, or a data: URL of a PNG or JPEG",
    "date": "a date such as 2016-03-04T08:00:00Z",
}
"""What strings of a format are, for messages."""
