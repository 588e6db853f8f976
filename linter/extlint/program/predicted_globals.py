"""Predicts the properties of a realm's globals that a script depends on, by an index of the names in scripts.

The texts of the other scripts determine which of them mention a variable or assign to a global. The
predictions are compared with the final facts: a script whose predictions were correct is not analyzed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from extlint.analysis.facts.other_scripts import (
    NO_EXPORTS,
    Exports,
    GlobalQuery,
    RealmGlobals,
    parse_global_query,
)
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.project.contexts.script import ScriptLocation
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

if TYPE_CHECKING:
    from extlint.project.contexts.other_windows import OtherWindows


_ASSIGNED = lazy(rb"\s*(?:\?\?|\|\|)?=(?![=>])")
_DECLARED = lazy(rb"(?:function|class)[\s*]+\Z")
_MAX_BYTES_TO_NAME = 40
"""Bytes from `function` or `class` to the name that it declares."""


class NameIndex:
    """Finds names in the texts of scripts, which `text` returns.

    The work is proportional to the texts and the matches in them, not to the number of names times the number
    of scripts.
    """

    def __init__(self, text: Callable[[ScriptLocation], bytes]) -> None:
        self.text = text
        self._words: dict[ScriptLocation, frozenset[bytes]] = {}
        self._searched: dict[ScriptLocation, dict[str, bool]] = {}
        self._mentioned: dict[ScriptLocation, dict[str, bool]] = {}
        self._assigned: dict[ScriptLocation, dict[str, bool]] = {}

    def mentioned_names(self, location: ScriptLocation, names: Mapping[bytes, str]) -> set[str]:
        """Returns the names in `names` that a script may mention as globals."""
        from extlint.analysis.syntax.prefilter import may_name_global

        known = self._mentioned.setdefault(location, {})
        return self._names_where(location, names, known, lambda text, at, _: may_name_global(text, at))

    def assigned_names(self, location: ScriptLocation, names: Mapping[bytes, str]) -> set[str]:
        """Returns the names in `names` that a script seems to declare, or to assign to."""
        return self._names_where(location, names, self._assigned.setdefault(location, {}), _is_assigned)

    def _names_where(
        self,
        location: ScriptLocation,
        names: Mapping[bytes, str],
        known: dict[str, bool],
        holds: Callable[[bytes, int, int], bool],
    ) -> set[str]:
        """Returns the names in `names` for which a predicate holds at an occurrence in a script."""
        from extlint.analysis.syntax.prefilter import word_spans

        present = self._present_names(location, names)
        new = {encode_name(name): name for name in present if name not in known}
        known.update(dict.fromkeys(new.values(), False))
        text = self.text(location) if new else b""
        for start, end in word_spans(text, new):
            name = new[text[start:end]]
            known[name] = known[name] or holds(text, start, end)
        return {name for name in present if known[name]}

    def _present_names(self, location: ScriptLocation, names: Mapping[bytes, str]) -> list[str]:
        """Returns the names in `names` that may occur in a script as words."""
        from extlint.analysis.syntax.prefilter import MAX_SEARCHES

        words = self._words.get(location)
        if words is None and len(names) <= MAX_SEARCHES:
            searched = self._searched.setdefault(location, {})
            new = [name for name in names.values() if name not in searched]
            if len(searched) + len(new) <= MAX_SEARCHES:
                text = self.text(location) if new else b""
                searched.update({name: encode_name(name) in text for name in new})
                return [name for name in names.values() if searched[name]]
        if words is None:
            from extlint.text.word_search import words_in

            words = self._words[location] = words_in(self.text(location))
        if len(words) > len(names):
            return [name for word, name in names.items() if word in words]
        return [names[word] for word in words if word in names]


def _is_assigned(text: bytes, at: int, end: int) -> bool:
    """Whether the name at a position seems to be assigned to, or to be declared by a function or class."""
    return (
        _ASSIGNED.match(text, end) is not None
        or _DECLARED.search(text, max(0, at - _MAX_BYTES_TO_NAME), at) is not None
    )


ItemT = TypeVar("ItemT")


class LeaveOneOut(Generic[ItemT]):
    """Items by the scripts that they come from, in order, for queries that leave one script out.

    An item from several scripts counts once, at its first occurrence. Items are compared by identity.
    """

    def __init__(self, items: Iterable[tuple[ScriptLocation, ItemT]]) -> None:
        self._first: dict[int, tuple[int, ScriptLocation, ItemT]] = {}
        self._second: dict[int, int] = {}
        self._own: dict[ScriptLocation, list[int]] = {}
        for at, (location, item) in enumerate(items):
            first = self._first.setdefault(id(item), (at, location, item))
            if first[0] == at:
                self._own.setdefault(location, []).append(id(item))
            elif first[1] != location:
                self._second.setdefault(id(item), at)

    def is_first_source(self, location: ScriptLocation) -> bool:
        """Whether the first occurrence of an item is in a script, so leaving it out makes a difference."""
        return location in self._own

    def all(self) -> Iterator[ItemT]:
        """Yields the items of all scripts."""
        return (item for _, _, item in self._first.values())

    def all_except(self, location: ScriptLocation) -> Iterator[ItemT]:
        """Yields the items of all scripts except one, each at its first occurrence in another script."""
        own = self._own.get(location, ())
        moved = sorted((self._second[each], each) for each in own if each in self._second)
        at_moved = 0
        for at, first, item in self._first.values():
            while at_moved < len(moved) and moved[at_moved][0] < at:
                yield self._first[moved[at_moved][1]][2]
                at_moved += 1
            if first != location:
                yield item
        for _, each in moved[at_moved:]:
            yield self._first[each][2]


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
