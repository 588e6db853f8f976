"""Who calls the code of a script, in all scripts of its package.

Asked only of what would be a mistake otherwise: the script is parsed again, and so are those in which
there is a name that leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from extlint.contexts.script import LaidOutScript, ScriptLocation
from extlint.extension import Script
from extlint.program.script_reader import ScriptReader
from extlint.project.test_files import is_of_tests
from extlint.script.facts.script_facts import NO_GUARDS, Guards, Reference

if TYPE_CHECKING:
    from extlint.program.receivers import Receivers
    from extlint.script.call_graph.callers import Name
    from extlint.script.facts.destination import Fate, Keys
    from extlint.script.reachability.call_paths import CallPaths
    from extlint.script.syntax.node import Node
    from extlint.script.values.evaluator import Evaluator

MAX_PARSED_SCRIPTS = 150
"""Scripts of one package that are parsed to find callers; others are taken to call whatever they name."""

_MAX_DEPTH = 6
"""Scripts that call one another that are gone through."""

_OPEN = frozenset({NO_GUARDS})


class Callers:
    """Finds the ways to places of the scripts of one package."""

    def __init__(
        self, reader: ScriptReader, layout_scripts: Sequence[LaidOutScript], scripts: Sequence[Script]
    ) -> None:
        self._reader = reader
        self._scripts = {
            (script.path, script.base): (script, (placed.path, placed.body))
            for placed, script in zip(layout_scripts, scripts, strict=True)
        }
        self._receivers: Receivers | None = None
        self._parsed: dict[ScriptLocation, tuple[Evaluator, CallPaths] | None] = {}
        self._known: dict[tuple[ScriptLocation, Name], frozenset[Guards]] = {}
        self._asked: list[tuple[ScriptLocation, Name]] = []
        self._named_in: dict[str, list[ScriptLocation]] = {}
        self._answers: dict[tuple[str, int, tuple[int, int]], frozenset[Guards]] = {}

    @property
    def locations(self) -> Iterable[tuple[Script, ScriptLocation]]:
        """The scripts of the package, each with its place."""
        return self._scripts.values()

    def location_of(self, script: Script) -> ScriptLocation:
        """Where a script of the package stands."""
        return self._scripts[script.path, script.base][1]

    def call_paths(self, script: Script, reference: Reference) -> frozenset[Guards]:
        """What holds on each of the ways to a reference; nothing if no way is seen or they are too many."""
        key = (script.path, script.base, reference.span)
        if key not in self._answers:
            self._answers[key] = self._ways(self._scripts[script.path, script.base][1], reference)
        return self._answers[key]

    def _ways(self, location: ScriptLocation, reference: Reference) -> frozenset[Guards]:
        from extlint.script.scope.bindings import TooManyOccurrencesError
        from extlint.script.syntax.tree import BudgetExceeded

        parsed = self.parse(location)
        if parsed is None:
            return frozenset()
        evaluator, paths = parsed
        try:
            return paths.to(evaluator.tree.leaf_at(reference.span[1] - 1))
        except (BudgetExceeded, TooManyOccurrencesError):
            return frozenset()

    def parse(self, location: ScriptLocation) -> tuple[Evaluator, CallPaths] | None:
        """What answers questions about a script; None if it cannot be parsed, or too many were."""
        if location not in self._parsed:
            from extlint.script.reachability.call_paths import CallPaths

            is_allowed = len(self._parsed) < MAX_PARSED_SCRIPTS
            evaluator = self._reader.evaluator(location) if is_allowed else None
            others, receivers = partial(self._others, location), partial(self._fate, location)
            self._parsed[location] = (
                None if evaluator is None else (evaluator, CallPaths(evaluator, others, receivers))
            )
        return self._parsed[location]

    def _fate(self, of: ScriptLocation, callee: Node, index: int, keys: Keys) -> Fate:
        """What becomes of what a script passes to functions of others; see `Receivers`."""
        if self._receivers is None:
            from extlint.program.receivers import Receivers

            texts = [(location, script.index.text) for script, location in self._scripts.values()]
            self._receivers = Receivers(self.parse, texts, self._reader.imports)
        return self._receivers.fate(of, callee, index, keys)

    def _others(self, of: ScriptLocation, name: Name) -> tuple[frozenset[Guards], bool]:
        """The ways to what other scripts use by a name of this one; see `Others`."""
        key = (of, name)
        if key in self._known:
            return self._known[key], True
        if key in self._asked:
            return frozenset(), False
        if len(self._asked) >= _MAX_DEPTH:
            return _OPEN, False
        self._asked.append(key)
        found: set[Guards] = set()
        is_complete = True
        for location in self._places_with(_word_for(name, of[0])):
            if location != of and NO_GUARDS not in found:
                paths, complete = self._in(location, of, name)
                found |= paths
                is_complete = is_complete and complete
        self._asked.pop()
        answer = _OPEN if NO_GUARDS in found else frozenset(found)
        if is_complete or answer == _OPEN:
            self._known[key] = answer
        return answer, is_complete

    def _in(self, location: ScriptLocation, of: ScriptLocation, name: Name) -> tuple[frozenset[Guards], bool]:
        """The ways to what one script uses by a name of another."""
        from extlint.script.modules.foreign_uses import foreign_uses
        from extlint.script.scope.bindings import TooManyOccurrencesError
        from extlint.script.syntax.tree import BudgetExceeded

        parsed = self.parse(location)
        if parsed is None:
            return _OPEN, True
        evaluator, paths = parsed
        try:
            found = foreign_uses(
                evaluator, name, lambda module: self._reader.imports(location[0], module, of[0])
            )
            return (_OPEN, True) if found is None else paths.through(found)
        except (BudgetExceeded, TooManyOccurrencesError):
            return _OPEN, True

    def _places_with(self, word: str) -> list[ScriptLocation]:
        """The scripts in whose text a word stands; those that only tests load call nothing."""
        if word not in self._named_in:
            pattern = re.compile(rb"(?<![\w$])" + re.escape(word.encode()) + rb"(?![\w$])")
            self._named_in[word] = [
                location
                for script, location in self._scripts.values()
                if pattern.search(script.index.text) and not is_of_tests(script)
            ]
        return self._named_in[word]


def _word_for(name: Name, path: str) -> str:
    """A word that stands in every script which uses a name; of a default export, that of the file."""
    if name.text != "default":
        return name.text
    folder, _, own = path.rpartition("/")
    stem = own.split(".")[0]
    return folder.rpartition("/")[2] or stem if stem == "index" else stem
