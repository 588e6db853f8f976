"""A package's scripts in which callers are searched for, by the names they may use, and their evaluators.

A text search comes first, as parsing a script costs hundreds of times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from extlint.analysis.call_graph.entry_points import ExternalName, NameKind
from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS, ContextKind
from extlint.analysis.facts.other_scripts import Exports
from extlint.analysis.syntax.prefilter import may_use_property
from extlint.analysis.values.evaluator import Evaluator
from extlint.extension import ANALYZED_SCRIPT, ANALYZED_SCRIPTS, FILES, Script
from extlint.program.script_reader import ScriptReader
from extlint.project.build_tools import is_generated, is_test_script
from extlint.project.contexts.page_code import code_text
from extlint.project.contexts.script import (
    GlobalRealms,
    Layout,
    ScriptLocation,
    global_realms,
    injects,
    object_realms,
    share_global_object,
    share_objects,
)
from extlint.queries.database import Database
from extlint.queries.query import query
from extlint.text.patterns import isolated_word_offsets
from extlint.text.positions import encode_name
from extlint.text.word_search import WordSearch

MAX_LARGE_SCRIPTS = 150
"""Large and generated scripts of one package that are parsed to find callers.

The others count as callers of all names in them.
"""

MAX_HAND_WRITTEN_BYTES = 6_000_000
"""Bytes of the other scripts of one package that are parsed to find callers.

