"""Whole-program searches, which run only for potential findings.

Checking a package without mistakes imports none of their modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar

from extlint.analysis.facts.script_facts import (
    EarlyRead,
    ModuleSyntax,
    SyntaxProblem,
    TopLevel,
    Verdict,
)
from extlint.extension import PROGRAM, Extension, FileOmission, Idle, Script, Searches
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
_Arguments = ParamSpec("_Arguments")
_Declared: TypeAlias = Callable[Concatenate[Searches, Script, _Arguments], _Found]
_Search: TypeAlias = Callable[Concatenate["PackageSearches", Script, _Arguments], _Found]


def _anywhere(
    declared: _Declared[_Arguments, _Found],
    otherwise: _Found,
    implementation: Callable[[PackageSearches], Callable[Concatenate[Script, _Arguments], _Found]],
    *,
    records_all: bool = True,
) -> _Search[_Arguments, _Found]:
    """Returns a search, described in `Searches`, that follows callers of functions in a script.

    It returns `otherwise` if extlint itself fails. With `records_all`, it depends on the whole program.
    """

    @wraps(declared)
    def search(
        self: PackageSearches, script: Script, /, *args: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Found:
        if records_all:
            self.queries.depend_on(PROGRAM, None)
        with self.failure_guard(script):
            return implementation(self)(script, *args, **named)
        return otherwise

    return search


def _in_script(
    declared: _Declared[_Arguments, _Found],
    otherwise: _Found,
    implementation: Callable[[PackageSearches], Callable[Concatenate[ScriptLocation, _Arguments], _Found]],
) -> _Search[_Arguments, _Found]:
    """Returns a search, described in `Searches`, in one script: `otherwise` if extlint itself fails."""

    @wraps(declared)
    def search(
        self: PackageSearches, script: Script, /, *args: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Found:
        self.queries.depend_on(PROGRAM, None)
        with self.files.failures.contained(script.path):
            return implementation(self)(self.location_of(script), *args, **named)
        return otherwise

    return search


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
        queries.register("dead code", lambda: self._dead_code(None))
        self._package = package
        self.files = files
        self._manifest = manifest
        self.reader = reader
        self._resolver = resolver
        self._layout = layout
        self._placed = layout.scripts
        self._scripts = scripts
        self._unsearchable: dict[str, Exception] = {}
        self._dead_code_by_idle: dict[Idle | None, DeadCode] = {}

    def assigned_globals(self, script: Script, /, names: frozenset[str]) -> frozenset[str]:
        """See `Searches.assigned_globals`. Returns all names if extlint itself fails in the search."""
        self.queries.depend_on(PROGRAM, None)
        with self.files.failures.contained(script.path):
            return self._global_uses.assigned_names(self.location_of(script), names)
        return names

    def may_have_word(self, script: Script, word: bytes) -> bool:
        """See `Searches.may_have_word`. A script whose tree is cached is not read again."""
        known = self.reader.word_places(self.location_of(script))
        found = None if known is None else known.contains(word)
        return super().may_have_word(script, word) if found is None else found

    def spans_of(self, script: Script, patterns: Mapping[bytes, re.Pattern[bytes]]) -> list[ByteSpan]:
        """See `Searches.spans_of`. If the tree is cached, searches only the positions of words."""
        known = None if script.base else self.reader.word_places(self.location_of(script))
        return super().spans_of(script, patterns) if known is None else known.spans_of(patterns)

    def unquoted_words(self, script: Script, wanted: Iterable[bytes]) -> frozenset[bytes]:
        """See `Searches.unquoted_words`. A script whose tree is cached is not read again."""
        known = None if script.base else self.reader.word_places(self.location_of(script))
        found = None if known is None else known.find_unquoted(wanted)
        return super().unquoted_words(script, wanted) if found is None else found

    def module_syntax(self, script: Script) -> ModuleSyntax | None:
        """Returns the syntax of a script that is only valid in modules, or None."""
        if script.facts.ahead is not None:
            return script.facts.ahead.module_syntax
        return self._module_syntax(self.location_of(script))

    def syntax_verdict(self, script: Script, *, is_module: bool) -> SyntaxProblem | Verdict:
        """See `Searches.syntax_verdict`."""
        with self.files.failures.contained(script.path):
            return self.reader.syntax_verdict(self.location_of(script), is_module)
        return Verdict.UNKNOWN

    def _is_later(self, location: ScriptLocation, earlier: ByteSpan, later: ByteSpan) -> bool:
        from extlint.analysis.timing.continuations import is_later

        find = partial(is_later, earlier=earlier, later=later)
        return self.reader.attempt(location, earlier, find) or False

    def _uses_globals(self, location: ScriptLocation, names: Iterable[str]) -> bool:
        from extlint.analysis.modules.globals import uses_globals

        return self.reader.attempt(location, None, partial(uses_globals, names=names)) is not False

    @query
    def _requested_addresses(self, location: ScriptLocation, words: tuple[str, ...]) -> frozenset[str]:
        from extlint.analysis.addresses import ANY
        from extlint.analysis.requested_addresses import requested_addresses

        found = self.reader.attempt(location, None, partial(requested_addresses, words=words))
        return ANY if found is None else found

    @query
    def _top_level(self, location: ScriptLocation) -> TopLevel:
        with self.files.failures.contained(location[0]):
            from extlint.analysis.undeclared_names import top_level

            return self.reader.attempt(location, None, top_level) or TopLevel()
        return TopLevel()

    @query
    def _early_reads(
        self, location: ScriptLocation, callbacks: tuple[ByteSpan, ...], variables: tuple[int, ...]
    ) -> Sequence[EarlyRead]:
        from extlint.analysis.timing.early_reads import early_reads

        find = partial(early_reads, callbacks=callbacks, variables=variables)
        return self.reader.attempt(location, None, find) or ()

    @query
    def _edits_awaiting(
        self, location: ScriptLocation, span: ByteSpan, at_top_level: bool, before_listeners: bool
    ) -> Sequence[TextEdit] | None:
        from extlint.analysis.repairs.awaited_promises import edits_awaiting

        find = partial(
            edits_awaiting, span=span, at_top_level=at_top_level, before_listeners=before_listeners
        )
        return self.reader.attempt(location, span, find)

    @query
    def _edits_keeping_open(
        self, location: ScriptLocation, span: ByteSpan
    ) -> tuple[Script, Sequence[TextEdit]] | None:
        calls = self._by_location[location].facts.calls
        with self.files.failures.contained(location[0]):
            return self._listeners.edits_keeping_open(
                location, next(each for each in calls if each.span == span)
            )
        return None

    @query
    def _module_syntax(self, location: ScriptLocation) -> ModuleSyntax | None:
        with self.files.failures.contained(location[0]):
            return self.reader.module_syntax(location)
        return None

    def location_of(self, script: Script) -> ScriptLocation:
        """Returns where a script is."""
        return self._locations[script.path, script.base]

    @cached_property
    def _locations(self) -> dict[tuple[str, int], ScriptLocation]:
        pairs = zip(self._placed, self._scripts, strict=True)
        return {(script.path, script.base): (placed.path, placed.body) for placed, script in pairs}

    @cached_property
    def _global_uses(self) -> GlobalUses:
        from extlint.program.global_uses import GlobalUses

        return GlobalUses(self.reader, self._by_location)

    @cached_property
    def _listeners(self) -> Listeners:
        from extlint.program.listeners import Listeners

        return Listeners(self.reader, self._by_location)

    @cached_property
    def _by_location(self) -> Mapping[ScriptLocation, Script]:
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
    def failure_guard(self, script: Script) -> Iterator[None]:
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
                self._dead_code_by_idle.clear()
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

    def _dead_code(self, idle: Idle | None) -> DeadCode:
        """Returns the search for code that nothing runs, with what depends on the target, if given."""
        if idle is not None:
            self.queries.depend_on(PROGRAM, None)
        if idle not in self._dead_code_by_idle:
            from extlint.program.dead_code import DeadCode

            self._dead_code_by_idle[idle] = DeadCode(
                self._searched_scripts,
                self.reader,
                self._code_texts,
                shared_realms(self._layout),
                self._callers.is_injected,
                idle,
            )
        return self._dead_code_by_idle[idle]

    @cached_property
    def _code_texts(self) -> CodeTexts:
        from extlint.program.code_texts import CodeTexts

        return CodeTexts(self._searched_scripts, self.reader, self.files)

    @cached_property
    def _delegated_uses(self) -> DelegatedUses:
        from extlint.program.delegated_uses import DelegatedUses

        return DelegatedUses(self.reader, self._searched_scripts, self._dead_code(None))

    @cached_property
    def _certain_uses(self) -> CertainUses:
        from extlint.program.certain_uses import CertainUses

        return CertainUses(self._searched_scripts, self.reader)

    @cached_property
    def _siblings(self) -> SiblingManifests:
        from extlint.program.sibling_manifests import SiblingManifests

        return SiblingManifests(self._package, self.files, self.reader, self._resolver)

    call_paths = _anywhere(Searches.call_paths, None, lambda self: self._callers.call_paths)
    injected_into = _anywhere(Searches.injected_into, None, lambda self: self._callers.injected_into)
    never_runs = _anywhere(
        Searches.never_runs,
        True,
        lambda self: lambda script, span, idle=None: self._dead_code(idle).is_dead(script, span),
        records_all=False,
    )
    is_unreached = _anywhere(
        Searches.is_unreached,
        True,
        lambda self: lambda script, span, idle: self._dead_code(idle).is_unreached(script, span),
    )
    delegated_uses = _anywhere(Searches.delegated_uses, None, lambda self: self._delegated_uses.uses)
    certainly_runs = _anywhere(Searches.certainly_runs, False, lambda self: self._certain_uses.certainly_runs)
    occasions = _anywhere(Searches.occasions, frozenset(), lambda self: self._certain_uses.occasions)
    runs_at_once = _anywhere(Searches.runs_at_once, False, lambda self: self._certain_uses.runs_at_once)
    loads_of_strings = _anywhere(
        Searches.loads_of_strings, (), lambda self: self._certain_uses.loads_of_strings
    )
    replacements = _anywhere(Searches.replacements, (), lambda self: self._certain_uses.replacements)
    global_uses = _in_script(Searches.global_uses, (), lambda self: self._global_uses.uses)
    is_known_to_run = _in_script(
        Searches.is_known_to_run, False, lambda self: self._global_uses.is_known_to_run
    )
    failing_lookups = _in_script(Searches.failing_lookups, (), lambda self: self._global_uses.failing_lookups)
    undeclared_uses = _in_script(Searches.undeclared_uses, (), lambda self: self._global_uses.undeclared_uses)

    def defined_names(
        self,
        script: Script,
        /,
        names: Sequence[str],
        watched: frozenset[str],
        *,
        is_module: bool | None,
        is_merging: bool,
    ) -> Sequence[str]:
        """See `Searches.defined_names`. Returns all names if extlint itself fails in the search."""
        self.queries.depend_on(PROGRAM, None)
        with self.files.failures.contained(script.path):
            return self._global_uses.defined_names(
                self.location_of(script), names, watched, is_module=is_module, is_merging=is_merging
            )
        return names

    is_later = _in_script(Searches.is_later, False, lambda self: self._is_later)
    early_reads = _in_script(
        Searches.early_reads,
        (),
        lambda self: (
            lambda location, callbacks, variables: self._early_reads(
                location, tuple(callbacks), tuple(variables)
            )
        ),
    )
    top_level = _in_script(Searches.top_level, TopLevel(), lambda self: self._top_level)
    listener_answers = _in_script(Searches.listener_answers, None, lambda self: self._listeners.answers)
    uses_globals = _in_script(Searches.uses_globals, True, lambda self: self._uses_globals)
    requested_addresses = _in_script(
        Searches.requested_addresses, frozenset({"\0"}), lambda self: self._requested_addresses
    )
    edits_keeping_open = _in_script(
        Searches.edits_keeping_open,
        None,
        lambda self: lambda location, call: self._edits_keeping_open(location, call.span),
    )
    edits_awaiting = _in_script(
        Searches.edits_awaiting,
        None,
        lambda self: (
            lambda location, span, *, at_top_level, before_listeners: self._edits_awaiting(
                location, span, at_top_level, before_listeners
            )
        ),
    )
