"""Whole-program searches, which run only for potential findings.

Checking a package without mistakes imports none of their modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.listeners import ListenerResponses
from extlint.analysis.facts.script_facts import (
    ArgumentTest,
    CallSite,
    GlobalUse,
    Guards,
    LoadedAddress,
    ModuleSyntax,
    Reference,
    SyntaxProblem,
    TopLevel,
    Verdict,
)
from extlint.extension import PROGRAM, Extension, FileOmission, Place, Script, Searches
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.package.tolerant import TolerantPackage
from extlint.program.omissions import omissions_in
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.script import Layout, ScriptLocation, shared_realms
from extlint.project.resolution.resolver import ModuleResolver
from extlint.queries.database import Database
from extlint.queries.query import query
from extlint.text.positions import ByteSpan, TextEdit

if TYPE_CHECKING:
    from extlint.program.callers import Callers
    from extlint.program.certain_uses import CertainUses
    from extlint.program.code_texts import CodeTexts
    from extlint.program.dead_code import DeadCode
    from extlint.program.delegated_uses import DelegatedUses
    from extlint.program.global_uses import GlobalUses
    from extlint.program.listeners import Listeners
    from extlint.program.searched_scripts import SearchedScripts
    from extlint.program.sibling_manifests import SiblingManifests

_Found = TypeVar("_Found")


class PackageSearches(Searches):
    """The searches in one package, shared by all targets."""

    query_scope = "searches"

    def __init__(
        self,
        package: Package,
        files: TolerantPackage,
        manifest: Manifest,
        reader: ScriptReader,
        resolver: ModuleResolver,
        layout: Layout,
        scripts: Sequence[Script],
        queries: Database,
    ) -> None:
        """Reads other manifests from `package`, scripts from `files`; `scripts` are those of `layout`.

        `queries` records what the results depend on.
        """
        self.queries = queries
        queries.register("searched scripts", lambda: self._searched_scripts)
        queries.register("code texts", lambda: self._code_texts)
        queries.register("dead code", lambda: self._dead_code)
        self._package = package
        self.files = files
        self._manifest = manifest
        self.reader = reader
        self._resolver = resolver
        self._layout = layout
        self._placed = layout.scripts
        self._scripts = scripts
        self._unsearchable: dict[str, Exception] = {}
        self._idle: dict[tuple[frozenset[Place], bool], DeadCode] = {}

    def call_paths(self, script: Script, reference: Reference) -> frozenset[Guards] | None:
        """Returns the guards on each call path that leads to a reference.

        Returns an empty set if no path is known.

        If extlint itself fails in the search, returns None, and also for all later references in that script.
        """
        return self._through_callers(script, None, lambda: self._callers.call_paths(script, reference))

    def injected_into(self, script: Script, reference: Reference) -> frozenset[ContextKind] | None:
        """Returns the result of `Searches.injected_into`, or None if extlint itself fails in the search."""
        return self._through_callers(script, None, lambda: self._callers.injected_into(script, reference))

    def is_uncalled(self, script: Script, reference: Reference) -> bool:
        """Whether nothing in the package calls the function around a reference, or the search failed."""
        with self._failure_guard(script):
            return self._dead_code.is_dead(script, reference.span)
        return True

    def never_runs(
        self, script: Script, span: ByteSpan, dead_ends: frozenset[Place], *, is_bundled: bool
    ) -> bool:
        """Returns the result of `Searches.never_runs`, or true if extlint itself fails in the search."""
        code = self._idle_code
        return self._through_callers(
            script, True, lambda: code(dead_ends, is_bundled=is_bundled).is_dead(script, span)
        )

    def is_unreached(self, script: Script, span: ByteSpan, dead_ends: frozenset[Place]) -> bool:
        """See `Searches.is_unreached`."""
        code = self._idle_code
        return self._through_callers(
            script, True, lambda: code(dead_ends, is_bundled=False).is_unreached(script, span)
        )

    def delegated_uses(
        self, script: Script, reference: Reference
    ) -> Sequence[tuple[Script, Reference]] | None:
        """Returns the result of `Searches.delegated_uses`, or None if extlint itself fails in the search."""
        return self._through_callers(script, None, lambda: self._delegated_uses.uses(script, reference))

    def certainly_runs(self, script: Script, span: ByteSpan) -> bool:
        """Returns the result of `Searches.certainly_runs`, or false if extlint itself fails in the search."""
        return self._through_callers(script, False, lambda: self._certain_uses.certainly_runs(script, span))

    def runs_at_once(self, script: Script, span: ByteSpan) -> bool:
        """Returns the result of `Searches.runs_at_once`, or false if extlint itself fails in the search."""
        return self._through_callers(script, False, lambda: self._certain_uses.runs_at_once(script, span))

    def loads_of_strings(self, script: Script, spans: Sequence[ByteSpan]) -> Sequence[LoadedAddress]:
        """See `Searches.loads_of_strings`. Returns nothing if extlint itself fails in the search."""
        return self._through_callers(script, (), lambda: self._certain_uses.loads_of_strings(script, spans))

    def global_uses(
        self,
        script: Script,
        names: frozenset[str],
        watched: frozenset[str],
        matters: ArgumentTest | None = None,
    ) -> Sequence[GlobalUse]:
        """Returns the reachable uses of some globals in a script; see `GlobalUses.uses`."""
        return self._in_script(script, (), lambda at: self._global_uses.uses(at, names, watched, matters))

    def is_known_to_run(self, script: Script, span: ByteSpan, watched: frozenset[str]) -> bool:
        """See `GlobalUses.is_known_to_run`. It is false if extlint itself fails in the search."""
        return self._in_script(script, False, lambda at: self._global_uses.is_known_to_run(at, span, watched))

    def failing_lookups(
        self, script: Script, places: Sequence[int], missing: Collection[int], watched: frozenset[str]
    ) -> Sequence[tuple[int, GlobalUse]]:
        """See `Searches.failing_lookups`. Returns nothing if extlint itself fails in the search."""
        return self._in_script(
            script, (), lambda at: self._global_uses.failing_lookups(at, places, missing, watched)
        )

    def undeclared_uses(
        self, script: Script, names: Sequence[str], watched: frozenset[str]
    ) -> Sequence[GlobalUse]:
        """See `Searches.undeclared_uses`. Returns nothing if extlint itself fails in the search."""
        return self._in_script(script, (), lambda at: self._global_uses.undeclared_uses(at, names, watched))

    def assigned_globals(self, script: Script, names: frozenset[str]) -> frozenset[str]:
        """Returns the subset of these globals that a script assigns, or all if that cannot be determined."""
        return self._in_script(script, names, lambda at: self._global_uses.assigned_names(at, names))

    def is_later(self, script: Script, earlier: ByteSpan, later: ByteSpan) -> bool:
        """See `Searches.is_later`. It is false if the script cannot be analyzed."""
        from extlint.analysis.timing.continuations import is_later

        find = partial(is_later, earlier=earlier, later=later)
        return self._in_script(script, False, lambda at: self.reader.attempt(at, earlier, find) or False)

    def top_level(self, script: Script) -> TopLevel:
        """See `Searches.top_level`. Nothing is known of a script that cannot be analyzed."""
        self.queries.depend_on(PROGRAM, None)
        return _top_level(self, self._location_of(script))

    def replacements(self, script: Script, names: frozenset[str]) -> Sequence[tuple[str, ByteSpan]]:
        """Returns the result of `Searches.replacements`, or nothing if extlint itself fails in the search."""
        return self._through_callers(script, (), lambda: self._certain_uses.replacements(script, names))

    def may_have_word(self, script: Script, word: bytes) -> bool:
        """See `Searches.may_have_word`. A script whose tree is cached is not read again."""
        known = self.reader.word_places(self._location_of(script))
        found = None if known is None else known.contains(word)
        return super().may_have_word(script, word) if found is None else found

    def spans_of(self, script: Script, patterns: Mapping[bytes, re.Pattern[bytes]]) -> list[ByteSpan]:
        """See `Searches.spans_of`. If the tree is cached, searches only the positions of words."""
        known = None if script.base else self.reader.word_places(self._location_of(script))
        return super().spans_of(script, patterns) if known is None else known.spans_of(patterns)

    def unquoted_words(self, script: Script, wanted: Iterable[bytes]) -> frozenset[bytes]:
        """See `Searches.unquoted_words`. A script whose tree is cached is not read again."""
        known = None if script.base else self.reader.word_places(self._location_of(script))
        found = None if known is None else known.find_unquoted(wanted)
        return super().unquoted_words(script, wanted) if found is None else found

    def module_syntax(self, script: Script) -> ModuleSyntax | None:
        """Returns the syntax of a script that is only valid in modules, or None."""
        if script.facts.ahead is not None:
            return script.facts.ahead.module_syntax
        return _module_syntax(self, self._location_of(script))

    def syntax_verdict(self, script: Script, *, is_module: bool) -> SyntaxProblem | Verdict:
        """See `Searches.syntax_verdict`."""
        with self.files.failures.contained(script.path):
            return self.reader.syntax_verdict(self._location_of(script), is_module)
        return Verdict.UNKNOWN

    def listener_answers(self, script: Script, call: CallSite) -> tuple[Script, ListenerResponses] | None:
        """Returns how the listener that a call adds responds; see `Listeners.answers`."""
        return self._in_script(script, None, lambda at: self.listeners.answers(at, call))

    def uses_globals(self, script: Script, names: Iterable[str]) -> bool:
        """See `Searches.uses_globals`. True also if the script cannot be analyzed."""
        from extlint.analysis.modules.globals import uses_globals

        find = partial(uses_globals, names=names)
        return self._in_script(script, True, lambda at: self.reader.attempt(at, None, find) is not False)

    def edits_keeping_open(self, script: Script, call: CallSite) -> tuple[Script, Sequence[TextEdit]] | None:
        """Returns edits of a listener; see `Listeners.edits_keeping_open`."""
        self.queries.depend_on(PROGRAM, None)
        return _edits_keeping_open(self, self._location_of(script), call.span)

    def edits_awaiting(
        self, script: Script, span: ByteSpan, *, at_top_level: bool, before_listeners: bool
    ) -> Sequence[TextEdit] | None:
        """Returns edits that await a promise; see `Searches.edits_awaiting`."""
        return self._in_script(
            script, None, lambda at: _edits_awaiting(self, at, span, at_top_level, before_listeners)
        )

    def _through_callers(self, script: Script, otherwise: _Found, find: Callable[[], _Found]) -> _Found:
        """Returns the result of a search that follows callers of functions in a script, or `otherwise`."""
        self.queries.depend_on(PROGRAM, None)
        with self._failure_guard(script):
            return find()
        return otherwise

    def _in_script(
        self, script: Script, otherwise: _Found, find: Callable[[ScriptLocation], _Found]
    ) -> _Found:
        """Returns the result of a search in one script, or `otherwise` if extlint itself fails in it."""
        self.queries.depend_on(PROGRAM, None)
        with self.files.failures.contained(script.path):
            return find(self._location_of(script))
        return otherwise

    def _location_of(self, script: Script) -> ScriptLocation:
        return self._locations[script.path, script.base]

    @cached_property
    def _locations(self) -> dict[tuple[str, int], ScriptLocation]:
        pairs = zip(self._placed, self._scripts, strict=True)
        return {(script.path, script.base): (placed.path, placed.body) for placed, script in pairs}

    @cached_property
    def _global_uses(self) -> GlobalUses:
        from extlint.program.global_uses import GlobalUses

        return GlobalUses(self.reader, self.by_location)

    @cached_property
    def listeners(self) -> Listeners:
        """The searches for what listeners do."""
        from extlint.program.listeners import Listeners

        return Listeners(self.reader, self.by_location)

    @cached_property
    def by_location(self) -> Mapping[ScriptLocation, Script]:
        """The scripts, each with its location."""
        pairs = zip(self._placed, self._scripts, strict=True)
        return {(placed.path, placed.body): script for placed, script in pairs}

    def siblings(self, extension: Extension, script: Script) -> Iterator[tuple[Extension, Script]]:
        """Yields extensions that a script belongs to by other manifests, with the script as it runs there."""
        self.queries.depend_on(PROGRAM, None)
        return self._siblings.siblings_of(extension, script)

    def omissions(self) -> Mapping[str, FileOmission]:
        """Returns the omissions in the analysis of files so far, by path."""
        self.queries.mark_unrepeatable()
        return omissions_in(self.files, self._manifest, self._layout, self._scripts)

    @contextmanager
    def _failure_guard(self, script: Script) -> Iterator[None]:
        """Guards a search for callers of a function in a script: an error ends all such searches in it.

        Results computed before the error are dropped, as they may be incomplete.
        """
        with self.files.failures.contained(script.path):
            if script.path in self._unsearchable:
                raise self._unsearchable[script.path]
            try:
                yield
            except Exception as error:
                self._unsearchable[script.path] = error
                self.__dict__.pop("_callers", None)
                self.__dict__.pop("_code_texts", None)
                self.__dict__.pop("_dead_code", None)
                self._idle.clear()
                self.__dict__.pop("_delegated_uses", None)
                self.__dict__.pop("_certain_uses", None)
                self.__dict__.pop("_searched_scripts", None)
                raise

    @cached_property
    def _callers(self) -> Callers:
        from extlint.program.callers import Callers

        return Callers(self.reader, self._searched_scripts)

    @cached_property
    def _searched_scripts(self) -> SearchedScripts:
        from extlint.program.searched_scripts import SearchedScripts

        return SearchedScripts(self.reader, self._layout, self._scripts, self.queries)

    @cached_property
    def _dead_code(self) -> DeadCode:
        return self._dead_code_with(None, is_bundled=False)

    def _idle_code(self, dead_ends: frozenset[Place], *, is_bundled: bool) -> DeadCode:
        """Returns the search for code that nothing runs, with what depends on the target."""
        if (dead_ends, is_bundled) not in self._idle:
            ends = dict[ScriptLocation, frozenset[int]]()
            for path, base, end in dead_ends:
                location = self._locations[path, base]
                ends[location] = ends.get(location, frozenset()) | {end}
            self._idle[dead_ends, is_bundled] = self._dead_code_with(ends, is_bundled=is_bundled)
        return self._idle[dead_ends, is_bundled]

    def _dead_code_with(
        self, dead_ends: Mapping[ScriptLocation, frozenset[int]] | None, *, is_bundled: bool
    ) -> DeadCode:
        from extlint.program.dead_code import DeadCode

        realms, is_injected = shared_realms(self._layout), self._callers.is_injected
        return DeadCode(
            self._searched_scripts,
            self.reader,
            self._code_texts,
            realms,
            is_injected,
            dead_ends,
            is_bundled=is_bundled,
        )

    @cached_property
    def _code_texts(self) -> CodeTexts:
        from extlint.program.code_texts import CodeTexts

        return CodeTexts(self._searched_scripts, self.reader, self.files)

    @cached_property
    def _delegated_uses(self) -> DelegatedUses:
        from extlint.program.delegated_uses import DelegatedUses

        return DelegatedUses(self.reader, self._searched_scripts, self._dead_code)

    @cached_property
    def _certain_uses(self) -> CertainUses:
        from extlint.program.certain_uses import CertainUses

        return CertainUses(self._searched_scripts)

    @cached_property
    def _siblings(self) -> SiblingManifests:
        from extlint.program.sibling_manifests import SiblingManifests

        return SiblingManifests(self._package, self.files, self.reader, self._resolver)


@query
def _module_syntax(searches: PackageSearches, location: ScriptLocation) -> ModuleSyntax | None:
    with searches.files.failures.contained(location[0]):
        return searches.reader.module_syntax(location)
    return None


@query
def _top_level(searches: PackageSearches, location: ScriptLocation) -> TopLevel:
    with searches.files.failures.contained(location[0]):
        from extlint.analysis.top_level import top_level

        return searches.reader.attempt(location, None, top_level) or TopLevel()
    return TopLevel()


@query
def _edits_awaiting(
    searches: PackageSearches,
    location: ScriptLocation,
    span: ByteSpan,
    at_top_level: bool,
    before_listeners: bool,
) -> Sequence[TextEdit] | None:
    from extlint.analysis.repairs.awaited_promises import edits_awaiting

    find = partial(edits_awaiting, span=span, at_top_level=at_top_level, before_listeners=before_listeners)
    return searches.reader.attempt(location, span, find)


@query
def _edits_keeping_open(
    searches: PackageSearches, location: ScriptLocation, span: ByteSpan
) -> tuple[Script, Sequence[TextEdit]] | None:
    calls = searches.by_location[location].facts.calls
    with searches.files.failures.contained(location[0]):
        return searches.listeners.edits_keeping_open(
            location, next(each for each in calls if each.span == span)
        )
    return None
