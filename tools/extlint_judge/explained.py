"""The differences that are as they should be: rows of a file named explained.json, with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from msgspec import Struct

from extlint_judge.differences import Difference


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A reason for differences of one browser.

    `at` are patterns of paths, of which one fits; `says` is a pattern of what the browser says, `facts` of
    what the facts say. `*` stands for any text.
    """

    browser: str
    at: tuple[str, ...]
    why: str
    says: str = "*"
    facts: str = "*"

    def explains(self, difference: Difference) -> bool:
        """Whether this is the reason for a difference."""
        is_there = any(fnmatchcase(difference.path, pattern) for pattern in self.at)
        is_so = fnmatchcase(difference.browser, self.says) and fnmatchcase(difference.facts, self.facts)
        return is_there and is_so


class SortedDifferences(Struct):
    """Differences by their reasons, and those without one. `unused` are rows that explain nothing."""

    explained: dict[str, list[Difference]]
    open: list[Difference]
    unused: list[Row]


def rows(browser: str, path: Path) -> list[Row]:
    """The reasons for one browser."""
    listed = msgspec.json.decode(path.read_bytes(), type=list[Row])
    return [row for row in listed if row.browser == browser]


def sort(differences: Iterable[Difference], reasons: Iterable[Row]) -> SortedDifferences:
    """Gives each difference the first reason that fits."""
    reasons = list(reasons)
    result = SortedDifferences({}, [], [])
    used: set[Row] = set()
    for difference in differences:
        row = next((each for each in reasons if each.explains(difference)), None)
        if row is None:
            result.open.append(difference)
        else:
            used.add(row)
            result.explained.setdefault(row.why, []).append(difference)
    result.unused = [row for row in reasons if row not in used]
    return result
