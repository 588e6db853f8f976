"""Checks of hosts by the rules of the URL standard's serializer, which define Firefox's formats.

Each function returns True, False, or None for corner cases of the URL parser and for long texts.
"""

from __future__ import annotations

from extlint.text.patterns import lazy

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
