"""Reads the scripts of a package, and analyzes each of them once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.cache.store import Store
from extlint.analysis.cache.values import CanonicalValues
from extlint.analysis.facts.context import distinct_contexts
from extlint.analysis.facts.imports import NO_EXPORTS, Demand, ImportResolver, OwnExports
from extlint.analysis.facts.omissions import Omission, Reason
from extlint.analysis.facts.script_facts import NO_FACTS, ModuleSyntax, ScriptFacts, SyntaxProblem, Verdict
from extlint.analysis.facts.shared_globals import NOTHING_SHARED, RealmGlobals, parse_global_query
from extlint.analysis.facts.values import Value, leads_to_api, union_of
from extlint.analysis.values.stack import (
    MAX_WAITING_FOR_SCRIPT,
    MAX_WAITING_IN_CYCLE,
    are_more_waiting_than,
    begin_waiting,
    end_waiting,
)
from extlint.extension import Script
from extlint.package.suffixes import is_component, is_script
from extlint.package.tolerant import TolerantPackage
from extlint.program.recorded_queries import RecordedQueries
from extlint.program.shared_globals import SharedGlobals
from extlint.project.contexts.script import LaidOutScript, ScriptLocation
from extlint.project.resolution.chunks import Chunks
from extlint.project.resolution.resolver import ImportKind, ModuleResolver, import_kind
from extlint.text.positions import ByteSpan, TextIndex, decode

if TYPE_CHECKING:
    from extlint.analysis.cache.records import Records
    from extlint.analysis.syntax.tree_cache import TreeCache
    from extlint.analysis.values.evaluator import Evaluator
    from extlint.program.eval_policy import EvalPolicy
    from extlint.program.partial_globals import PartialGlobals
    from extlint.text.word_offsets import WordOffsets

MAX_DEPTH = 25
"""Modules that may wait for each other's exports. Beyond that, imported modules are read first."""


