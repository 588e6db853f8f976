"""JavaScript's regular expressions, read and run by `regress`, an engine of ECMAScript's.

It backtracks as browsers do, so that some patterns take exponential time on some texts. Patterns stand in
schemas, but texts are hostile: what a pattern repeats tells how long a text may be that it is asked of.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.text.patterns import lazy
from extlint.text.regex_cost import longest_text

if TYPE_CHECKING:
    from regress import Regex

MAX_PATTERN_LENGTH = 10_000
"""Longer patterns are not read; none is that long for people."""

MAX_BRANCHES = 1_000
"""Nor are patterns with more `|`: `regress` goes one call deeper for each."""

_BOUNDS_OF_REGRESS = ("too deeply nested", "limit exceeded")
"""What `regress` refuses because it will not go further, whatever browsers say."""

_FLAGS = lazy(r"\(\?([im]{1,2})\)")
_SURROGATE = lazy("[\ud800-\udfff]")
_NAMES_SURROGATES = lazy(r"\\u[d-fD-F]|[\ud800-\uf8ff]")
_PAIRS = lazy("[\U00010000-\U0010ffff]")
_NO_ASCII = lazy(r"[^\x00-\x7f]")
_FROM_SURROGATES = lazy("[\ud800-\U0010ffff]")
_PRIVATE = lazy("[\ue000-\ue7ff]")
_CODE_POINT = r"\u{"
"""An escape only with the flag `u`; `regress` takes it for one without."""


class _Search(Struct, frozen=True):
    regex: Regex
    max_units: int
    unclear: re.Pattern[str] | None
    """What a text must not have, so that the answer is certain."""


def syntax_error(pattern: str) -> str | None:
    """Why `RegExp(pattern)` throws, in the words of `regress`; None if it does not, or cannot be told."""
    read = _read(_SURROGATE.sub("\ue000", pattern), "")
    return read if isinstance(read, str) and not read.endswith(_BOUNDS_OF_REGRESS) else None


def found_in(pattern: str, text: str) -> bool | None:
    """Whether `RegExp(pattern).test(text)` is true; None if that cannot be told, or might take long.

    `(?i)`, `(?m)` and `(?im)` at the start of the pattern are flags, as in Firefox's schemas.
    """
    search = _search(pattern)
    if search is None or len(text) > search.max_units:
        return None
    if search.unclear is not None and search.unclear.search(text):
        return None
    units = _units(text)
    return None if len(units) > search.max_units else search.regex.find(units) is not None


@lru_cache(maxsize=512)
def _search(pattern: str) -> _Search | None:
    found = _FLAGS.match(pattern)
    flags, source = (found[1], pattern[found.end() :]) if found else ("", pattern)
    if _CODE_POINT in source or ("i" in flags and _NO_ASCII.search(source.replace(r"\u", "\ue000"))):
        return None
    regex = _read(_units(source), flags)
    if regex is None or isinstance(regex, str):
        return None
    return _Search(regex, longest_text(source, flags), _unclear(source, flags))


def _unclear(pattern: str, flags: str) -> re.Pattern[str] | None:
    """What makes an answer uncertain: letters whose case differs, and what stands for surrogates."""
    if "i" in flags:
        return _NO_ASCII
    if _NAMES_SURROGATES.search(pattern):
        return _FROM_SURROGATES
    return _PRIVATE if _PAIRS.search(pattern) else None


@lru_cache(maxsize=2_000)
def _read(pattern: str, flags: str) -> Regex | str | None:
    """The pattern compiled, or why that fails; None if it is too much to read."""
    if len(pattern) > MAX_PATTERN_LENGTH or pattern.count("|") > MAX_BRANCHES:
        return None
    from regress import Regex, RegressError

    try:
        return Regex(pattern, flags)
    except RegressError as error:
        return str(error)


def _units(text: str) -> str:
    """The text with a character for each UTF-16 unit: a private one for a surrogate, as `regress` has none.

    Only a pattern that names them tells those apart: none is a letter, a digit or a space.
    """
    if max(text, default="") < "\ud800":
        return text
    units = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
    return "".join(chr(unit + 0x800 if 0xD800 <= unit <= 0xDFFF else unit) for unit in units)
