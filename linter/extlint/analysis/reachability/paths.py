"""Sets of paths to a place, each with the guards on it, and operations that combine them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import NO_GUARDS, FailureHandling, Guards

Paths: TypeAlias = frozenset[Guards]
"""The guards on each path to a place. Without any path, no known code leads there."""

NO_PATH: Paths = frozenset()
UNGUARDED: Paths = frozenset({NO_GUARDS})
"""A path without any test."""

MAX_PATHS = 32
"""The maximum number of distinct paths to one place; of more, only the common guards are kept."""


def deferred(paths: Paths) -> Paths:
    """Returns the paths to code that runs later, so that nothing around its use catches its exceptions."""
    if not any(each.failure for each in paths):
        return paths
    return weakest(replace(each, failure=FailureHandling.NONE) for each in paths)


def union(first: Paths, second: Paths) -> Paths:
    """Returns the paths of both sets."""
    return weakest((*first, *second))


def combined(first: Paths, second: Paths) -> Paths:
    """Returns the paths that consist of one of each set, one after the other."""
    if second == UNGUARDED:
        return first
    if first == UNGUARDED:
        return second
    return weakest(one.combined(two) for one in first for two in second)


def weakest(paths: Iterable[Guards]) -> Paths:
    """Returns the paths, without those that have all guards of another path, and more."""
    minimal: list[Guards] = []
    for each in sorted(set(paths), key=_strength):
        if not any(_is_stronger(each, other) for other in minimal):
            minimal.append(each)
    if len(minimal) <= MAX_PATHS:
        return frozenset(minimal)
    return frozenset(
        {
            Guards(
                frozenset.intersection(*(each.tested for each in minimal)),
                min(each.failure for each in minimal),
                frozenset.intersection(*(each.missing for each in minimal)),
                runs_in=minimal[0].runs_in if len({each.runs_in for each in minimal}) == 1 else None,
            )
        }
    )


def _strength(path: Guards) -> int:
    """Returns the number of facts that hold on a path."""
    return len(path.tested) + len(path.missing) + path.failure + (path.runs_in is not None)


def _is_stronger(path: Guards, other: Guards) -> bool:
    return (
        other.tested <= path.tested
        and other.missing <= path.missing
        and other.failure <= path.failure
        and other.runs_in in {None, path.runs_in}
    )
