"""The names of files in a style sheet, tokenized as in the CSS Syntax standard."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

LOCAL = "local:"
"""Denotes a font of the system among the sources of a font."""

OWN_ADDRESS = lazy(r"(?i)(?:chrome|moz)-extension://__MSG_@@extension_id__(?=/)")
"""The start of an address in the package, which browsers fill in when they load the style sheet."""

_NAMED = lazy(rb"url\(|@import", re.IGNORECASE)
_WITH_BLOCKS = lazy(rb"@font-face|@import", re.IGNORECASE)
_STRING = rb"\"((?:[^\"\\\n]|\\[\s\S])*+)\"|'((?:[^'\\\n]|\\[\s\S])*+)'"
_NAMES = (
    rb"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
    rb"|(?P<url>\burl\(\s*+(?:%b|([^\s\"'()\\]*+))\s*+\))"
    rb"|(?P<import>@import\s++(?:url\(\s*+)?(?:%b|([^\s\"'();\\]++)))"
    rb"|(?P<string>%b)" % (_STRING, _STRING, _STRING)
)
_SOURCES = rb"|(?P<local>\blocal\()|(?P<src>(?<![\w-])src\s*+:)|(?P<end>[;{}])"
_TOKEN = lazy(_NAMES, re.IGNORECASE)
_TOKEN_WITH_BLOCKS = lazy(_NAMES + _SOURCES, re.IGNORECASE)


class StyleUrl(Struct, frozen=True):
    """The name of a file in a style sheet, as written, and its byte range without quotes.

    The sources of one font are alternatives: the browser uses the first that it supports. They have
    the same number as `alternatives`, which is 0 for all other names.
    """

    name: str
    span: ByteSpan
    alternatives: int = 0


def urls_in(data: bytes) -> Iterator[StyleUrl]:
    """Yields the names in `url()` and `@import` of a style sheet in UTF-8, in order; runs in linear time.

    Skips names with escapes, and an `@import` after or in a block, which browsers ignore.
    """
    if not _NAMED.search(data):
        return
    block = 0
    is_source = False
    tokens = _TOKEN_WITH_BLOCKS if _WITH_BLOCKS.search(data) else _TOKEN
    for found in tokens.finditer(data):
        kind = found.lastgroup
        if kind in ("src", "end"):
            is_source = kind == "src"
            block += found[0] == b"{"
        if kind == "local" and is_source:
            yield StyleUrl(LOCAL, found.span(), block)
        if kind not in ("url", "import") or (kind == "import" and block):
            continue
        first = found.re.groupindex[kind] + 1
        part = next((each for each in range(first, first + 3) if found[each]), None)
        if part is None or b"\\" in found[part]:
            continue
        name = found[part].decode("utf-8", "replace")
        yield StyleUrl(name, found.span(part), block if is_source else 0)
