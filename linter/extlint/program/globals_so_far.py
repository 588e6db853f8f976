"""What scripts give to those of their realm that are analysed after them, before all scripts are known.

Scripts run in the order in which a page names them, and are mostly analysed in that order, too. So what the
earlier ones give is often all that there is. What a script is told is compared with what is known in the end:
one for which that is the same is not analysed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from extlint.contexts.script import ScriptLocation
from extlint.program.globals_ahead import Realms
from extlint.program.shared_globals import AssignedGlobal, SharedGlobals, reaches
from extlint.script.facts.script_facts import ScriptFacts
from extlint.script.facts.shared_globals import NOTHING_SHARED, RealmGlobals
from extlint.script.facts.values import Value
from extlint.text.positions import encoded

MAX_GIVERS = 20
"""Scripts of a realm that assign to one global; where there are more, nothing is told of it."""

MAX_LOOKED_BACK = 20
"""Scripts of a realm, the last ones, that are searched for another assignment to a global."""

MAX_AGAIN = 3
"""How often a script is analysed again for what it assigns to a global that others need."""


class GlobalsSoFar:
    """The globals of the scripts that are analysed so far, until the first time that all are known.

    `realms` are the scripts that are known to share globals. What is told counts as told by `shared`.
    """

    def __init__(self, shared: SharedGlobals, realms: Realms) -> None:
        self._index = shared.index
        self._wanted = shared.wanted
        self._realms_of: dict[ScriptLocation, list[int]] = {}
        self._order: dict[tuple[int, ScriptLocation], int] = {}
        self._analysed: list[list[ScriptLocation]] = [[] for _ in realms]
        self._given: list[dict[str, dict[ScriptLocation, Value]]] = [{} for _ in realms]
        self._names: list[dict[bytes, str]] = [{} for _ in realms]
        self._settled: set[tuple[ScriptLocation, str]] = set()
        """The globals that scripts gave, or were asked for, when they were analysed first."""
        self._again: Counter[ScriptLocation] = Counter()
        for at, realm in enumerate(realms):
            for location in realm:
                self._join(location, at)

    def _join(self, location: ScriptLocation, realm: int) -> None:
        self._realms_of.setdefault(location, []).append(realm)
        self._order.setdefault((realm, location), len(self._order))

    def imported(self, location: ScriptLocation, importer: ScriptLocation) -> None:
        """Says that a script runs wherever one does that imports it."""
        if location not in self._realms_of:
            for realm in self._realms_of.get(importer, ()):
                self._join(location, realm)

    def told(self, location: ScriptLocation) -> RealmGlobals:
        """What the scripts that are analysed so far assign to the globals that a script names."""
        sources: dict[str, list[int]] = {}
        for at in self._realms_of.get(location, ()):
            given = self._given[at]
            for name in self._index.mentioned(location, self._names[at]) if given else ():
                if len(given[name]) <= MAX_GIVERS and reaches(location, given[name]):
                    sources.setdefault(name, []).append(at)
                    if location not in given[name]:
                        self._wanted.setdefault(location, set()).add(name)
        if not sources:
            return NOTHING_SHARED
        values = {
            name: AssignedGlobal(self._assigned(name, through)).of_others(location)
            for name, through in sources.items()
        }
        return RealmGlobals(dict(sorted(values.items())), frozenset(self._wanted.get(location, ())))

    def _assigned(self, name: str, realms: Iterable[int]) -> Iterator[tuple[ScriptLocation, Value]]:
        """What the scripts of realms assign to a global, in the order of these."""
        for at in realms:
            yield from sorted(self._given[at][name].items(), key=lambda each: self._order[at, each[0]])

    def note(self, location: ScriptLocation, facts: ScriptFacts) -> Sequence[ScriptLocation]:
        """Takes what a script gives; returns the scripts before it that may now give more themselves.

        `window.app = window.app || {}` is only of interest once another script is known to fill `app`.
        """
        found: dict[ScriptLocation, None] = {}
        asked = self._wanted.get(location, ())
        if not self._again[location]:
            self._settled.update((location, name) for name in {*asked, *facts.globals})
        for at in self._realms_of.get(location, ()):
            changed = {}
            for name, value in facts.globals.items():
                givers = self._given[at].setdefault(name, {})
                self._names[at][encoded(name)] = name
                if givers.get(location) != value and len(givers) <= MAX_GIVERS:
                    givers[location] = value
                    changed[encoded(name)] = name
            for other in self._analysed[at][-MAX_LOOKED_BACK:] if changed else ():
                if other != location and self._again[other] < MAX_AGAIN:
                    assigned = self._index.assigned(other, changed)
                    if any((other, name) not in self._settled for name in assigned):
                        found[other] = None
            if location not in self._analysed[at][-MAX_LOOKED_BACK:]:
                self._analysed[at].append(location)
        return [*found]

    def analysed_again(self, location: ScriptLocation) -> None:
        """Says that a script is analysed again because of others."""
        self._again[location] += 1
