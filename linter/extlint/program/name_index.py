"""An index of the names that occur in the scripts of a package."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
