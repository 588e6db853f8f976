"""Checks of URLs by the rules of the URL standard's parser, which define Firefox's formats.

Each function returns True, False, or None for corner cases of that parser and for long texts.
"""

from __future__ import annotations

import re

from extlint.text.formats.host import MAX_LENGTH, MAX_PORT, is_plain_host, split_port
from extlint.text.patterns import lazy

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
