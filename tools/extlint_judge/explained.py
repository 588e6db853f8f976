"""Known differences: the rows of a file named explained.json, with their reasons."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from extlint_judge.differences import Difference, group, lines

MAX_SHOWN = 300
"""The maximum number of differences shown that have no reason."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A reason for differences of one browser.

    `at` are alternative patterns of paths; `says` is a pattern of the browser's result, `facts`
    of the facts' result. `*` matches any text.
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
    """Differences by reason, and those without a reason. `unused` are rows that explain nothing."""

    explained: dict[str, list[Difference]]
    open: list[Difference]
    unused: list[Row]


def rows(browser: str, path: Path) -> list[Row]:
    """Returns the reasons for one browser."""
    listed = msgspec.json.decode(path.read_bytes(), type=list[Row])
    return [row for row in listed if row.browser == browser]


def report(differences: Iterable[Difference], browser: str, path: Path) -> list[Difference]:
    """Prints the reasons of differences, and those without a reason, which are returned."""
    found = sort(differences, rows(browser, path))
    for why, explained in found.explained.items():
        click.echo(f"{len(explained)} explained: {why}")
    for row in found.unused:
        click.echo(f"explains nothing: {', '.join(row.at)}: {row.why}")
    left = list(lines(group(found.open)))
    click.echo(f"{len(found.open)} without a reason, {len(left)} when those alike are counted once")
    for line in left[:MAX_SHOWN]:
        click.echo(f"  {line}")
    return found.open


def sort(differences: Iterable[Difference], reasons: Iterable[Row]) -> SortedDifferences:
    """Assigns each difference the first matching reason."""
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
