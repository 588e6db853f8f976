"""Finds the call paths to a reference, through all scripts of its package and the callbacks they pass.

Runs only for references that would otherwise be reported: the script is parsed again, and so are the scripts
in which a name leads to it.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from extlint.analysis.facts.script_facts import Reference
from extlint.analysis.reachability.least_solution import LeastSolution
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, Paths, union
from extlint.extension import Script
from extlint.program.passed_functions import PassedFunctions
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.contexts.script import ScriptLocation
from extlint.queries.query import cached_method

if TYPE_CHECKING:
    from extlint.analysis.call_graph.entry_points import ExternalName
    from extlint.analysis.facts.context import ContextKind
    from extlint.analysis.reachability.call_paths import CallPaths
    from extlint.analysis.syntax.node import Node
    from extlint.analysis.values.evaluator import Evaluator

_MAX_DEPTH = 6
"""Scripts on one call path that are followed."""


class Callers:
    """Finds the call paths to references in the scripts of one package.

    Without `has_guards`, only the contexts in which code runs are tracked.
    """

    def __init__(self, reader: ScriptReader, scripts: SearchedScripts, *, has_guards: bool = True) -> None:
        self._reader = reader
        self._scripts = scripts
        self._has_guards = has_guards
        self._solution = LeastSolution(NO_PATH, UNGUARDED, union)
        self._used: set[tuple[ScriptLocation, ExternalName]] = set()
        """The names of scripts that are known to be used in another script."""
        self._depth = 0
        self._paths_to_reference: dict[tuple[ScriptLocation, tuple[int, int]], Paths] = {}

    @cached_property
    def _contexts_only(self) -> Callers:
        return Callers(self._reader, self._scripts, has_guards=False)

    def call_paths(self, script: Script, reference: Reference) -> Paths:
        """Returns the guards on each call path to a reference.

        Returns an empty set if no path is known or there are too many.
        """
        location = self._scripts.location_of(script)
        key = (location, reference.span)
        if key not in self._paths_to_reference:
            self._paths_to_reference[key] = self._paths_to(location, reference)
        return self._paths_to_reference[key]

    def injected_into(self, script: Script, reference: Reference) -> frozenset[ContextKind]:
        """Returns the contexts into which all code that leads to a reference is injected.

        Empty if some of the code runs where the script does, no path is known, or there are too many.
        """
        paths = self._contexts_only.call_paths(script, reference)
        kinds = {each.runs_in for each in paths}
        return frozenset() if None in kinds else frozenset(each for each in kinds if each is not None)

    def is_injected(self, location: ScriptLocation, place: Node) -> bool:
        """Whether a script takes the text of a function around a place, to run it in another realm."""
        parsed = self._parse(location)
        return parsed is None or parsed[1].is_serialized(place)

    def _paths_to(self, location: ScriptLocation, reference: Reference) -> Paths:
        parsed = self._parse(location)
        if parsed is None:
            return NO_PATH
        evaluator, paths = parsed
        found = evaluator.attempt(
            reference.span, lambda: paths.to(evaluator.tree.leaf_at(reference.span[1] - 1))
        )
        return NO_PATH if found is None else found

    @cached_method
    def _parse(self, location: ScriptLocation) -> tuple[Evaluator, CallPaths] | None:
        """Returns the evaluator of a script and its call paths.

        Returns None if it does not parse or too many scripts were parsed before.
        """
        from extlint.analysis.reachability.call_paths import CallPaths

        evaluator = self._scripts.evaluator(location)
        callers = partial(self._external_callers, location)
        passed = self._passed_functions
        receivers = partial(passed.destination, location)
        calls = partial(passed.calls, location)
        return (
            None
            if evaluator is None
            else (
                evaluator,
                CallPaths(evaluator, callers, receivers, calls, self._solution, has_guards=self._has_guards),
            )
        )

    @cached_property
    def _passed_functions(self) -> PassedFunctions:
        texts = [(location, script.index.text) for script, location in self._scripts.locations]
        return PassedFunctions(self._parse, texts, self._reader.imports)

    def _external_callers(self, of: ScriptLocation, name: ExternalName) -> Paths | None:
        """Returns call paths in other scripts to a name of this one, or None if no other script uses it."""
        key = (of, name)
        if self._depth >= _MAX_DEPTH and not self._solution.is_current(key):
            return UNGUARDED
        self._depth += 1
        try:
            found = self._solution.solve(key, partial(self._callers_elsewhere, of, name))
        finally:
            self._depth -= 1
        return found if key in self._used else None

    def _callers_elsewhere(self, of: ScriptLocation, name: ExternalName) -> Paths:
        """Returns the call paths in all other scripts to a name of a script."""
        found = NO_PATH
        for location in self._scripts.potential_users(name, of):
            paths = self._callers_in(location, of, name)
            if paths is None:
                continue
            self._used.add((of, name))
            if paths == UNGUARDED:
                return UNGUARDED
            found = union(found, paths)
        return found

    def _callers_in(self, location: ScriptLocation, of: ScriptLocation, name: ExternalName) -> Paths | None:
        """Returns the call paths in one script to a name of another, or None if it does not use the name."""
        from extlint.analysis.modules.foreign_uses import foreign_uses

        parsed = self._parse(location)
        if parsed is None:
            return UNGUARDED
        evaluator, paths = parsed
        is_meant = self._reader.import_test(location[0], of[0])

        def through_uses() -> tuple[Paths | None] | None:
            found = foreign_uses(evaluator, name, is_meant)
            if found is None:
                return None
            if found.uses:
                self._used.add((of, name))
            return (paths.through(found),)

        found = evaluator.attempt(None, through_uses)
        return UNGUARDED if found is None else found[0]
