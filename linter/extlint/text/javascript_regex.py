"""Compiles and runs JavaScript regular expressions with `regress`, an ECMAScript engine.

It backtracks as browsers do, so that some patterns take exponential time on some texts. Patterns come from
schemas, but texts are hostile: the repetitions in a pattern limit the length of the texts it is run on.
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
"""The maximum length of a pattern that is compiled; no human-written pattern is longer."""

MAX_BRANCHES = 1_000
"""The maximum number of `|` in a pattern: `regress` recurses one level deeper for each."""

_REGRESS_LIMIT_ERRORS = ("too deeply nested", "limit exceeded")
"""The errors for patterns that `regress` rejects because of its own limits, whatever browsers do."""

_FLAGS = lazy(r"\(\?([im]{1,2})\)")
_SURROGATE = lazy("[\ud800-\udfff]")
_NAMES_SURROGATES = lazy(r"\\u[d-fD-F]|[\ud800-\uf8ff]")
_PAIRS = lazy("[\U00010000-\U0010ffff]")
_NO_ASCII = lazy(r"[^\x00-\x7f]")
_FROM_SURROGATES = lazy("[\ud800-\U0010ffff]")
_PRIVATE = lazy("[\ue000-\ue7ff]")
_CODE_POINT = r"\u{"
"""An escape only with the flag `u`; `regress` treats it as one without the flag, too."""


class _Search(Struct, frozen=True):
    regex: Regex
    max_units: int
    unclear: re.Pattern[str] | None
    """The characters that make the result for a text uncertain."""


def syntax_error(pattern: str) -> str | None:
    """Returns the error that `RegExp(pattern)` throws, in the wording of `regress`.

    Returns None if it throws no error or the error is unknown.
    """
    read = _compile(_SURROGATE.sub("\ue000", pattern), "")
    return read if isinstance(read, str) and not read.endswith(_REGRESS_LIMIT_ERRORS) else None


def is_match(pattern: str, text: str) -> bool | None:
    """Whether `RegExp(pattern).test(text)` is true, or None if that is unknown or might take long.

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
    regex = _compile(_units(source), flags)
    if regex is None or isinstance(regex, str):
        return None
    return _Search(regex, longest_text(source, flags), _uncertain_characters(source, flags))


def _uncertain_characters(pattern: str, flags: str) -> re.Pattern[str] | None:
    """Returns the characters that make a result uncertain: non-ASCII cased letters, surrogate substitutes."""
    if "i" in flags:
        return _NO_ASCII
    if _NAMES_SURROGATES.search(pattern):
        return _FROM_SURROGATES
    return _PRIVATE if _PAIRS.search(pattern) else None


@lru_cache(maxsize=2_000)
def _compile(pattern: str, flags: str) -> Regex | str | None:
    """Returns the compiled pattern, or its error, or None if it is too large."""
    if len(pattern) > MAX_PATTERN_LENGTH or pattern.count("|") > MAX_BRANCHES:
        return None
    from regress import Regex, RegressError

    try:
        return Regex(pattern, flags)
    except RegressError as error:
        return str(error)


def _units(text: str) -> str:
    """Returns the text with a character for each UTF-16 unit.

    `regress` has no surrogates, so private-use characters replace them.

    Only a pattern that names these characters distinguishes them: they are not letters, digits or spaces.
    """
    if max(text, default="") < "\ud800":
        return text
    units = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
    return "".join(chr(unit + 0x800 if 0xD800 <= unit <= 0xDFFF else unit) for unit in units)
