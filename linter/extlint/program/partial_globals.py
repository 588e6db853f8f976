"""The global values known so far, for scripts that are analyzed later in the same realm.

Scripts run in the order in which a page names them, and are mostly analyzed in that order. So the values that
earlier scripts assign are often complete. The partial values are compared with the final ones: a script for
which they are the same is not analyzed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from extlint.analysis.facts.other_scripts import NOTHING_SHARED, RealmGlobals
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.facts.values import Value
from extlint.program.predicted_globals import Realms
from extlint.program.shared_globals import AssignedGlobal, SharedGlobals, values_reach
from extlint.project.contexts.script import ScriptLocation
from extlint.text.positions import encode_name

MAX_WRITERS = 20
"""Scripts of a realm that assign to one global. If there are more, its value is not shared early."""

MAX_LOOKBACK = 20
"""Scripts at the end of a realm that are searched for another assignment to a global."""

MAX_REANALYSES = 3
"""Repeated analyses of one script because other scripts depend on a global that it assigns."""


class PartialGlobals:
    """The globals of the scripts analyzed so far, until all are known for the first time.

    `realms` are the scripts that are known to share globals. The names that scripts depend on are also
    recorded in `shared`.
    """

    def __init__(self, shared: SharedGlobals, realms: Realms) -> None:
        self._index = shared.index
        self._wanted = shared.wanted
        self._realms_of: dict[ScriptLocation, list[int]] = {}
        self._order: dict[tuple[int, ScriptLocation], int] = {}
        self._analyzed: list[list[ScriptLocation]] = [[] for _ in realms]
        self._values: list[dict[str, dict[ScriptLocation, Value]]] = [{} for _ in realms]
        self._names: list[dict[bytes, str]] = [{} for _ in realms]
        self._settled: set[tuple[ScriptLocation, str]] = set()
        """The globals that scripts assigned, or that were requested from them, in their first analysis."""
        self._reanalyses: Counter[ScriptLocation] = Counter()
        for at, realm in enumerate(realms):
            for location in realm:
                self._add_to_realm(location, at)

    def _add_to_realm(self, location: ScriptLocation, realm: int) -> None:
        self._realms_of.setdefault(location, []).append(realm)
        self._order.setdefault((realm, location), len(self._order))

    def record_import(self, location: ScriptLocation, importer: ScriptLocation) -> None:
        """Records that an imported script runs in the realms of its importer."""
        if location not in self._realms_of:
            for realm in self._realms_of.get(importer, ()):
                self._add_to_realm(location, realm)

    def values_for(self, location: ScriptLocation) -> RealmGlobals:
        """Returns the values that scripts analyzed so far assign to the globals that a script mentions."""
        sources: dict[str, list[int]] = {}
        for at in self._realms_of.get(location, ()):
            realm_values = self._values[at]
            for name in self._index.mentioned_names(location, self._names[at]) if realm_values else ():
                if len(realm_values[name]) <= MAX_WRITERS and values_reach(location, realm_values[name]):
                    sources.setdefault(name, []).append(at)
                    if location not in realm_values[name]:
                        self._wanted.setdefault(location, set()).add(name)
        if not sources:
            return NOTHING_SHARED
        values = {
            name: AssignedGlobal(self._assigned_values(name, through)).value_in(location)
            for name, through in sources.items()
        }
        return RealmGlobals(dict(sorted(values.items())), frozenset(self._wanted.get(location, ())))

    def _assigned_values(self, name: str, realms: Iterable[int]) -> Iterator[tuple[ScriptLocation, Value]]:
        """Yields the values that the scripts of realms assign to a global, in script order."""
        for at in realms:
            yield from sorted(self._values[at][name].items(), key=lambda each: self._order[at, each[0]])

    def record_facts(self, location: ScriptLocation, facts: ScriptFacts) -> Sequence[ScriptLocation]:
        """Records the globals that a script assigns.

        Returns the earlier scripts that may now assign more themselves.

        `window.app = window.app || {}` only matters once another script is known to add members to `app`.
        """
        found: dict[ScriptLocation, None] = {}
        requested_names = self._wanted.get(location, ())
        if not self._reanalyses[location]:
            self._settled.update((location, name) for name in {*requested_names, *facts.globals})
        for at in self._realms_of.get(location, ()):
            changed = {}
            for name, value in facts.globals.items():
                values_by_script = self._values[at].setdefault(name, {})
                self._names[at][encode_name(name)] = name
                if values_by_script.get(location) != value and len(values_by_script) <= MAX_WRITERS:
                    values_by_script[location] = value
                    changed[encode_name(name)] = name
            for other in self._analyzed[at][-MAX_LOOKBACK:] if changed else ():
                if other != location and self._reanalyses[other] < MAX_REANALYSES:
                    assigned = self._index.assigned_names(other, changed)
                    if any((other, name) not in self._settled for name in assigned):
                        found[other] = None
            if location not in self._analyzed[at][-MAX_LOOKBACK:]:
                self._analyzed[at].append(location)
        return [*found]

    def record_reanalysis(self, location: ScriptLocation) -> None:
        """Records that a script is analyzed again because of others."""
        self._reanalyses[location] += 1
