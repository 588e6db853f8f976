"""What the scripts of one world give each other through its globals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from extlint.contexts.script import ScriptLocation
from extlint.script.facts.script_facts import ScriptFacts
from extlint.script.facts.shared_globals import RealmGlobals, merged
from extlint.script.facts.values import UNKNOWN, ObjectValue, Value, union_of
from extlint.script.syntax.prefilter import mentions
from extlint.text.patterns import lazy

MAX_SEARCHED_BYTES = 400_000_000
"""Bytes that are searched for names in one package, each name a search; then every script names it."""


_ASSIGNED = lazy(rb"\s*=(?![=>])")
_DECLARED = lazy(rb"(?:function|class)[\s*]+\Z")
_MAX_BYTES_TO_NAME = 40
"""Bytes from `function` or `class` to the name that it declares."""


class SharedGlobals:
    """Works out what each script of a package is to know of the globals of its worlds.

    `facts` and `text` give the facts and the source of a script, `conditions` what globals of these names
    tell as conditions to which it gives a value.
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
        self._given: dict[ScriptLocation, dict[str, Value | None]] = {}
        self._gives: dict[tuple[ScriptLocation, str], bool] = {}
        self._mentions: dict[tuple[ScriptLocation, str], bool] = {}
        self._searched = 0
        self._looked_through = 0
        self._wanted: dict[ScriptLocation, set[str]] = {}

    def of(self, realms: Sequence[Sequence[ScriptLocation]]) -> Mapping[ScriptLocation, RealmGlobals]:
        """For each script of these worlds what the others do to globals that it names, if they do."""
        values: dict[ScriptLocation, dict[str, list[Value]]] = {}
        for realm in realms:
            givers: dict[str, dict[ScriptLocation, Value]] = {}
            for location in realm:
                for name, value in self._facts(location).globals.items():
                    givers.setdefault(name, {})[location] = value
            for name, given in givers.items():
                for location in realm:
                    others = _from_others(location, given)
                    if others and self._names(location, name):
                        values.setdefault(location, {}).setdefault(name, []).extend(others)
                        if location not in given:
                            self._wanted.setdefault(location, set()).add(name)
            for location in realm:
                for name in self._facts(location).shared_variables - givers.keys():
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
        """What is told to each script by the globals that it tests and that others give a value."""
        givers: dict[tuple[ScriptLocation, str], dict[ScriptLocation, None]] = {}
        for realm in realms:
            asking: dict[str, list[ScriptLocation]] = {}
            for location in realm:
                for name in sorted(self._facts(location).tested_globals):
                    asking.setdefault(name, []).append(location)
            for name, locations in asking.items():
                giving = [each for each in realm if self._gives_value(each, name)]
                for location in locations if giving else ():
                    named_by = [each for each in giving if each != location]
                    if named_by:
                        givers.setdefault((location, name), {}).update(dict.fromkeys(named_by))
        wanted: dict[ScriptLocation, set[str]] = {}
        for (_, name), others in givers.items():
            for other in others:
                if name not in self._given.get(other, ()):
                    wanted.setdefault(other, set()).add(name)
        for other, names in wanted.items():
            told = self._conditions(other, names)
            self._given.setdefault(other, {}).update({name: told.get(name) for name in names})
        found: dict[ScriptLocation, dict[str, Value]] = {}
        for (location, name), others in givers.items():
            value = self._told_by([self._given[other][name] for other in others])
            if value is not None:
                found.setdefault(location, {})[name] = value
        return {**found}

    def _told_by(self, values: Sequence[Value | None]) -> Value | None:
        """What a global tells that several scripts give these values; None if it tells nothing.

        No script is read again for what says nothing of its conditions, such as a polyfill of `Map`.
        """
        from extlint.script.values.condition_facts import tells

        whole = union_of(each for each in values if each is not None)
        return whole if None not in values and tells(whole) else None

    def _gives_value(self, location: ScriptLocation, name: str) -> bool:
        """Whether a script seems to declare a global, or to give it a value."""
        key = (location, name)
        if key not in self._gives:
            word, text = name.encode(), self._text(location)
            self._gives[key] = self._looked_through <= MAX_SEARCHED_BYTES and _gives(text, word)
            self._looked_through += len(text)
        return self._gives[key]

    def _names(self, location: ScriptLocation, name: str) -> bool:
        key = (location, name)
        if key not in self._mentions:
            text = self._text(location)
            self._searched += len(text)
            self._mentions[key] = self._searched > MAX_SEARCHED_BYTES or bool(mentions(text, (name,)))
        return self._mentions[key]


def _gives(text: bytes, word: bytes) -> bool:
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


def _from_others(location: ScriptLocation, given: Mapping[ScriptLocation, Value]) -> list[Value]:
    """What reaches a script: from the others, and what it puts itself into an object that all share."""
    return [value for giver, value in given.items() if giver != location or isinstance(value, ObjectValue)]
