"""The destination of a function that a script passes on, and the context in which it then runs."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

from extlint.analysis.facts.context import ContextKind


class Destination(Enum):
    """The destination of a function: where it runs, or how its text is used."""

    NONE = "nothing runs it, nor takes its text"
    SERIALIZED = "its text is taken, to run in an unknown place"
    CONTENT_SCRIPT = "it is injected into web pages"
    MAIN_WORLD = "it is injected into the main world of web pages"
    IN_PLACE = "it may run where it stands"


Keys: TypeAlias = tuple[str, ...]
"""The properties that lead from an expression to a function in it; empty if it is the function itself."""


CONTEXT_OF = {
    Destination.SERIALIZED: ContextKind.UNKNOWN,
    Destination.CONTENT_SCRIPT: ContextKind.CONTENT_SCRIPT,
    Destination.MAIN_WORLD: ContextKind.MAIN_WORLD,
}
"""The context in which a function runs that does not run where it is defined."""


def overall_destination(destinations: Iterable[Destination]) -> Destination:
    """Returns the overall destination of a function that has several."""
    found: set[Destination] = set()
    for each in destinations:
        if each is Destination.IN_PLACE:
            return Destination.IN_PLACE
        found.add(each)
    found.discard(Destination.NONE)
    return next(iter(found), Destination.NONE) if len(found) < 2 else Destination.SERIALIZED
