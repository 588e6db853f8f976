"""Hosts and URLs, by the rules of the URL standard that define Firefox's formats; hosts in match patterns.

Each function returns True, False, or None for corner cases of the URL parser and for long texts. Match
patterns are checked as each browser does.
"""

from __future__ import annotations

import re

from extlint.text.patterns import lazy
from extlint.text.wording import not_valid, quoted

MAX_PORT = 65_535

MAX_LENGTH = 2_000
"""The maximum number of code points in a text that is checked."""

_FORBIDDEN = frozenset(" #%/:<>?@[\\]^|*\x7f") | frozenset(map(chr, range(0x20)))
_PLAIN_LABEL = lazy(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER_LABEL = lazy(r"[0-9]+|0x[0-9a-f]*")
_OCTET = lazy(r"0|[1-9][0-9]{0,2}")
_CANONICAL_PORT = lazy(r"0|[1-9][0-9]{0,4}")


def is_hostname(text: str) -> bool | None:
    """Whether a text is a host as URLs write it, with an optional port."""
    if len(text) > MAX_LENGTH:
        return None
    host, port = split_port(text)
    if port is not None and not _is_canonical_port(port, default="80"):
        return False
    return is_canonical_domain(host)


def _is_canonical_port(port: str, default: str) -> bool:
    return _CANONICAL_PORT.fullmatch(port) is not None and int(port) <= MAX_PORT and port != default


def split_port(text: str) -> tuple[str, str | None]:
    """Returns a host and its port, or None as the port if it has no port."""
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        return text, None
    return host, port


def is_canonical_domain(text: str) -> bool | None:
    """Whether a text is a host exactly as the URL parser would write it, without a port."""
    if len(text) > MAX_LENGTH:
        return None
    if text.startswith("["):
        return _is_canonical_ipv6(text)
    if not text or not text.isascii() or text != text.lower() or _FORBIDDEN & set(text):
        return False
    return is_plain_host(text)


def is_plain_host(text: str) -> bool | None:
    """Whether a text is a name of letters, digits, `-` and `_`, or an IPv4 address."""
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


NO_HOST = "it has no host; `*` matches every host"
_WITH_PORTS = ("http", "https", "ftp", "ws", "wss")

_STAR_FIRST = lazy(r"\*(?:\.[^*]*+)?+")
_REFUSED = lazy(r"[\x00-\x1f\x7f#<>?@\[\\\]^|]|%(?![0-9A-Fa-f]{2})")
_PLAIN_NUMBER = lazy(r"0|[1-9][0-9]*+")


def wrong_in_firefox(_scheme: str, host: str) -> str | None:
    """Returns why Firefox rejects a host, or None: Firefox only checks `*`."""
    if host == "*.":
        return NO_HOST
    if host.endswith(":*"):
        return "the port cannot be `*`; a pattern without a port matches every port"
    return _wrong_star(host)


def wrong_in_chrome(scheme: str, host: str) -> str | None:
    """Returns why Chrome rejects a host, or None, also in corner cases of Chrome's URL parser."""
    port: str | None
    if host.startswith("["):
        end = host.find("]:")
        host, port = (host, None) if end < 0 else (host[: end + 1], host[end + 2 :])
    else:
        host, colon, port = host.partition(":")
        port = port if colon else None
    if port is not None and (wrong := _wrong_port(scheme, port)) is not None:
        return wrong
    if host in ("", "*."):
        return NO_HOST
    if (wrong := _wrong_star(host)) is not None:
        return wrong
    return None if host == "*" else _wrong_name(host.removeprefix("*."))


def _wrong_port(scheme: str, port: str) -> str | None:
    if port == "*":
        return None
    if scheme not in _WITH_PORTS:
        return f"a pattern with the scheme {quoted(scheme)} cannot have the port {quoted(port)}"
    if not port:
        return "the port after the colon is missing"
    digits = port.lstrip("0") or "0"
    if not (port.isascii() and port.isdigit()) or len(digits) > 5 or int(digits) > MAX_PORT:
        return not_valid(port, "port")
    return None


def _wrong_star(host: str) -> str | None:
    if "*" not in host or _STAR_FIRST.fullmatch(host):
        return None
    return f"`*` must be the whole host or its first part (`*.example.com`), not as in {quoted(host)}"


def _wrong_name(name: str) -> str | None:
    if name.startswith("["):
        return None if _may_be_ipv6(name) else not_valid(name, "IPv6 address")
    refused = _REFUSED.search(name)
    if refused:
        return f"a host cannot contain {quoted(refused[0])}"
    labels = name.removesuffix(".").split(".")
    if labels[-1].isascii() and labels[-1].isdigit() and not _may_be_ipv4(labels):
        return f"{quoted(name)} ends like an IPv4 address, but is not a valid one"
    return None


def _may_be_ipv4(labels: list[str]) -> bool:
    """Whether numbers are an address; with fewer than four, the last one contains the remaining bytes."""
    if len(labels) > 4 or not all(each.isascii() and each[:1].isdigit() for each in labels):
        return False
    if not all(map(_PLAIN_NUMBER.fullmatch, labels)):
        return True
    limits = [256] * (len(labels) - 1) + [256 ** (5 - len(labels))]
    return all(len(each) <= 10 and int(each) < limit for each, limit in zip(labels, limits, strict=True))


def _may_be_ipv6(name: str) -> bool:
    import ipaddress

    try:
        ipaddress.IPv6Address(name[1:-1])
    except ValueError:
        return False
    return name.endswith("]") and "%" not in name


_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_IGNORED = lazy(r"[\t\n\r]")
_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_SPECIAL = frozenset({"http", "https", "ws", "wss", "ftp"})
_AUTHORITY = lazy(r"[/\\]*([^/\\?#]*)")


def parses(text: str) -> bool | None:
    """Whether the URL parser accepts a text without a base."""
    if len(text) > MAX_LENGTH:
        return None
    text = _IGNORED.sub("", text.strip(_C0_AND_SPACE))
    scheme = _SCHEME.match(text)
    if scheme is None:
        return False
    rest = text[scheme.end() :]
    if scheme[1].lower() not in _SPECIAL:
        return None if rest.startswith("/") or scheme[1].lower() == "file" else True
    authority = _AUTHORITY.match(rest)
    if authority is None or not authority[1]:
        return False
    host, port = split_port(authority[1].rpartition("@")[2])
    if not host:
        return False
    if port and not (port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
        return False
    if set(host) & set(" <>^|"):
        return False
    return True if is_plain_host(host.lower()) else None


def is_file(text: str) -> bool | None:
    """Whether a text is a URL without scheme and host."""
    if len(text) > MAX_LENGTH:
        return None
    if text.startswith("//"):
        return False
    if is_path(text):
        return True
    return False if parses(text) else None


def is_path(text: str) -> bool:
    """Whether a base URL supplies scheme and host, so that these cannot be invalid."""
    rest = _IGNORED.sub("", text).lstrip(_C0_AND_SPACE)
    return _SCHEME.match(rest) is None and not rest.startswith(("//", "\\", "/\\"))


def is_origin(text: str) -> bool | None:
    """Whether a text consists of the scheme and host of a website only."""
    if len(text) > MAX_LENGTH:
        return None
    if parses(text) is False or text.endswith("/"):
        return False
    scheme = _SCHEME.match(text)
    if scheme is None or _IGNORED.search(text):
        return None
    if scheme[1].lower() not in ("http", "https"):
        return False
    authority = _AUTHORITY.match(text, scheme.end())
    if authority is None or "*" in authority[1] or authority[1].rpartition("@")[0].strip(":"):
        return False
    after = text[authority.end() :].strip(_C0_AND_SPACE)
    if not after:
        return parses(text)
    if after[0] in "?#":
        return False
    path = re.split(r"[?#]", after, maxsplit=1)[0]
    may_lead_back = "%" in path or "\\" in path or {".", ".."} & set(path.split("/"))
    return None if may_lead_back or not path.strip("/") else False
