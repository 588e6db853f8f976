"""An extension as rules see it: everything is computed, and no file remains to be read."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import Context, ContextKind, PageWithCode, contexts_in_target
from extlint.analysis.facts.context import NamedFile as NamedFile
from extlint.analysis.facts.events import ListenerResponses, Occasion
from extlint.analysis.facts.omissions import Reason
from extlint.analysis.facts.script_facts import (
    ArgumentTest,
    CallSite,
    EarlyRead,
    GlobalUse,
    Guards,
    LoadedAddress,
    ModuleSyntax,
    Reference,
    ScriptFacts,
    SyntaxProblem,
    TopLevel,
    Verdict,
)
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.package.suffixes import VIDEOS, has_suffix
from extlint.queries.database import Database
from extlint.queries.memos import Input
from extlint.queries.query import query
from extlint.schema.model import SchemaSet
from extlint.schema.targets import SPECIFICATION, Target
from extlint.text.patterns import spans_of
from extlint.text.positions import ByteSpan, Span, TextEdit, TextIndex

Derived = TypeVar("Derived")


def _are_same(one: Sequence[Context], other: Sequence[Context]) -> bool:
    return len(one) == len(other) and all(map(Context.is_same, one, other))


class Script(Struct, frozen=True):
    """A script, or an inline script of a page, with its facts and the contexts in which it runs.

    `path` is its file and `base` the byte offset in that file at which it begins. `contexts` has one context
    of each kind in which it runs in the target, and is empty for a script that is not known to be loaded.
    `all_contexts` are those in all targets, empty if all targets have the same.
    """

    path: str
    facts: ScriptFacts
    index: TextIndex
    contexts: tuple[Context, ...] = ()
    base: int = 0
    all_contexts: tuple[Context, ...] = ()

    @property
    def location(self) -> tuple[str, int]:
        """The path of its file, and the byte offset at which it begins."""
        return self.path, self.base

    def is_same(self, other: Script) -> bool:
        """Whether another script has the same text, facts and contexts."""
        return (
            self.has_same_facts(other)
            and _are_same(self.contexts, other.contexts)
            and _are_same(self.all_contexts, other.all_contexts)
            and self.location == other.location
        )

    def has_same_facts(self, other: Script) -> bool:
        """Whether another script has the same text and facts, in whichever contexts it runs."""
        return self.facts == other.facts and self.index.text == other.index.text

    @property
    def is_for_other_targets(self) -> bool:
        """Whether the script is loaded only in other targets."""
        return bool(self.all_contexts) and not self.contexts

    @property
    def is_only_content_script(self) -> bool:
        """Whether the script runs in the isolated worlds of content scripts, and nowhere else."""
        kinds = {each.kind for each in self.all_contexts or self.contexts}
        return kinds == {ContextKind.CONTENT_SCRIPT}

    @property
    def is_video(self) -> bool:
        """Whether the file is not loaded as a script, and is a video with the same suffix."""
        problem = self.facts.problem
        is_loaded = self.contexts or self.all_contexts
        return problem is not None and problem.is_binary and not is_loaded and has_suffix(self.path, VIDEOS)

    def in_target(self, target: str) -> Script:
        """Returns the script with the contexts in which it runs in a target."""
        return (
            replace(self, contexts=contexts_in_target(target, self.all_contexts))
            if self.all_contexts
            else self
        )

    def place(self, where: ByteSpan) -> tuple[str, Span]:
        """Returns the path of the file, and the span in it for a byte range of the script."""
        return self.path, self.span(where)

    def span(self, where: ByteSpan) -> Span:
        """Returns the span in the file for a byte range of the script."""
        return self.index.span(where[0] + self.base, where[1] + self.base)


class FileOmission(Struct, frozen=True):
    """The reason why a file was only partly analyzed, and the locations that were given up, if any."""

    reason: Reason
    places: tuple[Span, ...] = ()


Place: TypeAlias = tuple[str, int, int]
"""The path and the base of a script, and an offset in it."""


class Idle(Struct, frozen=True):
    """The code of a target that is known to be idle when the rest is searched for callers.

    `ends` are the ends of the calls in all scripts that add listeners of events that never come, of members
    that are never truthy, and of values that nothing equals. `files` are the scripts and pages that nothing
    loads. A bundler may drop what nothing uses from the modules if they are `is_bundled`.
    """

    ends: frozenset[Place]
    files: frozenset[str] = frozenset()
    is_bundled: bool = False


class ScriptSearches:
    """Queries of rules about one script. This class finds no syntax that requires a parser."""

    def may_have_word(self, script: Script, word: bytes) -> bool:
        """Whether a word may occur in a script; false only if it does not."""
        return word in script.index.text

    def spans_of(self, script: Script, patterns: Mapping[bytes, re.Pattern[bytes]]) -> list[ByteSpan]:
        """Returns the byte ranges after the start of a script that match patterns.

        Each match begins with the pattern's word, which may be part of a longer one.
        """
        return spans_of(patterns.values(), script.index.text, script.base)

    def unquoted_words(self, script: Script, wanted: Iterable[bytes]) -> frozenset[bytes]:
        """Returns the words that occur in a script other than directly next to a quote, as strings do."""
        from extlint.text.word_search import unquoted_words

        text = script.index.text
        return unquoted_words(text[script.base :] if script.base else text, wanted)

    def module_syntax(self, script: Script) -> ModuleSyntax | None:
        """Returns the first syntax in a script that only modules may have."""
        return None

    def syntax_verdict(self, script: Script, *, is_module: bool) -> SyntaxProblem | Verdict:
        """Returns what an exact parser finds in a script as a module or as a classic script."""
        return Verdict.UNKNOWN


class Searches(ScriptSearches):
    """Queries of rules about the whole program. This class finds nothing, as if each script were isolated."""

    def call_paths(self, script: Script, /, reference: Reference) -> frozenset[Guards] | None:
        """Returns the guards on each call path that leads to a reference, or None if the search failed.

        Empty if no path is known. After a failed search nothing is certain.
        """
        return frozenset()

    def injected_into(self, script: Script, /, reference: Reference) -> frozenset[ContextKind] | None:
        """Returns the contexts into which all code that leads to a reference is injected, or None on failure.

        Empty if some of it runs in the script's own context, or that is unknown.
        """
        return frozenset()

    def never_runs(self, script: Script, /, span: ByteSpan, idle: Idle | None = None) -> bool:
        """Whether nothing in the package runs a place, or the search failed.

        Calls by hand, from a console, count only without `idle`.
        """
        return False

    def is_unreached(self, script: Script, /, span: ByteSpan, idle: Idle) -> bool:
        """Whether a place runs only under a condition that fails in `idle`, or the search failed."""
        return False

    def delegated_uses(
        self, script: Script, /, reference: Reference
    ) -> Sequence[tuple[Script, Reference]] | None:
        """Returns the uses of the function that only delegates to a reference, by their scripts.

        They may be in any script. Returns None if the function around the reference does something else, or
        if not all its uses are known.
        """
        return None

    def certainly_runs(self, script: Script, /, span: ByteSpan) -> bool:
        """Whether an expression runs whenever its script is loaded, or whenever some known event occurs."""
        return False

    def occasions(self, script: Script, /, span: ByteSpan) -> frozenset[Occasion]:
        """Returns the occasions of an expression, through the modules that import its function.

        Empty if the search failed.
        """
        return frozenset()

    def runs_at_once(self, script: Script, /, span: ByteSpan) -> bool:
        """Whether an expression runs whenever its script is loaded, before the script waits for anything."""
        return False

    def loads_of_strings(self, script: Script, /, spans: Sequence[ByteSpan]) -> Sequence[LoadedAddress]:
        """Returns the loads of the addresses that are written as strings at these places of a script."""
        return ()

    def is_known_to_run(self, script: Script, /, span: ByteSpan, watched: frozenset[str]) -> bool:
        """Whether calls and events that are known lead to a place, without a condition in generated code.

        `watched` are the globals in `watched_globals`.
        """
        return True

    def global_uses(
        self,
        script: Script,
        /,
        names: frozenset[str],
        watched: frozenset[str],
        matters: ArgumentTest | None = None,
        only_on_load: frozenset[str] = frozenset(),
    ) -> Sequence[GlobalUse]:
        """Returns the uses of some globals of the platform in a script that are known to run.

        Tests of the globals `watched` are among their guards. `matters`, if given, selects the relevant uses,
        and of the globals `only_on_load`, only uses that run when the script loads are relevant. Call paths
        are searched only for relevant uses.
        """
        return ()

    def failing_lookups(
        self, script: Script, /, places: Sequence[int], missing: Collection[int], watched: frozenset[str]
    ) -> Sequence[tuple[int, GlobalUse]]:
        """Returns those lookups of elements that are known to run and fail unless the element exists.

        `places` are the offsets of their arguments in the script; each result has its own. `missing` are
        those of lookups of elements that do not exist in any page of the script.
        """
        return ()

    def undeclared_uses(
        self,
        script: Script,
        /,
        names: Sequence[str],
        watched: frozenset[str],
        *,
        is_module: bool | None,
        must_be_known: bool,
    ) -> Sequence[GlobalUse]:
        """Returns the uses of names that a script does not declare, and that fail if they run.

        In strict code, such as a script that `is_module`, assignments fail, too. Unless a path to the use
        `must_be_known`, one is assumed to any code whose text cannot run elsewhere.
        """
        return ()

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
        """Returns those of some names that a script may define as globals.

        If it `is_merging`, members of any object may become globals.
        """
        return ()

    def assigned_globals(self, script: Script, /, names: frozenset[str]) -> frozenset[str]:
        """Returns those of some globals to which a script assigns, or all of them if that is unknown."""
        return frozenset()

    def is_later(self, script: Script, /, earlier: ByteSpan, later: ByteSpan) -> bool:
        """Whether two expressions are in the same function of a script, in this order."""
        return False

    def early_reads(
        self, script: Script, /, callbacks: Iterable[ByteSpan], variables: Iterable[int]
    ) -> Sequence[EarlyRead]:
        """Returns the uses of values that only a later call of a function of the script gives.

        `callbacks` are functions whose return values are lost, and `variables` the byte offsets of the names
        of variables where they are declared without a value.
        """
        return ()

    def top_level(self, script: Script, /) -> TopLevel:
        """Returns the names that a script declares at its top, and its result."""
        return TopLevel()

    def replacements(self, script: Script, /, names: frozenset[str]) -> Sequence[tuple[str, ByteSpan]]:
        """Returns the members of globals that a script certainly replaces by a function, and the places.

        `names` are like `fetch` and `XMLHttpRequest.prototype.open`.
        """
        return ()

    def listener_answers(self, script: Script, /, call: CallSite) -> tuple[Script, ListenerResponses] | None:
        """Returns the responses of the listener that a call adds, and the script that defines it.

        The listener is resolved through all modules.
        """
        return None

    def uses_globals(self, script: Script, /, names: Iterable[str]) -> bool:
        """Whether a script may use a global with one of these names, which it does not declare."""
        return True

    def requested_addresses(self, script: Script, /, words: tuple[str, ...]) -> frozenset[str]:
        """Returns the addresses of possible requests at some words of a script.

        The rest of an address after a NUL character is not known. One without a beginning may be any.
        """
        return frozenset({"\0"})

    def edits_keeping_open(
        self, script: Script, /, call: CallSite
    ) -> tuple[Script, Sequence[TextEdit]] | None:
        """Returns edits after which the listener that a call adds returns `true` before it responds later.

        They are edits of the script that is returned, which defines the listener. Returns None if it is not
        certain what to write.
        """
        return None

    def edits_awaiting(
        self, script: Script, /, span: ByteSpan, *, at_top_level: bool, before_listeners: bool
    ) -> Sequence[TextEdit] | None:
        """Returns edits of a script that await a promise of the API.

        `span` is where a property of the promise is read, or the value it is compared with. `at_top_level` is
        true if the script may wait outside of functions, and `before_listeners` if it may wait before it adds
        listeners to events. Returns None if it is not certain what to write.
        """
        return None

    def siblings(self, extension: Extension, script: Script) -> Iterable[tuple[Extension, Script]]:
        """Returns the extensions that a build makes from a script with other manifests, and their scripts."""
        return ()

    def omissions(self) -> Mapping[str, FileOmission]:
        """Returns the omissions so far in the analysis of files, by their paths."""
        return {}


NO_SEARCHES = Searches()


_SPECIFICATION = Target(SPECIFICATION)


def _are_same_scripts(one: Sequence[Script], other: Sequence[Script]) -> bool:
    return len(one) == len(other) and all(map(Script.is_same, one, other))


MANIFEST = Input("manifest", lambda one, other: one.is_same(other))
LAYOUT = Input("layout")
SCRIPT = Input("script", lambda one, other: one.is_same(other))
FACTS = Input("facts", lambda one, other: one.has_same_facts(other))
SCRIPTS = Input("scripts", _are_same_scripts)
ANALYZED_SCRIPT = Input("analyzed script", lambda one, other: one[0].is_same(other[0]) and one[1] == other[1])
ANALYZED_SCRIPTS = Input("analyzed scripts", _are_same_scripts)
REALMS = Input("realms")
PROGRAM = Input("program")
MANIFEST_FILE = Input("manifest file")
FILES = Input("files")
"""The inputs of queries about an extension. `PROGRAM` is all that a search in the program may examine, and
`FILES` every file that is neither the manifest nor only read as a script.
"""


class _Scope(Struct, frozen=True, cache_hash=True):
    """The parts of a query scope. It is hashed for each use of a result."""

    schemas: SchemaSet
    target: Target
    requested_targets: tuple[str, ...]
    checked_targets: tuple[str, ...]
    is_for_thunderbird: bool


class Extension:
    """The extension that is checked, for one target. Its attributes are read-only.

    * `target`: the target, with the versions of the browser that the manifest supports, as far as stated
    * `requested_targets`: the names of all targets of the run
    * `checked_targets`: the same, and for `reference` also the browsers whose common findings it reports
    * `searches`: searches in the whole program, which run only on request of a rule
    * `is_for_thunderbird`: the reference target is chosen for an add-on of Thunderbird
    * `pages`: the pages with code that their content security policy allows or blocks
    * `unreached_pages`: the pages that are not known to be opened, each with the script files that it loads
    * `queries`: the database of the results of queries about the extension
    * `query_scope`: names the extension in that database, by everything that is not one of its inputs

    A query depends on each attribute that it reads, and is computed again when the attribute has changed.
    """

    def __init__(
        self,
        package: Package,
        manifest: Manifest,
        scripts: Sequence[Script],
        schemas: SchemaSet,
        named_files: Sequence[NamedFile] = (),
        target: Target = _SPECIFICATION,
        requested_targets: Sequence[str] = (),
        checked_targets: Sequence[str] = (),
        searches: Searches = NO_SEARCHES,
        is_for_thunderbird: bool = False,
        unreached_pages: Sequence[tuple[str, Sequence[str]]] = (),
        pages: Sequence[PageWithCode] = (),
        queries: Database | None = None,
    ) -> None:
        self.schemas = schemas
        self.target = target
        self.requested_targets = requested_targets
        self.checked_targets = checked_targets
        self.is_for_thunderbird = is_for_thunderbird
        self.queries = Database() if queries is None else queries
        self.query_scope: Hashable = _Scope(
            schemas, target, tuple(requested_targets), tuple(checked_targets), is_for_thunderbird
        )
        self._input_scope = self.query_scope
        self._package = package
        self._manifest = manifest
        self._scripts = scripts
        self._named_files = named_files
        self._searches = searches
        self._unreached_pages = unreached_pages
        self._pages = pages
        if self.queries.is_incremental:
            self._set_inputs()

    def _set_inputs(self) -> None:
        """Sets the inputs of queries about this extension, other than its files."""
        scope, queries = self.query_scope, self.queries
        queries.register(scope, lambda: self)
        queries.register(None, lambda: self)
        queries.set_input(MANIFEST, scope, self._manifest)
        queries.set_input(LAYOUT, scope, (self._named_files, self._unreached_pages, self._pages))
        self._scripts = tuple(
            queries.set_input(SCRIPT, scope, script, script.location) for script in self._scripts
        )
        for script in self._scripts:
            queries.set_input(FACTS, None, script, script.location)
        queries.set_input(SCRIPTS, scope, self._scripts)

    @property
    def package(self) -> Package:
        """The files of the extension."""
        self.queries.depend_on(FILES, None)
        return self._package

    @property
    def manifest(self) -> Manifest:
        """The manifest as the target reads it."""
        self.queries.depend_on(MANIFEST, self._input_scope)
        return self._manifest

    @property
    def manifest_version(self) -> int:
        """The manifest version, 2 or 3; a query that depends on it does not depend on the manifest."""
        return _manifest_version(self) if self.queries.is_incremental else self._manifest.version

    @property
    def manifest_source(self) -> str:
        """The path of the file in which an author writes keys of the manifest, even if a build makes that."""
        places = self.package.key_places
        return self.manifest.path if places is None else places.path

    @property
    def scripts(self) -> Sequence[Script]:
        """The scripts of the extension."""
        self.queries.depend_on(SCRIPTS, self._input_scope)
        return self._scripts

    def scripts_in(self, path: str) -> Sequence[Script]:
        """Returns the scripts in a file, in order: one or none, or those in the code of a page."""
        self.queries.depend_on(SCRIPTS, self._input_scope)
        return self._scripts_by_path.get(path, ())

    def script_at(self, path: str, base: int) -> Script:
        """Returns the script that begins at a byte offset of a file. Raises KeyError for any other offset."""
        self.queries.depend_on(SCRIPT, self._input_scope, (path, base))
        return self._scripts_by_location[path, base]

    def source_at(self, path: str, base: int) -> Script:
        """Returns a script for a query that reads only its text and its facts. Raises as `script_at` does."""
        self.queries.depend_on(FACTS, None, (path, base))
        return self._scripts_by_location[path, base]

    def facts_at(self, path: str, base: int) -> ScriptFacts:
        """Returns the facts of a script. Raises as `script_at` does."""
        return self.source_at(path, base).facts

    @cached_property
    def _scripts_by_path(self) -> Mapping[str, Sequence[Script]]:
        found: dict[str, list[Script]] = {}
        for each in self._scripts:
            found.setdefault(each.path, []).append(each)
        return found

    @cached_property
    def _scripts_by_location(self) -> Mapping[tuple[str, int], Script]:
        return {script.location: script for script in self._scripts}

    @property
    def named_files(self) -> Sequence[NamedFile]:
        """The files that the manifest, pages and scripts name."""
        self.queries.depend_on(LAYOUT, self._input_scope)
        return self._named_files

    @property
    def unreached_pages(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The pages that are not known to be opened, each with the script files that it loads."""
        self.queries.depend_on(LAYOUT, self._input_scope)
        return self._unreached_pages

    @property
    def pages(self) -> Sequence[PageWithCode]:
        """The pages with code that their content security policy allows or blocks."""
        self.queries.depend_on(LAYOUT, self._input_scope)
        return self._pages

    @property
    def script_searches(self) -> ScriptSearches:
        """The searches in one script."""
        return self._searches

    @property
    def searches(self) -> Searches:
        """The searches in the whole program, which record what their results depend on."""
        return self._searches

    def with_schemas(self, schemas: SchemaSet) -> Extension:
        """Returns the same extension with other schemas."""
        return self._copy((self.query_scope, schemas), schemas=schemas)

    def sibling(self, manifest: Manifest, schemas: SchemaSet, target: Target) -> Extension:
        """Returns the extension that the same scripts form with another manifest, for a target."""
        return self._copy(
            (self.query_scope, object()),
            _manifest=manifest,
            schemas=schemas,
            target=target,
            requested_targets=(),
            checked_targets=(),
            is_for_thunderbird=False,
            _searches=NO_SEARCHES,
            _named_files=(),
            _unreached_pages=(),
            _pages=(),
        )

    def with_sibling(self, sibling: Extension, scripts: Sequence[Script]) -> Extension:
        """Returns the same extension with these scripts, and the manifest and the target of a sibling."""
        return self._copy(
            (self.query_scope, object()),
            _manifest=sibling.manifest,
            schemas=sibling.schemas,
            target=sibling.target,
            _scripts=scripts,
        )

    def with_manifest(self, manifest: Manifest) -> Extension:
        """Returns the same extension with another manifest, which the caller makes of its own."""
        return self._copy((self.query_scope, object()), _manifest=manifest)

    def _copy(self, query_scope: Hashable, **changes: object) -> Extension:
        copied = object.__new__(Extension)
        copied.__dict__.update(self.__dict__, **changes, query_scope=query_scope)
        copied.__dict__.pop("_scripts_by_location", None)
        return copied


@query(is_kept=True)
def _manifest_version(extension: Extension) -> int:
    return extension.manifest.version


@query
def uses_api(extension: Extension) -> bool:
    """Whether a script uses the API in a way that a rule may report."""
    return any(
        facts.references
        or facts.calls
        or facts.field_reads
        or facts.comparisons
        or facts.ambiguous_references
        for script in extension.scripts
        for facts in [script.facts]
    )
