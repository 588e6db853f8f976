"""Where a browser and the facts say different things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct


class Difference(Struct, frozen=True):
    """One question to which the two answers differ.

    `path` is a member of the API; `where` is the context or the call in which it was looked at.
    """

    path: str
    where: str
    browser: str
    facts: str


class Compared(Struct):
    """How many answers were compared, and which differ."""

    number: int
    different: list[Difference]


Grouped: TypeAlias = Mapping[tuple[str, str, str], list[str]]


def grouped(differences: Iterable[Difference]) -> Grouped:
    """The places of each difference, by its path and the two answers."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for each in differences:
        found.setdefault((each.path, each.browser, each.facts), []).append(each.where)
    return found


def lines(groups: Grouped, shown: int = 2) -> Iterator[str]:
    """A line for each group, with some of its places."""
    for (path, browser, facts), places in sorted(groups.items()):
        more = f" and {len(places) - shown} more" if len(places) > shown else ""
        yield f"{path}: browser says {browser}, facts say {facts} ({'; '.join(places[:shown])}{more})"
