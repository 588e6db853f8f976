"""The call paths to a reference, through all scripts of its package.

Searched only for what would otherwise be a finding: the script is parsed again, and so are those in which a
name leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING

from extlint.contexts.realms import object_realms
from extlint.contexts.script import LaidOutScript, ScriptLocation
from extlint.extension import Script
from extlint.program.script_reader import ScriptReader
from extlint.project.test_files import is_test_script
from extlint.script.facts.script_facts import Reference
from extlint.script.reachability.least_solution import LeastSolution
from extlint.script.reachability.paths import NO_PATH, UNGUARDED, Paths, union
from extlint.text.positions import encoded
from extlint.text.word_search import WordSearch

if TYPE_CHECKING:
    from extlint.program.receivers import Receivers
    from extlint.script.call_graph.entry_points import ExternalName
    from extlint.script.facts.context import ContextKind
    from extlint.script.facts.destination import Destination, Keys
    from extlint.script.reachability.call_paths import CallPaths
    from extlint.script.syntax.node import Node
    from extlint.script.values.evaluator import Evaluator

MAX_PARSED_SCRIPTS = 150
"""Scripts of one package that are parsed to find callers; the others count as callers of all they name."""

MAX_STEPS = 1_000_000
"""Steps of one search in scripts other than that of the reference; after that anything may be a caller."""

_MAX_DEPTH = 6
"""Scripts on one call path that are followed."""


class Callers:
    """Finds the call paths to references in the scripts of one package."""

    def __init__(
        self, reader: ScriptReader, layout_scripts: Sequence[LaidOutScript], scripts: Sequence[Script]
    ) -> None:
        self._has_guards = True
        self._evaluators: dict[ScriptLocation, Evaluator | None] = {}
        self._reader = reader
        self._scripts = {
            (script.path, script.base): (script, (placed.path, placed.body))
            for placed, script in zip(layout_scripts, scripts, strict=True)
        }
        searched = [(place, own) for own, place in self._scripts.values() if not is_test_script(own)]
        self._searched = [place for place, _ in searched]
        self._words = WordSearch([own.index.text for _, own in searched])
        self._receivers: Receivers | None = None
        self._parsed: dict[ScriptLocation, tuple[Evaluator, CallPaths] | None] = {}
        self._solution = LeastSolution(NO_PATH, UNGUARDED, union)
        self._used: set[tuple[ScriptLocation, ExternalName]] = set()
        """The names of scripts of which a use in another script is known."""
        self._depth = 0
        self._steps = 0
        self._scripts_with_word: dict[str, list[ScriptLocation]] = {}
        self._paths_to_reference: dict[tuple[str, int, tuple[int, int]], Paths] = {}

    @cached_property
    def _without_guards(self) -> Callers:
        """The same for whom only matters where code runs, with the scripts that are parsed already."""
        found = copy(self)
        found._has_guards = False
        found._parsed = {}
        found._solution = LeastSolution(NO_PATH, UNGUARDED, union)
        found._used = set()
        found._paths_to_reference = {}
        found._receivers = None
        return found

    @property
    def locations(self) -> Iterable[tuple[Script, ScriptLocation]]:
        """The scripts of the package, each with its location."""
        return self._scripts.values()

    def location_of(self, script: Script) -> ScriptLocation:
        """The location of a script of the package."""
        return self._scripts[script.path, script.base][1]

    def call_paths(self, script: Script, reference: Reference) -> Paths:
        """The guards on each call path to a reference; empty if no path is known, or there are too many."""
        key = (script.path, script.base, reference.span)
        if key not in self._paths_to_reference:
            self._paths_to_reference[key] = self._paths_to(
                self._scripts[script.path, script.base][1], reference
            )
        return self._paths_to_reference[key]

    def injected_into(self, script: Script, reference: Reference) -> frozenset[ContextKind]:
        """The contexts into which all code is injected that leads to a reference.

        Empty if some of it runs where the script does, or no path is known, or there are too many.
        """
        paths = self._without_guards.call_paths(script, reference)
        kinds = {each.runs_in for each in paths}
        return frozenset() if None in kinds else frozenset(each for each in kinds if each is not None)

    def _paths_to(self, location: ScriptLocation, reference: Reference) -> Paths:
        parsed = self.parse(location)
        if parsed is None:
            return NO_PATH
        evaluator, paths = parsed
        self._steps = 0
        found = evaluator.attempt(
            reference.span, lambda: paths.to(evaluator.tree.leaf_at(reference.span[1] - 1))
        )
        return NO_PATH if found is None else found

    def parse(self, location: ScriptLocation) -> tuple[Evaluator, CallPaths] | None:
        """The evaluator of a script and its call paths; None if it does not parse, or too many did before."""
        if location not in self._parsed:
            from extlint.script.reachability.call_paths import CallPaths

            evaluator = self._evaluator(location)
            callers = partial(self._external_callers, location)
            receivers = partial(self._argument_destination, location)
            self._parsed[location] = (
                None
                if evaluator is None
                else (
                    evaluator,
                    CallPaths(evaluator, callers, receivers, self._solution, has_guards=self._has_guards),
                )
            )
        return self._parsed[location]

    def _evaluator(self, location: ScriptLocation) -> Evaluator | None:
        if location not in self._evaluators:
            is_allowed = len(self._evaluators) < MAX_PARSED_SCRIPTS
            if not is_allowed:
                what = (
                    f"callers of functions are searched for in {MAX_PARSED_SCRIPTS} scripts of an extension"
                )
                self._reader.leave_out(location[0], what)
            self._evaluators[location] = self._reader.evaluator(location) if is_allowed else None
        return self._evaluators[location]

    def _argument_destination(self, of: ScriptLocation, callee: Node, index: int, keys: Keys) -> Destination:
        """What other scripts do with a function that is passed to theirs; see `Receivers`."""
        if self._receivers is None:
            from extlint.program.receivers import Receivers

            texts = [(location, script.index.text) for script, location in self._scripts.values()]
            self._receivers = Receivers(self.parse, texts, self._reader.imports)
        return self._receivers.destination(of, callee, index, keys)

    def _external_callers(self, of: ScriptLocation, name: ExternalName) -> Paths | None:
        """The call paths in other scripts to a name of this one; None if none of them uses it."""
        key = (of, name)
        if self._depth >= _MAX_DEPTH and not self._solution.holds(key):
            return UNGUARDED
        self._depth += 1
        try:
            found = self._solution.solve(key, partial(self._callers_elsewhere, of, name))
        finally:
            self._depth -= 1
        return found if key in self._used else None

    def _callers_elsewhere(self, of: ScriptLocation, name: ExternalName) -> Paths:
        """The call paths in all other scripts to a name of one."""
        found = NO_PATH
        for location in self._scripts_with(word_for(name, of[0]), of):
            paths = self._callers_in(location, of, name)
            if paths is None:
                continue
            self._used.add((of, name))
            if paths == UNGUARDED:
                return UNGUARDED
            found = union(found, paths)
        return found

    def _callers_in(self, location: ScriptLocation, of: ScriptLocation, name: ExternalName) -> Paths | None:
        """The call paths in one script to a name of another; None if it does not use it."""
        from extlint.script.modules.foreign_uses import foreign_uses

        if self._steps > MAX_STEPS:
            self._reader.leave_out(of[0], f"callers of a function are searched for in {MAX_STEPS:,} steps")
            return UNGUARDED
        parsed = self.parse(location)
        if parsed is None:
            return UNGUARDED
        evaluator, paths = parsed

        def is_meant(module: str) -> bool:
            return self._reader.imports(location[0], module, of[0])

        def through_uses() -> tuple[Paths | None] | None:
            found = foreign_uses(evaluator, name, is_meant)
            if found is None:
                return None
            if found.uses:
                self._used.add((of, name))
            return (paths.through(found),)

        before = evaluator.tree.budget.spent
        found = evaluator.attempt(None, through_uses)
        self._steps += evaluator.tree.budget.spent - before
        return UNGUARDED if found is None else found[0]

    def _scripts_with(self, word: str, of: ScriptLocation) -> Iterator[ScriptLocation]:
        """The other scripts, but for those of tests, that have a word and may call functions of a script."""
        if word not in self._scripts_with_word:
            found = self._words.texts_with(encoded(word))
            self._scripts_with_word[word] = [self._searched[at] for at in found]
        for each in self._scripts_with_word[word]:
            if each != of and self._may_share_objects(each, of):
                yield each

    def _may_share_objects(self, one: ScriptLocation, other: ScriptLocation) -> bool:
        """Whether code of one script may hold objects of the other, and so call its functions."""
        own, others = self._object_realms[one], self._object_realms[other]
        return own is None or others is None or not own.isdisjoint(others)

    @cached_property
    def _object_realms(self) -> dict[ScriptLocation, frozenset[ContextKind] | None]:
        return {place: object_realms(script) for script, place in self._scripts.values()}


def word_for(name: ExternalName, path: str) -> str:
    """A word in every script that uses a name; for a default export, the name of the file."""
    if name.text != "default":
        return name.text
    folder, _, own = path.rpartition("/")
    stem = own.split(".")[0]
    return folder.rpartition("/")[2] or stem if stem == "index" else stem
