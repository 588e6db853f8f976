"""What was seen of the objects that the API gives and passes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

Steps: TypeAlias = tuple[str, ...]
"""The way from a value into it: names of fields, and `[]` for items of an array."""


class PassedValues(Struct, frozen=True):
    """What a member gave or passed: by its index each value, as kinds of what stands at each place in it.

    `given` is "return", "promise", "callback" or "listener". `most` is how many values there were at most.
    """

    path: str
    given: str
    most: int
    places: list[list[tuple[Steps, list[str]]] | None]


class ContextReport(Struct, frozen=True):
    """What one context of the extension saw. `failed` and `stuck` say why calls and scenarios gave none."""

    context: str
    seen: list[PassedValues]
    failed: dict[str, str]
    stuck: dict[str, str]


class Observations(Struct, frozen=True):
    """Everything that was seen in one run of a browser. `unseen` are sentences about what was not."""

    browser: str
    version: str
    seen: list[PassedValues]
    unseen: list[str]


def merged(told: Iterable[ContextReport]) -> list[PassedValues]:
    """The same of several contexts and runs, each member once."""
    most: dict[tuple[str, str], int] = {}
    values: dict[tuple[str, str], dict[int, dict[Steps, set[str]]]] = {}
    for each in (passed for one in told for passed in one.seen):
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
    """Writes what was seen as JSON."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(observed), indent=1))


def read(path: Path) -> Observations:
    """Reads what was seen. Raises msgspec.ValidationError for what is none."""
    return msgspec.json.decode(path.read_bytes(), type=Observations)
