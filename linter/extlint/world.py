"""What the scripts of one world give each other through its globals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from extlint.contexts.scripts import Place
from extlint.script.facts import ScriptFacts
from extlint.script.prefilter import mentions
from extlint.script.shared import Shared, merged
from extlint.values import UNKNOWN, ObjectValue, Value

MOST_BYTES = 400_000_000
"""Bytes that are searched for names in one package, each name a search; then every script names it."""


class SharedGlobals:
    """Works out what each script of a package is to know of the globals of its worlds.

    `facts` and `text` give the facts and the source of a script.
    """

    def __init__(self, facts: Callable[[Place], ScriptFacts], text: Callable[[Place], bytes]) -> None:
        self._facts = facts
        self._text = text
        self._mentions: dict[tuple[Place, str], bool] = {}
        self._searched = 0
        self._wanted: dict[Place, set[str]] = {}

    def of(self, worlds: Sequence[Sequence[Place]]) -> Mapping[Place, Shared]:
        """For each script of these worlds what the others do to globals that it names, if they do."""
        values: dict[Place, dict[str, list[Value]]] = {}
        for world in worlds:
            givers: dict[str, dict[Place, Value]] = {}
            for place in world:
                for name, value in self._facts(place).globals.items():
                    givers.setdefault(name, {})[place] = value
            for name, given in givers.items():
                for place in world:
                    others = _from_others(place, given)
                    if others and self._names(place, name):
                        values.setdefault(place, {}).setdefault(name, []).extend(others)
                        if place not in given:
                            self._wanted.setdefault(place, set()).add(name)
            for place in world:
                for name in self._facts(place).at_large - givers.keys():
                    if any(self._names(other, name) for other in world if other != place):
                        values.setdefault(place, {})[name] = [UNKNOWN]
        return {
            place: Shared(
                {name: merged(each) for name, each in sorted(given.items())},
                frozenset(self._wanted.get(place, ())),
            )
            for place, given in values.items()
        }

    def _names(self, place: Place, name: str) -> bool:
        key = (place, name)
        if key not in self._mentions:
            text = self._text(place)
            self._searched += len(text)
            self._mentions[key] = self._searched > MOST_BYTES or bool(mentions(text, (name,)))
        return self._mentions[key]


def _from_others(place: Place, given: Mapping[Place, Value]) -> list[Value]:
    """What reaches a script: from the others, and what it puts itself into an object that all share."""
    return [value for giver, value in given.items() if giver != place or isinstance(value, ObjectValue)]
