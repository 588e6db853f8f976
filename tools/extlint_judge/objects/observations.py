"""Observations of the objects that the API returns and passes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

Steps: TypeAlias = tuple[str, ...]
"""The path from a value into it: names of fields, and `[]` for items of an array."""


class PassedValues(Struct, frozen=True):
    """The values that a member returned or passed: for each index, the kinds of values at each path in it.

    `given` is "return", "promise", "callback" or "listener". `most` is the maximum number of values.
    """

    path: str
    given: str
    most: int
    places: list[list[tuple[Steps, list[str]]] | None]


class ContextReport(Struct, frozen=True):
    """The observations of one context of the extension.

    `failed` and `stuck` give the reasons of failed calls and scenarios.
    """

    context: str
    seen: list[PassedValues]
    failed: dict[str, str]
    stuck: dict[str, str]


class Observations(Struct, frozen=True):
    """All observations in one run of a browser. `unseen` are sentences about failures."""

    browser: str
    version: str
    seen: list[PassedValues]
    unseen: list[str]


def merge(reports: Iterable[ContextReport]) -> list[PassedValues]:
    """Merges the observations of several contexts and runs, so that each member occurs once."""
    most: dict[tuple[str, str], int] = {}
    values: dict[tuple[str, str], dict[int, dict[Steps, set[str]]]] = {}
    for each in (passed for one in reports for passed in one.seen):
        key = (each.path, each.given)
        most[key] = max(most.get(key, 0), each.most)
        for index, places in enumerate(each.places):
            at = values.setdefault(key, {}).setdefault(index, {})
            for steps, kinds in places or ():
                at.setdefault(steps, set()).update(kinds)
    return [
        PassedValues(
            path,
            given,
            number,
            [
                [(steps, sorted(kinds)) for steps, kinds in sorted(values[path, given].get(at, {}).items())]
                for at in range(number)
            ],
        )
        for (path, given), number in sorted(most.items())
    ]


def write(observed: Observations, path: Path) -> None:
    """Writes observations as JSON."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(observed), indent=1))


def read(path: Path) -> Observations:
    """Reads observations. Raises msgspec.ValidationError for an invalid file."""
    return msgspec.json.decode(path.read_bytes(), type=Observations)