An evaluator takes ninety times as much memory, and none is freed.
"""

_LARGE_BYTES = 100_000
"""The length from which a script counts as large, whoever wrote it."""


class SearchedScripts:
    """The scripts of one package, each parsed once, on demand."""

    query_scope = "searched scripts"

    def __init__(
        self, reader: ScriptReader, layout: Layout, scripts: Sequence[Script], queries: Database
    ) -> None:
        """`queries` records what the results depend on."""
        self.queries = queries
        self._reader = reader
        self._by_place = {
            (script.path, script.base): (script, (placed.path, placed.body))
            for placed, script in zip(layout.scripts, scripts, strict=True)
        }
        self._placed = {(placed.path, placed.body): placed for placed in layout.scripts}
        self._unreached_realms = layout.unreached_realms
        self._scripts = {place: script for script, place in self.locations}
        own_scripts = [(own, place) for own, place in self.locations if not is_test_script(own)]
        texts = {own.path: own.index.text for own, _ in own_scripts}
        code = {path: code_text(path, text) for path, text in texts.items()}
        searched = [(place, code[own.path]) for own, place in own_scripts]
        self._texts = dict(sorted(searched, key=lambda each: len(each[1])))
        """The texts of the searched scripts, the smallest first, as most names are used in small scripts."""
        self._searched = [*self._texts]
        self._words = WordSearch([*self._texts.values()])
        self._evaluators: dict[ScriptLocation, Evaluator | None] = {}
        self._large_scripts = 0
        self._hand_written_bytes = 0

    @property
    def locations(self) -> Iterable[tuple[Script, ScriptLocation]]:
        """The scripts, each with its location."""
        return self._by_place.values()

    def location_of(self, script: Script) -> ScriptLocation:
        """Returns the location of a script."""
        return self._by_place[script.path, script.base][1]

    def script_at(self, location: ScriptLocation) -> Script:
        """Returns the script at a location."""
        return self._scripts[location]

    def depend_on_text(self, location: ScriptLocation) -> None:
        """Records that a search depends on a script: on its text, and on the contexts in which it runs."""
        self.queries.depend_on(ANALYZED_SCRIPT, None, (location,))

    def evaluator(self, location: ScriptLocation) -> Evaluator | None:
        """Returns the evaluator of a script, on which a search then depends.

        Returns None if it does not parse or too many scripts were parsed before.
        """
        self.depend_on_text(location)
        if self.queries.is_incremental:
            for path, _ in self.imports_of(location):
                self.exports_of(path)
        if location not in self._evaluators:
            exceeded = self._count(location)
            if exceeded is not None:
                what = f"callers of functions are searched for in {exceeded} of an extension"
                self._reader.record_omission(location, what)
            self._evaluators[location] = None if exceeded is not None else self._reader.evaluator(location)
        return self._evaluators[location]

    def _count(self, location: ScriptLocation) -> str | None:
        """Counts a script before it is parsed. Returns the limit that it exceeds, or None."""
        script, body = self._scripts[location], location[1]
        size = len(script.index.text) if body is None else body[1] - body[0]
        if size >= _LARGE_BYTES or is_generated(script):
            self._large_scripts += 1
            is_exceeded = self._large_scripts > MAX_LARGE_SCRIPTS
            return f"{MAX_LARGE_SCRIPTS} large or generated scripts" if is_exceeded else None
        if self._hand_written_bytes + size > MAX_HAND_WRITTEN_BYTES:
            return f"{MAX_HAND_WRITTEN_BYTES:,} bytes of small scripts"
        self._hand_written_bytes += size
        return None

    @query(is_kept=True)
    def with_word(self, word: str) -> tuple[ScriptLocation, ...]:
        """Returns the scripts that contain a word, except tests, the smallest first."""
        self.queries.depend_on(ANALYZED_SCRIPTS, None)
        return tuple(self._searched[at] for at in self._words.texts_with(encode_name(word)))

    @query(is_kept=True)
    def imports_of(self, location: ScriptLocation) -> tuple[ScriptLocation, ...]:
        """Returns the scripts that a script may import. It may have false positives."""
        self.depend_on_text(location)
        self.queries.depend_on(FILES, None)
        return tuple((path, None) for path in self._reader.possible_imports(location))

    @query(is_kept=True)
    def exports_of(self, path: str) -> Exports:
        """Returns the exports of a script, on which the evaluation of its importers depends."""
        return self._reader.exports_of(path)

    def potential_users(self, name: ExternalName, of: ScriptLocation) -> Iterator[ScriptLocation]:
        """Yields the other scripts, except tests, that may use a name of a script."""
        self.depend_on_text(of)
        for each in self.with_word(search_word(name, of[0])):
            self.depend_on_text(each)
            if each != of and self._may_reach(each, of, name) and self._may_use(each, name):
                yield each

    def _may_reach(self, user: ScriptLocation, of: ScriptLocation, name: ExternalName) -> bool:
        """Whether code of a script may hold what another one gives a name."""
        if name.kind is NameKind.GLOBAL and not self.share_global_object(user, of):
            kinds = {kind for kind, _ in self._global_realms[of] or ()}
            return injects(self._scripts[user]) and not kinds.isdisjoint(WEB_PAGE_CONTEXTS)
        return share_objects(self._object_realms[user], self._object_realms[of])

    def _may_use(self, location: ScriptLocation, name: ExternalName) -> bool:
        """Whether a script that has the search word may use a name."""
        if name.kind is not NameKind.PROPERTY or location in self._evaluators:
            return True
        word, text = encode_name(name.text), self._texts[location]
        return any(may_use_property(text, at, at + len(word)) for at in isolated_word_offsets(word, text))

    def share_global_object(self, one: ScriptLocation, other: ScriptLocation) -> bool:
        """Whether two scripts may have the same global object, apart from the functions that one injects.

        A script in a page that is not known to be opened shares it only with the scripts that the page loads.
        """
        if any(body is not None and not self._placed[path, body].contexts for path, body in (one, other)):
            return any(one in realm and other in realm for realm in self._unreached_realms)
        return share_global_object(self._global_realms[one], self._global_realms[other])

    @cached_property
    def _global_realms(self) -> dict[ScriptLocation, GlobalRealms]:
        return {place: global_realms(placed.path, placed.contexts) for place, placed in self._placed.items()}

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
