"""An index of the names in the scripts of a package, and the items of all scripts but one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from extlint.project.contexts.script import ScriptLocation
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

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