class ScriptReader:
    """Returns the facts of script files and of the inline scripts of pages.

    The results are cached in `store`. `report_progress` receives the next step as text, and the number of
    bytes of scripts it concerns. `policy` determines the scripts in which code in strings is read, if any.
    """

    def __init__(
        self,
        files: TolerantPackage,
        resolver: ModuleResolver | None = None,
        store: Store | None = None,
        report_progress: Callable[[str, int], None] = lambda _what, _size: None,
        policy: EvalPolicy | None = None,
    ) -> None:
        self._report_progress = report_progress
        self._policy = policy
        self._eval_code: dict[str, bytes | None] = {}
        self._files = files
        self._resolver = resolver or ModuleResolver(files)
        self._chunks = Chunks(files)
        self._facts: dict[ScriptLocation, ScriptFacts] = {}
        self._queries: dict[ScriptLocation, RecordedQueries] = {}
        self._possibly_stale: dict[ScriptLocation, ScriptFacts] = {}
        self._indexes: dict[str, TextIndex] = {}
        self._being_read: list[str] = []
        self._reads_in_order = False
        self._truncated: set[str] = set()
        self._shared: dict[ScriptLocation, RealmGlobals] = {}
        self._before_sharing: dict[ScriptLocation, ScriptFacts] = {}
        self._globals = SharedGlobals(self.facts, self._text, self._conditions)
        self._predicted: dict[ScriptLocation, RealmGlobals] = {}
        self._partial_globals: PartialGlobals | None = None
        self._importers: dict[str, set[str]] = {}
        self._cycle_exports: dict[str, Mapping[str, Value]] = {}
        self._values = CanonicalValues()
        self._records = None if store is None else _records(store, self._values)
        self._api_exports: dict[str, tuple[Mapping[str, Value], Mapping[str, Value]]] = {}
        self._syntax: dict[tuple[ScriptLocation, bool], SyntaxProblem | Verdict] = {}

    @cached_property
    def _trees(self) -> TreeCache:
        """A cache of the last syntax trees of the package, which lives as long as the reader."""
        from extlint.analysis.syntax.tree_cache import MIN_KEPT_BYTES, TreeCache

        sizes = (self._files.size(path) for path in self._files.paths if is_script(path))
        return TreeCache(sum(not 0 < size < MIN_KEPT_BYTES for size in sizes))  # 0 means unknown

    def facts(self, location: ScriptLocation, demand: Demand = Demand.NONE) -> ScriptFacts:
        """Returns the facts of a script, with the exports that `demand` requests.

        Incomplete for a file that cannot be read.
        """
        facts = self._facts.get(location) or self._revalidate_facts(location)
        if facts is None or facts.known_exports < demand:
            path = location[0]
            if self._partial_globals is not None and location not in self._shared:
                self._shared[location] = self._partial_globals.values_for(location)
            shared = self._shared.get(location, NOTHING_SHARED)
            facts = ScriptFacts(known_exports=Demand.ALL, omission=Omission(Reason.FAILURE))
            with self._reading(path):
                queries = self._queries[location] = RecordedQueries(partial(self._resolve_query, location))
                from extlint.analysis.analyze import analyze

                text = self._text(location)
                self._report_progress(f"analyzing {path}", len(text))
                facts = analyze(text, path, queries, shared, demand, self._records, self._trees.parse)
                if facts.problem is not None and self._eval_code.get(path) is not None:
                    self._eval_code[path] = None  # a mistake in a string is not one of the script
                    text = self._text(location)
                    facts = analyze(text, path, queries, shared, demand, self._records, self._trees.parse)
            if path in self._files.failed:
                facts = ScriptFacts(known_exports=Demand.ALL, omission=Omission(Reason.UNREADABLE))
            self._facts[location] = facts = self._canonical(facts)
            self._predicted.pop(location, None)
            taken = self._globals.predicted.predictions_for(location, facts)
            if taken != NOTHING_SHARED:
                self._predicted[location] = taken
            if self._partial_globals is not None:
                self._reanalyze_earlier(self._partial_globals, location, facts)
                return self._facts.get(location, facts)
        return facts

    def _reanalyze_earlier(
        self, partial_globals: PartialGlobals, location: ScriptLocation, facts: ScriptFacts
    ) -> None:
        """Reanalyzes earlier scripts that may assign more to globals, now that a later script assigns them.

        No other facts depend on theirs yet: no script imports them, and none is being analyzed.
        """
        for other in partial_globals.record_facts(location, facts):
            if other in self._facts and other[0] not in {*self._importers, *self._being_read}:
                shared_values = partial_globals.values_for(other)
                if shared_values != self._shared.get(other, NOTHING_SHARED):
                    partial_globals.record_reanalysis(other)
                    self._shared[other] = shared_values
                    del self._facts[other]
                    self.facts(other)

    def _resolve_query(
        self, location: ScriptLocation, name: str, *, of_api: bool = False
    ) -> Mapping[str, Value]:
        """Returns the exports of a specifier's script, or the result of an `Asked` query about globals."""
        known = self._globals.predicted.resolve_query(location, name)
        return self._exports(location[0], name, of_api=of_api) if known is None else known

    def _revalidate_facts(self, location: ScriptLocation) -> ScriptFacts | None:
        """Returns the facts that a script had before others changed.

        Returns None unless its queries still have the same results.
        """
        facts = self._possibly_stale.pop(location, None)
        if facts is not None:
            with self._reading(location[0]):
                if self._queries[location].are_up_to_date():
                    self._facts[location] = facts
                    return facts
        return None

    def _canonical(self, facts: ScriptFacts) -> ScriptFacts:
        """Returns the same facts with canonical values, so equal values for other scripts are identical."""
        if not (facts.exports or facts.globals or facts.passed_arguments):
            return facts
        shared = facts.exports, facts.globals, facts.passed_arguments
        exports, assigned, passed = map(self._values.intern, shared)
        if exports is facts.exports and assigned is facts.globals and passed is facts.passed_arguments:
            return facts
        return replace(facts, exports=exports, globals=assigned, passed_arguments=passed)

    def evaluator(self, location: ScriptLocation, watched: frozenset[str] = frozenset()) -> Evaluator | None:
        """Returns the evaluator of a script, which also tracks the watched globals.

        Returns None if it does not parse.
        """
        from extlint.analysis.follow import evaluator_of

        path = location[0]
        shared = self._shared.get(location, NOTHING_SHARED)
        if watched:
            shared = replace(shared, watched=watched)
        with self._files.failures.contained(path):
            found = evaluator_of(
                self._text(location), path, partial(self._exports, path), shared, self._trees.parse
            )
            if found is not None:
                what = "calls from one script to another are followed until that takes too much work"
                found.when_given_up = partial(self.record_omission, location, what)
            return found
        return None

    def word_places(self, location: ScriptLocation) -> WordOffsets | None:
        """Returns the positions of words in a script, or None unless its tree is cached."""
        return self._trees.places_in(self._text(location)) if "_trees" in vars(self) else None

    def module_syntax(self, location: ScriptLocation) -> ModuleSyntax | None:
        """Returns the syntax of a script that is only valid in modules, or None."""
        from extlint.analysis.module_syntax import may_have_module_syntax, module_syntax

        text = self._text(location)
        if not may_have_module_syntax(text, self.word_places(location)):
            return None
        return module_syntax(text, location[0], self._trees.parse)

    def syntax_verdict(self, location: ScriptLocation, *, is_module: bool) -> SyntaxProblem | Verdict:
        """Returns the result of the exact parser for a script, if anything makes its syntax doubtful."""
        key = (location, is_module)
        if key not in self._syntax:
            self._syntax[key] = self._find_syntax_verdict(location, is_module=is_module)
        return self._syntax[key]

    def _find_syntax_verdict(self, location: ScriptLocation, *, is_module: bool) -> SyntaxProblem | Verdict:
        from extlint.analysis.analyze import syntax_verdict

        path = location[0]
        facts = self.facts(location)
        if facts.is_doubtful is False and facts.problem is None and facts.returns_outside is None:
            return Verdict.VALID
        text = self._text(location)
        return syntax_verdict(text, path, facts, self._records, self._trees.parse, is_module=is_module)

    def record_omission(self, location: ScriptLocation, what: str) -> None:
        """Records an omission in a search, unless the script is reported already; see `Unchecked`."""
        path, facts = location[0], self._facts.get(location)
        if path not in self._truncated and (facts is None or facts.omission is None):
            self._files.unchecked.add(path, what)

    def _conditions(self, location: ScriptLocation, names: Collection[str]) -> Mapping[str, Value]:
        """Returns what tests imply of the globals that a script assigns, by name."""
        from extlint.analysis.analyze import conditions_of_script

        path = location[0]
        shared = self._shared.get(location, NOTHING_SHARED)
        with self._files.failures.contained(path):
            found = conditions_of_script(
                self._text(location),
                path,
                names,
                partial(self._exports, path),
                shared,
                self._records,
                self._trees.parse,
            )
            return self._values.intern(found)
        return {}

    def imports(self, importer: str, name: str, path: str) -> bool:
        """Whether a specifier in one script resolves to another script."""
        return self.resolve_module(importer, name) == path

    def import_test(self, importer: str, path: str) -> Callable[[str], bool]:
        """Returns a predicate of specifiers: whether one in a script resolves to another script."""
        return lambda name: self.imports(importer, name, path)

    def resolve_module(self, importer: str, name: str) -> str | None:
        """Returns the script that runs when a script imports a specifier.

        Returns None if it is not a file of the package.
        """
        return self._resolver.find(name, importer) if import_kind(name) is ImportKind.MODULE else None

    def set_known_realms(self, realms: Sequence[Sequence[ScriptLocation]]) -> None:
        """Sets the scripts that are known to share globals before they are analyzed."""
        self._globals.predicted.set_realms(realms)
        if realms and not self._facts:
            from extlint.program.partial_globals import PartialGlobals

            self._partial_globals = PartialGlobals(self._globals, realms)

    def share_globals(self, realms: Sequence[Sequence[ScriptLocation]]) -> bool:
        """Shares globals among the scripts of each realm.

        Returns whether any script has to be analyzed again.
        """
        self._partial_globals = None
        news: set[str] = set()
        found = dict(self._globals.compute_for_realms(realms))
        for location, parameters in self._parameters().items():
            found[location] = replace(found.get(location, NOTHING_SHARED), parameters=parameters)
        self._before_sharing.clear()
        for location in dict.fromkeys((*found, *self._predicted, *self._shared)):
            shared = found.get(location, NOTHING_SHARED)
            facts, taken = self.facts(location), self._predicted.get(location, NOTHING_SHARED)
            before = self._shared.get(location, NOTHING_SHARED).merged_with(taken)
            self._shared[location] = shared
            if shared != before:
                if shared.merged_with(taken) != shared:
                    self._globals.predicted.mark_mispredicted(location)
                self._before_sharing[location] = self._facts.pop(location)
                only_passed = replace(shared, parameters=before.parameters) == before
                if not only_passed or self.facts(location, facts.known_exports).exports != facts.exports:
                    news.add(location[0])
        self._mark_importers_stale(news)
        return bool(self._before_sharing)

    def scripts_with_changed_api_use(self) -> frozenset[str]:
        """Returns the scripts whose use or sharing of the API has changed since globals were last shared."""
        return frozenset(
            location[0]
            for location, before in self._before_sharing.items()
            if _api_facts(self.facts(location)) != _api_facts(before)
        )

    def _parameters(self) -> Mapping[ScriptLocation, Mapping[tuple[str, int], Value]]:
        """Returns API values that scripts pass to functions exported by others, by the exporting script."""
        found: dict[ScriptLocation, dict[tuple[str, int], Value]] = {}
        for (importer, _), facts in self._facts.items():
            for each in facts.passed_arguments:
                path = self.resolve_module(importer, each.module)
                if path is not None and (path, None) in self._facts:
                    own = found.setdefault((path, None), {})
                    key = (each.name, each.index)
                    own[key] = union_of([own[key], each.value] if key in own else [each.value])
        return found

    def _mark_importers_stale(self, paths: Iterable[str]) -> None:
        """Marks the facts of direct and indirect importers of possibly changed exports as possibly stale."""
        waiting, importers = list(paths), set[str]()
        while waiting:
            new = self._importers.get(waiting.pop(), set()) - importers
            importers |= new
            waiting.extend(new)
        for location in [each for each in self._facts if each[0] in importers]:
            self._possibly_stale[location] = self._facts.pop(location)
        for path in importers.union(paths):
            self._cycle_exports.pop(path, None)

    def _text(self, location: ScriptLocation) -> bytes:
        path, body = location
        if body is None:
            from extlint.analysis.syntax.source import source_of

            text = self._eval_code.get(path)
            if text is None:
                text = source_of(self._files.content(path))
                if self._policy is not None and path not in self._eval_code:
                    code = self._policy.code_of(text, path)
                    self._eval_code[path] = None if code is text else code
                    return code
            return text
        data = decode(self._files.content(path))
        from extlint.project.contexts.pages import text_of_component

        return text_of_component(data) if is_component(path) else data[slice(*body)]

    def _exports(self, importer: str, name: str, *, of_api: bool = False) -> Mapping[str, Value]:
        """Returns the exports of the script that a specifier resolves to; see `ImportResolver`."""
        from extlint.analysis.bundles.chunks import is_module_name

        if parse_global_query(name)[0] is not None:
            return NO_EXPORTS
        if is_module_name(name):
            return self._chunk_exports(importer, name, of_api=of_api)
        found = self._imported_script(importer, name)
        if found is None:
            return NO_EXPORTS
        exports = self._exports_of(found, of_api=of_api)
        return self._only_api_exports(found, exports) if of_api else exports

    def _imported_script(self, importer: str, name: str) -> str | None:
        """Returns the script that a specifier resolves to, and records its importer."""
        found = self.resolve_module(importer, name)
        if found is None or is_component(found):
            return None
        self._importers.setdefault(found, set()).add(importer)
        if self._partial_globals is not None:
            self._partial_globals.record_import((found, None), (importer, None))
        return found

    def _chunk_exports(self, importer: str, name: str, *, of_api: bool) -> Mapping[str, Value]:
        """Returns the export of a module in another chunk, under the requested name."""
        found = self._chunks.find(name, importer)
        if found is None:
            return NO_EXPORTS
        self._importers.setdefault(found, set()).add(importer)
        value = self._exports_of(found, of_api=of_api).get(name)
        return NO_EXPORTS if value is None or (of_api and not leads_to_api(value)) else {name: value}

    def exports_of(self, path: str) -> Mapping[str, Value]:
        """Returns the exports of a script."""
        return self._exports_of(path, of_api=False)

    def _exports_of(self, path: str, *, of_api: bool) -> Mapping[str, Value]:
        """Returns the exports of a script. In an import cycle, its other facts are not computed."""
        if path in self._being_read:
            return self._exports_in_cycle(path)
        if self._has_known_exports(path, of_api=of_api):
            return self._known_exports(path, of_api=of_api)
        if self._reads_in_order:
            if are_more_waiting_than(MAX_WAITING_IN_CYCLE):
                self._truncated.update(self._being_read[-1:])
                return {}
        elif len(self._being_read) > MAX_DEPTH or are_more_waiting_than(MAX_WAITING_FOR_SCRIPT):
            self._read_imports_first(path, of_api=of_api)
        return self._known_exports(path, of_api=of_api)

    def _has_known_exports(self, path: str, *, of_api: bool) -> bool:
        """Whether the exports of a script are known without reading it now."""
        facts = self._facts.get((path, None))
        if facts is NO_FACTS and not of_api:
            return path in self._cycle_exports
        return facts is not None and facts.known_exports >= (Demand.OF_API if of_api else Demand.ALL)

    def _read_imports_first(self, path: str, *, of_api: bool) -> None:
        """Reads the direct and indirect imports of a script in an order in which none has to wait."""
        from extlint.program.import_order import imports_in_postorder

        self._reads_in_order = True
        try:
            for each in imports_in_postorder(path, self._modules_of):
                if each not in self._being_read:
                    self._known_exports(each, of_api=of_api)
        finally:
            self._reads_in_order = False

    def possible_imports(self, location: ScriptLocation) -> Iterator[str]:
        """Yields the scripts that a script may import by literal specifiers, or require from other chunks."""
        from extlint.analysis.bundles.chunks import required_modules

        yield from self._modules_of(*location)
        names = (name for _, name in required_modules(self._text(location)))
        chunks = (self._chunks.find(name, location[0]) for name in names)
        yield from (each for each in chunks if each is not None)

    def shared_with(self, location: ScriptLocation) -> RealmGlobals:
        """Returns the values that other scripts assign to globals of a script."""
        return self._shared.get(location, NOTHING_SHARED)

    def _modules_of(self, path: str, body: ByteSpan | None = None) -> Iterator[str]:
        """Yields the scripts that a script may import by literal specifiers."""
        from extlint.program.import_order import specifiers_in

        for name in specifiers_in(self._text((path, body))):
            found = self.resolve_module(path, name)
            if found is not None and not is_component(found):
                yield found

    def _known_exports(self, path: str, *, of_api: bool) -> Mapping[str, Value]:
        facts = self.facts((path, None), Demand.OF_API)
        if of_api:
            return facts.exports
        if facts is NO_FACTS:
            return self._exports_in_cycle(path)
        return self.facts((path, None), Demand.ALL).exports

    def _exports_in_cycle(self, path: str) -> Mapping[str, Value]:
        """Returns the exports of a script, computed together with all scripts of its import cycle."""
        if path not in self._cycle_exports:
            from extlint.program.import_cycles import ImportCycle

            self._cycle_exports[path] = {}
            circle = ImportCycle(path, self._modules_of, self._exports, self._imported_script)
            self._cycle_exports |= circle.exports(self._own_exports)
            self._truncated.update(circle.unconverged)
        return self._cycle_exports[path]

    def _own_exports(self, path: str, imported: ImportResolver) -> OwnExports:
        """Returns the exports of a script, given a resolver for the exports of other scripts."""
        from extlint.analysis.analyze import exports_of_script

        found = OwnExports({})
        shared = self._shared.get((path, None), NOTHING_SHARED)
        with self._reading(path):
            text = self._text((path, None))
            found = exports_of_script(text, path, imported, shared, self._records, self._trees.parse)
            if found.omission is not None:
                self._truncated.add(path)
        return replace(found, exports=self._values.intern(found.exports))

    @contextmanager
    def _reading(self, path: str) -> Iterator[None]:
        """Tracks a script while it is read. An error affects only that script, not its importers."""
        self._being_read.append(path)
        begin_waiting()
        try:
            with self._files.failures.contained(path):
                yield
        finally:
            end_waiting()
            self._being_read.pop()

    def _only_api_exports(self, path: str, exports: Mapping[str, Value]) -> Mapping[str, Value]:
        if path not in self._api_exports or self._api_exports[path][0] is not exports:
            api_exports = {name: value for name, value in exports.items() if leads_to_api(value)}
            self._api_exports[path] = (exports, api_exports)
        return self._api_exports[path][1]

    def script(self, placed: LaidOutScript) -> Script:
        """Returns a script as rules see it."""
        facts = self.facts((placed.path, placed.body))
        if placed.path not in self._indexes:
            data = decode(self._files.content(placed.path))
            self._indexes[placed.path] = TextIndex(data, self._eval_code.get(placed.path))
        if placed.path in self._truncated and facts.omission is None:
            facts = replace(facts, omission=Omission(Reason.WORK))
        start = placed.body[0] if placed.body else 0
        contexts = distinct_contexts(placed.contexts)
        all_contexts = contexts if any(each.excluded_targets for each in contexts) else ()
        return Script(placed.path, facts, self._indexes[placed.path], contexts, start, all_contexts)


def _api_facts(facts: ScriptFacts) -> tuple[object, ...]:
    """Returns the facts about the API, in the script itself and for others that share its globals."""
    shared = {name: value for name, value in facts.globals.items() if leads_to_api(value)}
    return facts.references, facts.calls, shared


def _records(store: Store, values: CanonicalValues) -> Records:
    """Returns the facts in a store."""
    from extlint.analysis.cache.records import Records

    return Records(store, values)
