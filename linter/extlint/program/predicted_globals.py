"""Predicts the properties of a realm's globals that a script depends on, before all scripts are analyzed.

The texts of the other scripts determine which of them mention a variable or assign to a global. The
predictions are compared with the final facts: a script whose predictions were correct is not analyzed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from extlint.analysis.facts.imports import NO_EXPORTS, Exports
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.facts.shared_globals import GlobalQuery, RealmGlobals, parse_global_query
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.program.name_index import NameIndex
from extlint.project.contexts.script import ScriptLocation
from extlint.text.positions import encode_name

if TYPE_CHECKING:
    from extlint.project.contexts.other_windows import OtherWindows

Realms: TypeAlias = Sequence[Sequence[ScriptLocation]]

MAX_PREDICTED_TESTS = 5
"""Tests of globals that are looked up in one script one at a time. Further tests wait until all are known."""

_RESULT = ""
"""The export name that represents the result of a query."""

_IS_NAMED: Exports = {_RESULT: UNKNOWN}


class PredictedGlobals:
    """Resolves `Asked` queries about globals, given the scripts that are known so far to share them.

    `condition_of` returns what a test of a global implies, given the scripts that assign to it, or None if
    nothing.
    """

    def __init__(
        self, index: NameIndex, condition_of: Callable[[str, Sequence[ScriptLocation]], Value | None]
    ) -> None:
        self._index = index
        self._condition_of = condition_of
        self._realms: Realms = ()
        self._realms_of: dict[ScriptLocation, list[int]] = {}
        self._mentions: dict[tuple[int, str], Sequence[ScriptLocation]] = {}
        self._assignments: dict[tuple[int, str], Sequence[ScriptLocation]] = {}
        self._tests: dict[str, None] = {}
        self._tests_in: Counter[ScriptLocation] = Counter()
        self._mispredicted: set[ScriptLocation] = set()
        self._pages: Realms = ()
        self._windows: OtherWindows | None = None

    def set_realms(self, realms: Realms, pages: Realms) -> None:
        """Sets the scripts that are known so far to share each realm, and those of each extension page."""
        if pages != self._pages:
            self._pages, self._windows = pages, None
        if realms == self._realms:
            return
        self._realms = realms
        self._realms_of.clear()
        self._mentions.clear()
        self._assignments.clear()
        for at, realm in enumerate(realms):
            for location in realm:
                self._realms_of.setdefault(location, []).append(at)

    def resolve_query(self, location: ScriptLocation, query: str) -> Exports | None:
        """Returns the result of a script's query as exports, or None if it is not a query about globals."""
        query_kind, name = parse_global_query(query)
        if query_kind is GlobalQuery.IS_NAMED:
            return _IS_NAMED if self._is_named_by_others(location, name) else NO_EXPORTS
        if query_kind is GlobalQuery.IMPLIED:
            condition = self._implied_condition(location, name)
            return NO_EXPORTS if condition is None else {_RESULT: condition}
        return None

    def predictions_for(self, location: ScriptLocation, facts: ScriptFacts) -> RealmGlobals:
        """Returns the predicted realm globals on which the facts of a script depend."""
        names = [each for each in facts.shared_variables if self._is_named_by_others(location, each)]
        conditions = {each: self._implied_condition(location, each) for each in facts.tested_globals}
        return RealmGlobals(
            dict.fromkeys(names, UNKNOWN),
            conditions={name: each for name, each in conditions.items() if each is not None},
        )

    def mark_mispredicted(self, location: ScriptLocation) -> None:
        """Makes no further predictions for a script, because one of them turned out to be wrong."""
        self._mispredicted.add(location)

    def _is_named_by_others(self, location: ScriptLocation, name: str) -> bool:
        """Whether another script may refer to a global by this name."""
        if location in self._mispredicted:
            return False
        realms = self._realms_of.get(location, ())
        is_named = any(each != location for at in realms for each in self._first_mentions(at, name))
        return is_named or self.may_change_through_window(location, name)

    def may_change_through_window(self, location: ScriptLocation, name: str) -> bool:
        """Whether another page of the extension may change a global of this name in a page of a script."""
        if len(self._pages) < 2:
            return False
        if self._windows is None:
            from extlint.project.contexts.other_windows import OtherWindows

            self._windows = OtherWindows(self._index.text, self._pages)
        return self._windows.may_change(location, name)

    def _first_mentions(self, at: int, name: str) -> Sequence[ScriptLocation]:
        """Returns the first scripts of a realm that may refer to a global by this name, two at most."""
        if (at, name) not in self._mentions:
            names = {encode_name(name): name}
            naming = (each for each in self._realms[at] if self._index.mentioned_names(each, names))
            self._mentions[at, name] = tuple(islice(naming, 2))
        return self._mentions[at, name]

    def _implied_condition(self, location: ScriptLocation, name: str) -> Value | None:
        """Returns what a test implies of a global to which other scripts of the realm assign, or None."""
        if location in self._mispredicted:
            return None
        realms = self._realms_of.get(location, ())
        other_scripts = {
            each: None for at in realms for each in self._assigning_scripts(at, name) if each != location
        }
        if name not in self._tests:
            self._tests[name] = None
            self._tests_in.update(other_scripts.keys())
        if not other_scripts or any(self._tests_in[each] > MAX_PREDICTED_TESTS for each in other_scripts):
            return None
        return self._condition_of(name, [*other_scripts])

    def _assigning_scripts(self, at: int, name: str) -> Sequence[ScriptLocation]:
        """Returns the scripts of a realm that seem to assign to a global."""
        if (at, name) not in self._assignments:
            names = {encode_name(name): name}
            self._assignments[at, name] = [
                each for each in self._realms[at] if self._index.assigned_names(each, names)
            ]
        return self._assignments[at, name]
