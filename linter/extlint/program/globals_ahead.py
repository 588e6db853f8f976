"""Predicts the properties of a realm's globals that a script depends on, before all scripts are analyzed.

The texts of the other scripts determine which of them mention a variable or assign to a global. The
predictions are compared with the final facts: a script whose predictions were correct is not analyzed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeAlias

from extlint.contexts.script import ScriptLocation
from extlint.program.name_index import NameIndex
from extlint.script.facts.imports import NO_EXPORTS, Exports
from extlint.script.facts.script_facts import ScriptFacts
from extlint.script.facts.shared_globals import Asked, RealmGlobals, asked_about
from extlint.script.facts.values import UNKNOWN, Value
from extlint.text.positions import encoded

Realms: TypeAlias = Sequence[Sequence[ScriptLocation]]

MAX_TESTS_AHEAD = 5
"""Tests of globals that are looked up in one script one at a time. Further tests wait until all are known."""

_ANSWER = ""
"""The export name that represents the result of a query."""

_IS_NAMED: Exports = {_ANSWER: UNKNOWN}


class GlobalsAhead:
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
        self._naming: dict[tuple[int, str], Sequence[ScriptLocation]] = {}
        self._assigning: dict[tuple[int, str], Sequence[ScriptLocation]] = {}
        self._tests: dict[str, None] = {}
        self._tests_in: Counter[ScriptLocation] = Counter()
        self._wrong: set[ScriptLocation] = set()

    def expect(self, realms: Realms) -> None:
        """Sets the scripts that are known so far to share each realm."""
        if realms == self._realms:
            return
        self._realms = realms
        self._realms_of.clear()
        self._naming.clear()
        self._assigning.clear()
        for at, realm in enumerate(realms):
            for location in realm:
                self._realms_of.setdefault(location, []).append(at)

    def answer(self, location: ScriptLocation, question: str) -> Exports | None:
        """Returns the result of a script's query as exports, or None if it is not a query about globals."""
        asked, name = asked_about(question)
        if asked is Asked.IS_NAMED:
            return _IS_NAMED if self._is_named_by_others(location, name) else NO_EXPORTS
        if asked is Asked.IMPLIED:
            condition = self._implied(location, name)
            return NO_EXPORTS if condition is None else {_ANSWER: condition}
        return None

    def taken(self, location: ScriptLocation, facts: ScriptFacts) -> RealmGlobals:
        """Returns the predicted realm globals on which the facts of a script depend."""
        names = [each for each in facts.shared_variables if self._is_named_by_others(location, each)]
        conditions = {each: self._implied(location, each) for each in facts.tested_globals}
        return RealmGlobals(
            dict.fromkeys(names, UNKNOWN),
            conditions={name: each for name, each in conditions.items() if each is not None},
        )

    def was_wrong(self, location: ScriptLocation) -> None:
        """Makes no further predictions for a script, because one of them turned out to be wrong."""
        self._wrong.add(location)

    def _is_named_by_others(self, location: ScriptLocation, name: str) -> bool:
        """Whether another script of a realm may refer to a global by this name."""
        if location in self._wrong:
            return False
        realms = self._realms_of.get(location, ())
        return any(each != location for at in realms for each in self._first_naming(at, name))

    def _first_naming(self, at: int, name: str) -> Sequence[ScriptLocation]:
        """Returns the first scripts of a realm that may refer to a global by this name, two at most."""
        if (at, name) not in self._naming:
            names = {encoded(name): name}
            naming = (each for each in self._realms[at] if self._index.mentioned(each, names))
            self._naming[at, name] = tuple(islice(naming, 2))
        return self._naming[at, name]

    def _implied(self, location: ScriptLocation, name: str) -> Value | None:
        """Returns what a test implies of a global to which other scripts of the realm assign, or None."""
        if location in self._wrong:
            return None
        realms = self._realms_of.get(location, ())
        others = {each: None for at in realms for each in self._all_assigning(at, name) if each != location}
        if name not in self._tests:
            self._tests[name] = None
            self._tests_in.update(others.keys())
        if not others or any(self._tests_in[each] > MAX_TESTS_AHEAD for each in others):
            return None
        return self._condition_of(name, [*others])

    def _all_assigning(self, at: int, name: str) -> Sequence[ScriptLocation]:
        """Returns the scripts of a realm that seem to assign to a global."""
        if (at, name) not in self._assigning:
            names = {encoded(name): name}
            self._assigning[at, name] = [
                each for each in self._realms[at] if self._index.assigned(each, names)
            ]
        return self._assigning[at, name]
