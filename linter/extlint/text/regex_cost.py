"""Limits the length of texts that a backtracking engine searches for a JavaScript pattern.

A pattern is parsed only enough to find its repetitions, their bounds, and the number of ways in which they
can match.
"""

from __future__ import annotations

import math
import re

from msgspec import Struct

from extlint.text.patterns import lazy

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
