"""The globals through which the scripts of a realm pass values to each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from extlint.contexts.script import ScriptLocation
from extlint.script.facts.script_facts import ScriptFacts
from extlint.script.facts.shared_globals import RealmGlobals, merged
from extlint.script.facts.values import UNKNOWN, ObjectValue, Value, union_of
from extlint.script.syntax.prefilter import mentions
from extlint.text.patterns import lazy

MAX_SEARCHED_BYTES = 400_000_000
"""Bytes that are searched for names in one package; after that, every script counts as naming them."""


_ASSIGNED = lazy(rb"\s*=(?![=>])")
_DECLARED = lazy(rb"(?:function|class)[\s*]+\Z")
_MAX_BYTES_TO_NAME = 40
"""Bytes from `function` or `class` to the name that it declares."""


class SharedGlobals:
    """Computes what each script of a package needs to know of the globals of its realms.

    `facts` and `text` return the facts and the source of a script, `conditions` what tests of the globals
    with these names imply, to which the script assigns.
    """

    def __init__(
        self,
        facts: Callable[[ScriptLocation], ScriptFacts],
        text: Callable[[ScriptLocation], bytes],
        conditions: Callable[[ScriptLocation, Collection[str]], Mapping[str, Value]],
    ) -> None:
        self._facts = facts
        self._text = text
        self._conditions = conditions
        self._known_conditions: dict[ScriptLocation, dict[str, Value | None]] = {}
        self._assigned: dict[tuple[ScriptLocation, str], bool] = {}
        self._mentioned: dict[tuple[ScriptLocation, str], bool] = {}
        self._searched = 0
        self._scanned = 0
        self._wanted: dict[ScriptLocation, set[str]] = {}

    def for_realms(self, realms: Sequence[Sequence[ScriptLocation]]) -> Mapping[ScriptLocation, RealmGlobals]:
        """For each script of these realms, what the others assign to the globals that it names."""
        values: dict[ScriptLocation, dict[str, list[Value]]] = {}
        for realm in realms:
            writers: dict[str, dict[ScriptLocation, Value]] = {}
            for location in realm:
                for name, value in self._facts(location).globals.items():
                    writers.setdefault(name, {})[location] = value
            for name, written in writers.items():
                for location in realm:
                    others = _from_others(location, written)
                    if others and self._names(location, name):
                        values.setdefault(location, {}).setdefault(name, []).extend(others)
                        if location not in written:
                            self._wanted.setdefault(location, set()).add(name)
            for location in realm:
                for name in self._facts(location).shared_variables - writers.keys():
                    if any(self._names(other, name) for other in realm if other != location):
                        values.setdefault(location, {})[name] = [UNKNOWN]
        conditions = self._all_conditions(realms)
        return {
            location: RealmGlobals(
                {name: merged(each) for name, each in sorted(values.get(location, {}).items())},
                frozenset(self._wanted.get(location, ())),
                conditions.get(location, {}),
            )
            for location in dict.fromkeys((*values, *conditions))
        }

    def _all_conditions(
        self, realms: Sequence[Sequence[ScriptLocation]]
    ) -> dict[ScriptLocation, Mapping[str, Value]]:
        """For each script, what its tests of globals imply to which others assign."""
        writers: dict[tuple[ScriptLocation, str], dict[ScriptLocation, None]] = {}
        for realm in realms:
            readers: dict[str, list[ScriptLocation]] = {}
            for location in realm:
                for name in sorted(self._facts(location).tested_globals):
                    readers.setdefault(name, []).append(location)
            for name, locations in readers.items():
                assigning = [each for each in realm if self._assigns_to(each, name)]
                for location in locations if assigning else ():
                    named_by = [each for each in assigning if each != location]
                    if named_by:
                        writers.setdefault((location, name), {}).update(dict.fromkeys(named_by))
        wanted: dict[ScriptLocation, set[str]] = {}
        for (_, name), others in writers.items():
            for other in others:
                if name not in self._known_conditions.get(other, ()):
                    wanted.setdefault(other, set()).add(name)
        for other, names in wanted.items():
            conditions_there = self._conditions(other, names)
            self._known_conditions.setdefault(other, {}).update(
                {name: conditions_there.get(name) for name in names}
            )
        found: dict[ScriptLocation, dict[str, Value]] = {}
        for (location, name), others in writers.items():
            value = self._condition_of([self._known_conditions[other][name] for other in others])
            if value is not None:
                found.setdefault(location, {})[name] = value
        return {**found}

    def _condition_of(self, values: Sequence[Value | None]) -> Value | None:
        """What a test of a global implies that several scripts assign; None if it implies nothing.

        No script is analysed again for a global that implies nothing, such as a polyfill of `Map`.
        """
        from extlint.script.values.implications import has_implications

        condition = union_of(each for each in values if each is not None)
        return condition if None not in values and has_implications(condition) else None

    def _assigns_to(self, location: ScriptLocation, name: str) -> bool:
        """Whether a script seems to declare a global, or to assign to it."""
        key = (location, name)
        if key not in self._assigned:
            word, text = name.encode(), self._text(location)
            self._assigned[key] = self._scanned <= MAX_SEARCHED_BYTES and _assigns(text, word)
            self._scanned += len(text)
        return self._assigned[key]

    def _names(self, location: ScriptLocation, name: str) -> bool:
        key = (location, name)
        if key not in self._mentioned:
            text = self._text(location)
            self._searched += len(text)
            self._mentioned[key] = self._searched > MAX_SEARCHED_BYTES or bool(mentions(text, (name,)))
        return self._mentioned[key]


def _assigns(text: bytes, word: bytes) -> bool:
    """Whether a text seems to assign to a name, or to declare a function or class by it."""
    from extlint.script.scope.word_index import WORD, word_ends

    for at in word_ends(text, word, 0, len(text)):
        if at and text[at - 1] in WORD:
            continue
        if _ASSIGNED.match(text, at + len(word)) or _DECLARED.search(
            text, max(0, at - _MAX_BYTES_TO_NAME), at
        ):
            return True
    return False


def _from_others(location: ScriptLocation, written: Mapping[ScriptLocation, Value]) -> list[Value]:
    """The values that reach a script: those of the others, and its own into an object that all share."""
    return [
        value for writer, value in written.items() if writer != location or isinstance(value, ObjectValue)
    ]
