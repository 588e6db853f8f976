"""A package's scripts in which callers are searched for, by the names they may use, and their evaluators.

A text search comes first, as parsing a script costs hundreds of times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from extlint.contexts.realms import object_realms
from extlint.contexts.script import LaidOutScript, ScriptLocation
from extlint.extension import Script
from extlint.program.script_reader import ScriptReader
from extlint.project.test_files import is_test_script
from extlint.text.patterns import isolated_word_offsets
from extlint.text.positions import encode_name
from extlint.text.word_search import WordSearch

if TYPE_CHECKING:
    from extlint.script.call_graph.entry_points import ExternalName
    from extlint.script.facts.context import ContextKind
    from extlint.script.values.evaluator import Evaluator

MAX_PARSED_SCRIPTS = 150
"""Scripts of one package that are parsed to find callers. The others count as callers of all names in
them.
"""


class SearchedScripts:
    """The scripts of one package, each parsed once, on demand."""

    def __init__(
        self, reader: ScriptReader, layout_scripts: Sequence[LaidOutScript], scripts: Sequence[Script]
    ) -> None:
        self._reader = reader
        self._by_place = {
            (script.path, script.base): (script, (placed.path, placed.body))
            for placed, script in zip(layout_scripts, scripts, strict=True)
        }
        searched = [(place, own) for own, place in self.locations if not is_test_script(own)]
        self._searched = [place for place, _ in searched]
        self._texts = {place: own.index.text for place, own in searched}
        self._words = WordSearch([*self._texts.values()])
        self._with_word: dict[str, list[ScriptLocation]] = {}
        self._evaluators: dict[ScriptLocation, Evaluator | None] = {}

    @property
    def locations(self) -> Iterable[tuple[Script, ScriptLocation]]:
        """The scripts, each with its location."""
        return self._by_place.values()

    def location_of(self, script: Script) -> ScriptLocation:
        """Returns the location of a script."""
        return self._by_place[script.path, script.base][1]

    def evaluator(self, location: ScriptLocation) -> Evaluator | None:
        """Returns the evaluator of a script.

        Returns None if it does not parse or too many scripts were parsed before.
        """
        if location not in self._evaluators:
            is_allowed = len(self._evaluators) < MAX_PARSED_SCRIPTS
            if not is_allowed:
                what = (
                    f"callers of functions are searched for in {MAX_PARSED_SCRIPTS} scripts of an extension"
                )
                self._reader.record_omission(location[0], what)
            self._evaluators[location] = self._reader.evaluator(location) if is_allowed else None
        return self._evaluators[location]

    def potential_users(self, name: ExternalName, of: ScriptLocation) -> Iterator[ScriptLocation]:
        """Yields the other scripts, except tests, that may use a name of a script."""
        word = search_word(name, of[0])
        if word not in self._with_word:
            found = self._words.texts_with(encode_name(word))
            self._with_word[word] = [self._searched[at] for at in found]
        for each in self._with_word[word]:
            if each != of and self._may_share_objects(each, of) and self._may_use(each, name):
                yield each

    def _may_use(self, location: ScriptLocation, name: ExternalName) -> bool:
        from extlint.script.call_graph.entry_points import NameKind
        from extlint.script.syntax.property_text import may_use_property

        if name.kind is not NameKind.PROPERTY or location in self._evaluators:
            return True
        word, text = encode_name(name.text), self._texts[location]
        return any(may_use_property(text, at, at + len(word)) for at in isolated_word_offsets(word, text))

    def _may_share_objects(self, one: ScriptLocation, other: ScriptLocation) -> bool:
        """Whether code of one script may hold objects of the other, and so call its functions."""
        own, other_realms = self._object_realms[one], self._object_realms[other]
        return own is None or other_realms is None or not own.isdisjoint(other_realms)

    @cached_property
    def _object_realms(self) -> dict[ScriptLocation, frozenset[ContextKind] | None]:
        return {place: object_realms(script) for script, place in self.locations}


def search_word(name: ExternalName, path: str) -> str:
    """Returns a word that is in every script that uses a name; for a default export, the file's name."""
    if name.text != "default":
        return name.text
    folder, _, own = path.rpartition("/")
    stem = own.split(".")[0]
    return folder.rpartition("/")[2] or stem if stem == "index" else stem
