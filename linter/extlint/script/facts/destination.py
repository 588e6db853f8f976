"""What may become of a function, and in which world it then runs."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

from extlint.script.facts.context import ContextKind


class Fate(Enum):
    """What becomes of a function."""

    NOTHING = "nothing runs it, nor takes its text"
    TEXT = "its text is taken, to run nobody knows where"
    CONTENT_SCRIPT = "it is injected into web pages"
    MAIN_WORLD = "it is injected into the main world of web pages"
    HERE = "it may run where it stands"


Keys: TypeAlias = tuple[str, ...]
"""The properties that lead from an expression to the function that it holds; none if it is the function."""


RUNS_IN = {
    Fate.TEXT: ContextKind.UNKNOWN,
    Fate.CONTENT_SCRIPT: ContextKind.CONTENT_SCRIPT,
    Fate.MAIN_WORLD: ContextKind.MAIN_WORLD,
}
"""The world in which a function runs that does not run where it stands."""


def joined(fates: Iterable[Fate]) -> Fate:
    """What becomes of a function that several things happen to."""
    found: set[Fate] = set()
    for each in fates:
        if each is Fate.HERE:
            return Fate.HERE
        found.add(each)
    found.discard(Fate.NOTHING)
    return next(iter(found), Fate.NOTHING) if len(found) < 2 else Fate.TEXT
