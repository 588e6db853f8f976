"""The uses of globals of the Web platform in the scripts of a package that are seen to run.

Searched only in scripts that run where a global is missing and have its name among their words: these are
parsed again, and so are those in which a name leads to such a use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from extlint.contexts.script import ScriptLocation
from extlint.extension import Script
from extlint.program.callers import word_for
from extlint.program.script_reader import ScriptReader
from extlint.project.generated_scripts import is_generated
from extlint.script.call_graph.entry_points import EntryPoints, ExternalName, NameKind
from extlint.script.facts.script_facts import GlobalUse
from extlint.script.global_uses import DYNAMIC_IMPORT, dynamic_imports, global_uses, watched_words
from extlint.script.modules.foreign_uses import foreign_uses
from extlint.script.reachability.call_paths import NO_PATH, Paths, union
from extlint.script.reachability.executed_paths import ExecutedPaths
from extlint.script.syntax.nodes import AccessExpression
from extlint.script.values.evaluator import Evaluator
from extlint.script.values.property_names import key_of
from extlint.text.positions import encoded
from extlint.text.word_search import WordSearch

MAX_PARSED_SCRIPTS = 40
"""Scripts of one package that are parsed to find uses of globals that are seen to run."""

_MAX_DEPTH = 6
"""Scripts on one path that are followed."""


class GlobalUses:
    """Finds the uses in the scripts of one package, each of which has its location."""

    def __init__(self, reader: ScriptReader, scripts: Mapping[ScriptLocation, Script]) -> None:
        self._reader = reader
        self._scripts = scripts
        self._locations = list(scripts)
        self._words = WordSearch([each.index.text for each in scripts.values()])
        self._parsed: dict[tuple[ScriptLocation, frozenset[str]], tuple[Evaluator, ExecutedPaths] | None] = {}
        self._pending: list[tuple[ScriptLocation, ExternalName]] = []

    def uses(
        self, location: ScriptLocation, names: frozenset[str], marks: frozenset[str]
    ) -> Sequence[GlobalUse]:
        """The uses of these globals in a script; tests of the `marks` are guards as well."""
        watched = watched_words((names | marks) - {DYNAMIC_IMPORT})
        parsed = self._parse(location, watched)
        if parsed is None:
            return ()
        evaluator, paths = parsed
        own = names - {DYNAMIC_IMPORT}
        found = tuple(global_uses(evaluator, paths, own)) if own else ()
        return (*found, *dynamic_imports(evaluator, paths)) if DYNAMIC_IMPORT in names else found

    def assigned(self, location: ScriptLocation, names: frozenset[str]) -> frozenset[str]:
        """Those of some globals to which a script assigns, so that they are there for others."""
        parsed = self._parse(location, frozenset())
        if parsed is None:
            return names
        from extlint.script.expressions.replaced_globals import is_replaced_by_call
        from extlint.script.expressions.variables import TooManyWritesError, writes_to_top

        evaluator, _ = parsed

        def is_assigned(name: str) -> bool:
            try:
                return bool(writes_to_top(evaluator, name)) or is_replaced_by_call(evaluator, name)
            except TooManyWritesError:
                return True

        return frozenset(
            each for each in names if evaluator.attempt(None, partial(is_assigned, each)) is not False
        )

    def _parse(
        self, location: ScriptLocation, watched: frozenset[str]
    ) -> tuple[Evaluator, ExecutedPaths] | None:
        key = (location, watched)
        if not watched:
            key = next((each for each in self._parsed if each[0] == location), key)
        if key not in self._parsed:
            is_allowed = len(self._parsed) < MAX_PARSED_SCRIPTS
            if not is_allowed:
                what = f"uses of globals are searched for in {MAX_PARSED_SCRIPTS} scripts of an extension"
                self._reader.leave_out(location[0], what)
            evaluator = self._reader.evaluator(location, watched) if is_allowed else None
            external = partial(self._external, location, watched)
            unconditional = is_generated(self._scripts[location])
            self._parsed[key] = (
                None
                if evaluator is None
                else (evaluator, ExecutedPaths(evaluator, external, unconditional=unconditional))
            )
        return self._parsed[key]

    def _external(
        self, of: ScriptLocation, watched: frozenset[str], name: ExternalName, member: str | None
    ) -> Paths:
        """The paths on which other scripts are seen to run what a script gives a name, or a member of it."""
        if (of, name) in self._pending or len(self._pending) >= _MAX_DEPTH:
            return NO_PATH
        kinds = {each.kind for each in self._scripts[of].contexts}
        self._pending.append((of, name))
        found = NO_PATH
        try:
            for at in self._words.texts_with(encoded(word_for(name, of[0]))):
                location = self._locations[at]
                if location != of and not kinds.isdisjoint(
                    each.kind for each in self._scripts[location].contexts
                ):
                    found = union(found, self._in_script(location, of, watched, name, member))
        finally:
            self._pending.pop()
        return found

    def _in_script(
        self,
        location: ScriptLocation,
        of: ScriptLocation,
        watched: frozenset[str],
        name: ExternalName,
        member: str | None,
    ) -> Paths:
        parsed = self._parse(location, watched)
        if parsed is None:
            return NO_PATH
        evaluator, paths = parsed
        if name.kind is NameKind.EXPORT and not self._imports(location, of):
            return NO_PATH

        def is_meant(module: str) -> bool:
            return self._reader.imports(location[0], module, of[0])

        def through_uses() -> Paths:
            found = foreign_uses(evaluator, name, is_meant)
            if found is None:
                return NO_PATH
            return paths.through(found if member is None else _members(evaluator, found, member))

        return evaluator.attempt(None, through_uses) or NO_PATH

    def _imports(self, importer: ScriptLocation, of: ScriptLocation) -> bool:
        """Whether one script loads another by a module's name."""
        loads = self._scripts[importer].facts.loads
        return any(self._reader.imports(importer[0], each.name, of[0]) for each in loads)


def _members(evaluator: Evaluator, entry: EntryPoints, name: str) -> EntryPoints:
    """Where a member of what is used is read."""
    reads = [use.parent for use in entry.uses if use.is_field("object")]
    named = [each for each in reads if isinstance(each, AccessExpression) and key_of(evaluator, each) == name]
    return EntryPoints(tuple(named))
