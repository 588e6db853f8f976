"""Compiles and runs JavaScript regular expressions with `regress`, an ECMAScript engine, at limited cost.

It backtracks as browsers do, so that some patterns take exponential time on some texts. Patterns come from
schemas, but texts are hostile: the repetitions in a pattern limit the length of the texts it is run on.

A pattern is parsed only enough to find its repetitions, their bounds, and the number of ways in which they
can match.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.text.patterns import lazy

if TYPE_CHECKING:
    from regress import Regex

MAX_UNITS = 1_000
"""The maximum length of a text that is searched, in UTF-16 units."""

MAX_STEPS = 2_000_000
"""The steps (a fifth of a second) that a search may take at worst, counting only loops, or only repeated
groups.
"""

MAX_STEPS_IN_ALL_WAYS = 200_000_000
"""The steps that all ways in which the rest of the pattern can match may take. Few of those ways are ever
tried.
"""

_FEW = 3
"""Repetitions that vary by no more than this are not counted as open-ended."""

_PART = lazy(
    r"(\((?:\?[^:=!>]*[:=!>])?|\|)|(\)|\\.|\[(?:\\.|[^\]\\])*+\]|[^()|])([*+?]|\{[0-9]+(?:,[0-9]*)?\})?",
    re.DOTALL,
)
"""The start of a group or of an alternative, or a repeatable part and its quantifier."""

_EDGES = frozenset({"^", "$", r"\b", r"\B"})
_REFERENCES = frozenset(rf"\{each}" for each in "123456789k")
_LOOKAROUNDS = frozenset({"(?=", "(?!", "(?<=", "(?<!"})


class _Cost(Struct, frozen=True):
    """The cost of a part of a pattern.

    It takes as many loops over the text as it has open-ended repetitions, and can otherwise match in some
    number of ways. A group that repeats without limit and can match in n ways takes n steps, `base`, to the
    power of the text's length.
    """

    ways: int = 1
    loops: int = 0
    base: float = 1
    is_empty: bool = True
    """Whether it may match an empty text."""

    repeats: bool = False
    """Whether it contains a group that repeats."""

    def then(self, other: _Cost) -> _Cost:
        return _Cost(
            min(self.ways * other.ways, MAX_STEPS_IN_ALL_WAYS + 1),
            self.loops + other.loops,
            max(self.base, other.base),
            self.is_empty and other.is_empty,
            self.repeats or other.repeats,
        )

    def repeated(self, least: int, most: int | None, is_group: bool) -> _Cost:
        if least == most == 1:
            return self
        base = math.inf if self.is_empty or self.repeats else self.base
        if most is None:
            return _Cost(self.ways + 1, self.loops + 1, max(base, self.ways), not least, is_group)
        ways = min(self.ways ** min(most, 64) + most - least, MAX_STEPS_IN_ALL_WAYS + 1)
        return _Cost(ways, self.loops * most + (most - least > _FEW), base, not least, is_group)


def longest_text(pattern: str, flags: str) -> int:
    """Returns the maximum number of UTF-16 units of a text for a short search.

    Returns -1 if even an empty text may take long.

    The pattern is one that JavaScript accepts. A pattern that may start anywhere is one more loop. `regress`
    2026.9 does not always terminate where a group repeats inside another, or may match nothing: these are not
    run.
    """
    groups = [[_Cost()]]  # for each open group, its alternatives up to here
    openings = [""]
    for opening, part, quantifier in _PART.findall(pattern):
        if opening == "|":
            groups[-1].append(_Cost())
        elif opening:
            groups.append([_Cost()])
            openings.append(opening)
        else:
            cost = _Cost(1, int(part in _REFERENCES), 1, part in _EDGES or part in _REFERENCES)
            if part == ")":
                cost = _alternation_cost(groups.pop(), openings.pop() in _LOOKAROUNDS)
            groups[-1][-1] = groups[-1][-1].then(cost.repeated(*_bounds(quantifier), part == ")"))
    whole = _alternation_cost(groups[0], False)
    loops = whole.loops + (not pattern.startswith("^") or "|" in pattern or "m" in flags)
    if whole.base > MAX_STEPS or whole.ways > MAX_STEPS_IN_ALL_WAYS:
        return -1
    return int(
        min(
            MAX_UNITS,
            _root(MAX_STEPS, loops),
            _root(MAX_STEPS_IN_ALL_WAYS / whole.ways, loops),
            _log(MAX_STEPS, whole.base),
            _log(MAX_STEPS_IN_ALL_WAYS / whole.ways, whole.base),
        )
    )


def _root(value: float, degree: int) -> float:
    """Returns the greatest number whose power of that degree does not exceed a value."""
    return value ** (1 / degree) if degree else math.inf


def _log(value: float, base: float) -> float:
    """Returns the greatest exponent for which the power of a base does not exceed a value."""
    return math.inf if base == 1 else math.log(value, base)


def _alternation_cost(alternatives: list[_Cost], is_lookaround: bool) -> _Cost:
    return _Cost(
        sum(each.ways for each in alternatives),
        sum(each.loops for each in alternatives),
        max(each.base for each in alternatives),
        is_lookaround or any(each.is_empty for each in alternatives),
        any(each.repeats for each in alternatives),
    )


def _bounds(quantifier: str) -> tuple[int, int | None]:
    """Returns the minimum and maximum number of repetitions; None for no limit."""
    match quantifier:
        case "":
            return 1, 1
        case "?":
            return 0, 1
        case "*" | "+":
            return int(quantifier == "+"), None
    least, comma, most = quantifier.strip("{}").partition(",")
    if not comma:
        return int(least), int(least)
    return int(least), int(most) if most else None


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
