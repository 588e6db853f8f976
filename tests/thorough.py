"""How much the tests do: a part of the cases that take long, or all of them with `--thorough`, as in CI.

A part has cases of each kind. It is the same in each run, so that a failure can be repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Choice = TypeVar("Choice")

SHARE = 10
"""A thorough run tries this many times as many examples of a property."""

_requested = False


def request_all(requested: bool) -> None:
    """Requests all cases, before the tests are collected."""
    global _requested
    _requested = requested


def is_thorough() -> bool:
    """Whether all cases are requested."""
    return _requested


def examples(count: int) -> int:
    """Returns the number of examples of a property for which a thorough run tries `count`."""
    return count if is_thorough() else max(count // SHARE, 2)


def some(items: Collection[Item], every: int) -> list[Item]:
    """Returns each item whose number is divisible by `every`; in a thorough run, all."""
    return list(items)[:: 1 if is_thorough() else every]


def in_turn(items: Iterable[tuple[Item, Sequence[Choice]]]) -> list[tuple[Item, Choice]]:
    """Returns each item with one of its choices, the next one each time; in a thorough run, with each."""
    return [
        (item, choice)
        for number, (item, choices) in enumerate(items)
        for choice in (choices if is_thorough() or not choices else [choices[number % len(choices)]])
    ]
