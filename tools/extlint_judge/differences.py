"""Differences between a browser and the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct


class Difference(Struct, frozen=True):
    """One query with different results.

    `path` is a member of the API; `where` is the context or call in which it was examined.
    """

    path: str
    where: str
    browser: str
    facts: str


class Comparison(Struct):
    """The number of compared results, and the differences."""

    number: int
    different: list[Difference]


Grouped: TypeAlias = Mapping[tuple[str, str, str], list[str]]


def group(differences: Iterable[Difference]) -> Grouped:
    """Returns the locations of each difference, by its path and the two results."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for each in differences:
        found.setdefault((each.path, each.browser, each.facts), []).append(each.where)
    return found


def lines(groups: Grouped, shown: int = 2) -> Iterator[str]:
    """Yields a line for each group, with some of its locations."""
    for (path, browser, facts), places in sorted(groups.items()):
        more = f" and {len(places) - shown} more" if len(places) > shown else ""
        yield f"{path}: browser says {browser}, facts say {facts} ({'; '.join(places[:shown])}{more})"
