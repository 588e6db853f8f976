"""The globals through which the scripts of a realm pass values to each other, and those known so far.

Scripts run in the order in which a page names them, and are mostly analyzed in that order. So the values that
earlier scripts assign are often complete. The partial values are compared with the final ones: a script for
which they are the same is not analyzed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from extlint.analysis.facts.other_scripts import NOTHING_SHARED, RealmGlobals, merge_values
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.facts.values import UNKNOWN, ObjectValue, Value, leads_to_api, union_of
from extlint.program.predicted_globals import LeaveOneOut, NameIndex, PredictedGlobals, Realms
from extlint.project.contexts.script import ScriptLocation
from extlint.text.positions import encode_name

_Sources: TypeAlias = tuple[int, ...]
"""The realms, by index, through which other scripts assign to a global that a script mentions."""

MAX_VALUES = 200
"""Values of one global that are compared. This exceeds the number of options of one value."""

_NO_SCRIPT: ScriptLocation = ("", None)
_UNKNOWN_WRITES = -1
"""Represents arbitrary assignments by other scripts in `_Sources`."""


class SharedGlobals:
    """Computes the properties of its realms' globals that each script of a package depends on.

    `facts` and `text` return the facts and the source of a script. `conditions` returns what tests imply of
    the globals with these names that the script assigns.
    """

    def __init__(
        self,
        facts: Callable[[ScriptLocation], ScriptFacts],
        text: Callable[[ScriptLocation], bytes],
        conditions: Callable[[ScriptLocation, Collection[str]], Mapping[str, Value]],
    ) -> None:
        self._facts = facts
        self.index = NameIndex(text)
        self._conditions = conditions
        self._known_conditions: dict[ScriptLocation, dict[str, Value | None]] = {}
        self.wanted: dict[ScriptLocation, set[str]] = {}
        """The names of globals in a script whose values other scripts depend on."""
        self.predicted = PredictedGlobals(self.index, self._condition_of)

    def compute_for_realms(self, realms: Realms, pages: Realms) -> Mapping[ScriptLocation, RealmGlobals]:
        """Returns, for each script of these realms, the values others assign to the globals it mentions.

        `pages` are the realms of extension pages.
        """
        self.predicted.set_realms(realms, pages)
        values = self._all_values(realms, pages)
        conditions = self._all_conditions(realms)
        return {
            location: RealmGlobals(
                dict(sorted(values.get(location, {}).items())),
                frozenset(self.wanted.get(location, ())),
                conditions.get(location, {}),
            )
            for location in dict.fromkeys((*values, *conditions))
        }

    def _all_values(self, realms: Realms, pages: Realms) -> dict[ScriptLocation, dict[str, Value]]:
        """Returns, for each script, the values that others assign to the globals it mentions."""
        written: list[dict[str, dict[ScriptLocation, Value]]] = []
        sources: dict[ScriptLocation, dict[str, _Sources]] = {}
        for at, realm in enumerate(realms):
            writers: dict[str, dict[ScriptLocation, Value]] = {}
            for location in realm:
                for name, value in self._facts(location).globals.items():
                    writers.setdefault(name, {})[location] = value
            written.append(writers)
            unknown = {
                location: self._facts(location).shared_variables - writers.keys() for location in realm
            }
            naming = self._mentions_by_name(realm, {*writers}.union(*unknown.values()))
            for name, values in writers.items():
                for location in naming.get(name, ()):
                    if values_reach(location, values):
                        own = sources.setdefault(location, {})
                        own[name] = (*own.get(name, ()), at)
                        if location not in values:
                            self.wanted.setdefault(location, set()).add(name)
            for location, names in unknown.items():
                for name in names:
                    if any(other != location for other in naming.get(name, ())):
                        sources.setdefault(location, {})[name] = (_UNKNOWN_WRITES,)
        for location in dict.fromkeys(each for page in pages for each in page):
            facts = self._facts(location)
            for name in facts.shared_variables - facts.globals.keys():
                if self.predicted.may_change_through_window(location, name):
                    sources.setdefault(location, {})[name] = (_UNKNOWN_WRITES,)
        assigned: dict[tuple[str, _Sources], AssignedGlobal] = {}
        for own in sources.values():
            for name, through in own.items():
                if (name, through) not in assigned:
                    assigned[name, through] = AssignedGlobal(
                        each for at in through for each in _writes_in(written, at, name)
                    )
        return {
            location: {name: assigned[name, through].value_in(location) for name, through in own.items()}
            for location, own in sources.items()
        }

    def _mentions_by_name(
        self, realm: Sequence[ScriptLocation], names: Iterable[str]
    ) -> dict[str, list[ScriptLocation]]:
        """Returns, by name, the scripts of a realm that may refer to a global by it."""
        encoded_names = {encode_name(name): name for name in names}
        found: dict[str, list[ScriptLocation]] = {}
        for location in realm if encoded_names else ():
            for name in self.index.mentioned_names(location, encoded_names):
                found.setdefault(name, []).append(location)
        return found

    def _all_conditions(self, realms: Realms) -> dict[ScriptLocation, Mapping[str, Value]]:
        """Returns, for each script, what its tests imply of globals that others assign."""
        sources: dict[tuple[ScriptLocation, str], _Sources] = {}
        assigning: list[dict[str, list[ScriptLocation]]] = []
        names_by_script: dict[ScriptLocation, set[str]] = {}
        for at, realm in enumerate(realms):
            readers: dict[str, list[ScriptLocation]] = {}
            for location in realm:
                for name in sorted(self._facts(location).tested_globals):
                    readers.setdefault(name, []).append(location)
            names = {encode_name(name): name for name in readers}
            there: dict[str, list[ScriptLocation]] = {}
            for location in realm if names else ():
                for name in self.index.assigned_names(location, names):
                    there.setdefault(name, []).append(location)
            assigning.append(there)
            for name, locations in readers.items():
                assigners = there.get(name, [])
                reading = [each for each in locations if any(other != each for other in assigners)]
                for location in reading:
                    sources[location, name] = (*sources.get((location, name), ()), at)
                for other in assigners:
                    if any(each != other for each in reading):
                        names_by_script.setdefault(other, set()).add(name)
        self._find_conditions(names_by_script)
        implied: dict[tuple[str, _Sources], _Implications] = {}
        found: dict[ScriptLocation, dict[str, Value]] = {}
        for (location, name), through in sources.items():
            if (name, through) not in implied:
                assigners = list(
                    dict.fromkeys(each for at in through for each in assigning[at].get(name, ()))
                )
                implied[name, through] = _Implications(
                    (each, known[name])
                    for each in assigners
                    if name in (known := self._known_conditions.get(each, {}))
                )
            value = implied[name, through].implication_in(location)
            if value is not None:
                found.setdefault(location, {})[name] = value
        return {**found}

    def _condition_of(self, name: str, locations: Sequence[ScriptLocation]) -> Value | None:
        """Returns what a test implies of a global that these scripts assign, or None if nothing."""
        self._find_conditions({each: {name} for each in locations})
        return _Implications((each, self._known_conditions[each][name]) for each in locations).combined

    def _find_conditions(self, names_by_script: Mapping[ScriptLocation, Collection[str]]) -> None:
        """Computes what tests imply of globals that scripts assign, unless it is already known."""
        for location, names in names_by_script.items():
            known = self._known_conditions.setdefault(location, {})
            new = {name for name in names if name not in known}
            if new:
                found = self._conditions(location, new)
                known.update({name: found.get(name) for name in new})


class AssignedGlobal:
    """The values that scripts assign to one global. All objects among them count as the same object."""

    def __init__(self, values: Iterable[tuple[ScriptLocation, Value]]) -> None:
        listed = list(values)
        self._objects = [value for _, value in listed if isinstance(value, ObjectValue)]
        self._others = LeaveOneOut(each for each in listed if not isinstance(each[1], ObjectValue))

    def value_in(self, location: ScriptLocation) -> Value:
        """Returns the value of the global in a script, as assigned by the others."""
        if not self._others.is_first_source(location):
            return self._merged
        other_values = islice(self._others.all_except(location), MAX_VALUES)
        return merge_values([*([merge_values(self._objects)] if self._objects else []), *other_values])

    @cached_property
    def _merged(self) -> Value:
        return merge_values([*self._objects, *self._others.all()])


class _Implications:
    """The implications of tests of one global, by the scripts that assign it.

    Scripts that imply nothing have the value None.
    """

    def __init__(self, values: Iterable[tuple[ScriptLocation, Value | None]]) -> None:
        self._values = LeaveOneOut(values)

    def implication_in(self, location: ScriptLocation) -> Value | None:
        """Returns the implication of a test in a script, or None if nothing.

        A global that implies nothing, such as a polyfill of `Map`, does not cause scripts to be analyzed
        again.
        """
        return (
            self._combine(self._values.all_except(location))
            if self._values.is_first_source(location)
            else self.combined
        )

    @cached_property
    def combined(self) -> Value | None:
        """The implication of a test in a script that does not assign to the global."""
        return self._combine(self._values.all())

    def _combine(self, values: Iterable[Value | None]) -> Value | None:
        from extlint.analysis.values.condition_values import has_implications

        known: list[Value] = []
        for each in islice(values, MAX_VALUES):
            if each is None:
                return None
            known.append(each)
        condition = union_of(known)
        return condition if has_implications(condition) else None


def _writes_in(
    written: Sequence[Mapping[str, Mapping[ScriptLocation, Value]]], at: int, name: str
) -> Iterable[tuple[ScriptLocation, Value]]:
    """Returns the values that the scripts of a realm assign to a global."""
    return ((_NO_SCRIPT, UNKNOWN),) if at == _UNKNOWN_WRITES else written[at][name].items()


def values_reach(location: ScriptLocation, written: Mapping[ScriptLocation, Value]) -> bool:
    """Whether values reach a script: those of others, and its own if they belong to a shared object."""
    return len(written) > 1 or location not in written or isinstance(written[location], ObjectValue)


def api_facts(facts: ScriptFacts) -> tuple[object, ...]:
    """Returns the facts about the API, in the script itself and for others that share its globals."""
    shared = {name: value for name, value in facts.globals.items() if leads_to_api(value)}
    return facts.references, facts.calls, shared


def passed_parameters(
    known: Mapping[ScriptLocation, ScriptFacts], resolve_module: Callable[[str, str], str | None]
) -> Mapping[ScriptLocation, Mapping[tuple[str, int], Value]]:
    """Returns API values that scripts pass to functions exported by others, by the exporting script."""
    found: dict[ScriptLocation, dict[tuple[str, int], Value]] = {}
    for (importer, _), facts in known.items():
        for each in facts.passed_arguments:
            path = resolve_module(importer, each.module)
            if path is not None and (path, None) in known:
                own = found.setdefault((path, None), {})
                key = (each.name, each.index)
                own[key] = union_of([own[key], each.value] if key in own else [each.value])
    return found


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
