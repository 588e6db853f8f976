"""Finds the call paths to a reference, through all scripts of its package and the callbacks they pass.

Runs only for references that would otherwise be reported: the script is parsed again, and so are the scripts
in which a name leads to it, or to which it passes a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

from extlint.analysis.call_graph.entry_points import ExternalName
from extlint.analysis.facts.context import ContextKind, Destination, Keys, overall_destination
from extlint.analysis.facts.script_facts import Reference
from extlint.analysis.modules.foreign_uses import foreign_uses
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, LeastSolution, Paths, union
from extlint.analysis.syntax.node import Node
from extlint.analysis.values.evaluator import Evaluator
from extlint.extension import Script
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.contexts.script import ScriptLocation
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

if TYPE_CHECKING:
    from extlint.analysis.reachability.call_paths import CallPaths


MAX_FUNCTIONS = 20
"""Functions of one name that are analyzed. If a package has more, the destination is unknown."""

_MAX_PASSES = 6
"""Functions in other scripts that pass their arguments on, on one path."""

_DEFAULT_EXPORT = lazy(rb"\bexport\s+default\b", needs=(b"default",))
_KEYWORD_BYTES = 40
"""Bytes before a name that are searched for a keyword."""

_FUNCTION_BEFORE, _ALIAS_BEFORE = lazy(rb"\bfunction\s*\*?\s*\Z"), lazy(rb"\bas\s+\Z")
_NAME_CHARACTER = lazy(rb"[\w$]")
_PARAMETERS = lazy(rb"\s*\(")
_VALUE = lazy(rb"[\"'\]]?\s*[:=](?!=)")
_METHOD = lazy(rb"\s*\([^()]*\)\s*(?::[^{;]*)?\{")


class PassedFunctions:
    """Finds the functions in other scripts that a call in one script may refer to.

    `parse` returns the evaluator and the call paths of a script, `texts` has the text of each script, and
    `imports` returns whether a specifier in one script resolves to another.
    """

    def __init__(
        self,
        parse: Callable[[ScriptLocation], tuple[Evaluator, CallPaths] | None],
        texts: Iterable[tuple[ScriptLocation, bytes]],
        imports: Callable[[str, str, str], bool],
    ) -> None:
        self._parse = parse
        self._texts = texts
        self._imports = imports
        self._depth = 0

    def destination(self, location: ScriptLocation, callee: Node, index: int, keys: Keys) -> Destination:
        """Returns the destination of an argument of a call in a script."""
        if self._depth >= _MAX_PASSES:
            return Destination.IN_PLACE
        destinations: list[Destination] = []
        self._depth += 1
        try:
            for found in self._functions(location, callee):
                if found is None:
                    return Destination.IN_PLACE
                evaluator, paths, function = found
                of_argument = partial(paths.destinations.of_argument, function, index, keys)
                destinations.append(evaluator.attempt(None, of_argument) or Destination.IN_PLACE)
                if destinations[-1] is Destination.IN_PLACE:
                    break
        finally:
            self._depth -= 1
        return overall_destination(destinations) if destinations else Destination.IN_PLACE

    def calls(self, location: ScriptLocation, callee: Node, index: int) -> Paths:
        """Returns the guards where the functions that a call in a script may run call its argument."""
        found = NO_PATH
        for each in self._functions(location, callee):
            if each is None:
                return UNGUARDED
            evaluator, paths, function = each
            guards = evaluator.attempt(None, partial(paths.where_called, function, index))
            found = union(found, UNGUARDED if guards is None else frozenset({guards}))
        return found or UNGUARDED

    def _functions(
        self, location: ScriptLocation, callee: Node
    ) -> Iterator[tuple[Evaluator, CallPaths, Node] | None]:
        """Yields the functions in other scripts that a callee may be, and None if some are not known."""
        from extlint.analysis.modules.callees import external_callee, functions_named

        parsed = self._parse(location)
        called = None if parsed is None else external_callee(parsed[0], callee)
        if called is None:
            yield None
            return
        locations = self._scripts_defining(called.name)
        if called.module is not None:
            meant = [each for each in locations if self._imports(location[0], called.module, each[0])]
            locations = meant if meant or called.name == "default" else locations
        count = 0
        for each in locations:
            other = self._parse(each)
            named = (
                None
                if other is None
                else other[0].attempt(None, partial(functions_named, other[0], called.name))
            )
            count += 0 if named is None else len(named)
            if other is None or named is None or count > MAX_FUNCTIONS:
                yield None
                return
            yield from ((*other, function) for function in named)

    @cached_method
    def _scripts_defining(self, name: str) -> list[ScriptLocation]:
        """Returns the scripts whose text seems to define a name."""
        seems_to = _DEFAULT_EXPORT.search if name == "default" else partial(_defines, encode_name(name))
        return [location for location, text in self._texts if seems_to(text)]


def _defines(name: bytes, text: bytes) -> bool:
    """Whether a text seems to define a name, as a function, method, property, variable or alias."""
    at = text.find(name)
    while at >= 0:
        if _is_defined_at(text, at, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False


def _is_defined_at(text: bytes, start: int, end: int) -> bool:
    if _NAME_CHARACTER.match(text, start - 1, start):
        return False
    if _VALUE.match(text, end):
        return True
    before = text[max(0, start - _KEYWORD_BYTES) : start]
    if not before.endswith(b".") and _METHOD.match(text, end):
        return True
    if _ALIAS_BEFORE.search(before) and not _NAME_CHARACTER.match(text, end):
        return True
    return _FUNCTION_BEFORE.search(before) is not None and _PARAMETERS.match(text, end) is not None


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
