"""The names of files in a style sheet, found as the CSS Syntax standard takes it apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

LOCAL = "local:"
"""Stands for a font of the system among the sources of a font."""

_STRING = rb"\"((?:[^\"\\\n]|\\[\s\S])*+)\"|'((?:[^'\\\n]|\\[\s\S])*+)'"
_TOKEN = lazy(
    rb"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
    rb"|(?P<url>\burl\(\s*+(?:%b|([^\s\"'()\\]*+))\s*+\))"
    rb"|(?P<import>@import\s++(?:url\(\s*+)?(?:%b|([^\s\"'();\\]++)))"
    rb"|(?P<string>%b)"
    rb"|(?P<local>\blocal\()"
    rb"|(?P<src>(?<![\w-])src\s*+:)"
    rb"|(?P<end>[;{}])" % (_STRING, _STRING, _STRING),
    re.IGNORECASE,
)


class StyleUrl(Struct, frozen=True):
    """The name of a file in a style sheet: as it is written, and its byte range without quotes.

    The sources of one font are alternatives, of which the browser takes the first that it can use; they have
    the same number as `alternatives`, which is 0 for all other names.
    """

    name: str
    span: ByteSpan
    alternatives: int = 0


def urls_in(data: bytes) -> Iterator[StyleUrl]:
    """The names in `url()` and `@import` of a style sheet in UTF-8, in order; time is linear.

    Names with escapes are left out.
    """
    block = 0
    is_source = False
    for found in _TOKEN.finditer(data):
        kind = found.lastgroup
        if kind in ("src", "end"):
            is_source = kind == "src"
            block += found[0] == b"{"
        if kind == "local" and is_source:
            yield StyleUrl(LOCAL, found.span(), block)
        if kind not in ("url", "import"):
            continue
        first = found.re.groupindex[kind] + 1
        part = next((each for each in range(first, first + 3) if found[each]), None)
        if part is None or b"\\" in found[part]:
            continue
        name = found[part].decode("utf-8", "replace")
        yield StyleUrl(name, found.span(part), block if is_source else 0)
