"""Corrects texts that are not match patterns."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

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
