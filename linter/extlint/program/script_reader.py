"""Reads the scripts of a package, and analyzes each of them once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from extlint.analysis.cache.store import Store
from extlint.analysis.facts.context import distinct_contexts
from extlint.analysis.facts.omissions import Omission, Reason
from extlint.analysis.facts.other_scripts import (
    NO_EXPORTS,
    NOTHING_SHARED,
    Demand,
    Exports,
    RealmGlobals,
    parse_global_query,
)
from extlint.analysis.facts.script_facts import ScriptFacts, SyntaxProblem, Verdict
from extlint.analysis.facts.values import Value
from extlint.extension import Script
from extlint.package.tolerant import TolerantPackage
from extlint.program.module_exports import ModuleExports
from extlint.program.predicted_globals import Realms
from extlint.program.shared_globals import PartialGlobals, SharedGlobals, api_facts, passed_parameters
from extlint.program.sources import CodePolicy
from extlint.project.contexts.script import LaidOutScript, ScriptLocation
from extlint.project.resolution.resolver import ModuleResolver
from extlint.queries.database import Database
from extlint.queries.memos import Input
from extlint.queries.query import query
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.analysis.values.evaluator import Evaluator

_Found = TypeVar("_Found")

_SHARED = Input("shared globals")
_PREDICTIONS = Input("predictions")
_ANALYZED = "analyzed script"


class ScriptReader(ModuleExports):
    """Returns the facts of script files and of the inline scripts of pages.

    The results are cached in `store`, and in `queries` if the package is checked repeatedly.
    `report_progress` receives the next step as text, and the number of bytes of scripts it concerns. `policy`
    determines the scripts in which code in strings is read, if any.
    """

    def __init__(
        self,
        files: TolerantPackage,
        resolver: ModuleResolver | None = None,
        store: Store | None = None,
        report_progress: Callable[[str, int], None] = lambda _what, _size: None,
        policy: CodePolicy | None = None,
        queries: Database | None = None,
    ) -> None:
        super().__init__(files, queries or Database(is_incremental=True), policy, resolver, store)
        self._report_progress = report_progress
        self._shared: dict[ScriptLocation, RealmGlobals] = {}
        self._before_sharing: dict[ScriptLocation, ScriptFacts] = {}
        self._globals = SharedGlobals(self.facts, self.text, self._conditions_of)
        self._partial_globals: PartialGlobals | None = None
        self._imported: set[str] = set()
        self.queries.on_effect(_ANALYZED, self._record_analysis)

    def close(self) -> None:
        """Frees everything that was read, which can no longer be queried.

        The parts refer to each other, and take memory until the garbage collector finds them.
        """
        self.queries.clear()
        vars(self).clear()

    def facts(self, location: ScriptLocation, demand: Demand = Demand.NONE) -> ScriptFacts:
        """Returns the facts of a script, with the exports that `demand` requests.

        Incomplete for a file that cannot be read.
        """
        return self._facts_and_predictions(location, demand)[0]

    def _facts_and_predictions(
        self, location: ScriptLocation, demand: Demand = Demand.NONE
    ) -> tuple[ScriptFacts, RealmGlobals]:
        known = next((each for each in _HIGHEST_FIRST if self._is_analyzed(location, each)), demand)
        facts, taken = self._analysis(location, max(known, demand))
        return self._canonical(facts), taken

    def _is_analyzed(self, location: ScriptLocation, demand: Demand) -> bool:
        """Whether the facts of a script are known for exactly this demand, and not computed again."""
        key = ScriptReader._analysis, self.query_scope, (location, demand)
        return self.queries.is_used(*key) and not self.queries.is_under_way(*key)

    def has_facts(self, location: ScriptLocation, demand: Demand = Demand.NONE) -> bool:
        """See `ModuleExports.has_facts`."""
        return any(each >= demand and self._is_analyzed(location, each) for each in Demand)

    def is_being_read(self, path: str) -> bool:
        """See `ModuleExports.is_being_read`."""
        return path in self._being_read or any(
            self.queries.is_under_way(ScriptReader._analysis, self.query_scope, ((path, None), each))
            for each in Demand
        )

    @query(is_kept=True)
    def _analysis(self, location: ScriptLocation, demand: Demand) -> tuple[ScriptFacts, RealmGlobals]:
        """Returns the facts of a script, and the predicted globals that they depend on."""
        for lower in Demand:
            if lower < demand and self._is_analyzed(location, lower):
                known: tuple[ScriptFacts, RealmGlobals] = self._analysis(location, lower)
                if known[0].known_exports >= demand:
                    return known
        from extlint.analysis.analyze import analyze

        path = location[0]
        facts = ScriptFacts(known_exports=Demand.ALL, omission=Omission(Reason.FAILURE))
        shared = self.globals_of(location)
        resolve = partial(self._resolve_query, location)
        with self._reading(path):
            text = self.source(location)
            self._report_progress(f"analyzing {path}", len(text))
            records, parse = self._records, self._trees.parse
            facts = analyze(text, path, resolve, shared, demand, records, parse)
            if facts.problem is not None and self.has_code_in_strings(path):
                self.discard_code_in_strings(path)
                facts = analyze(self.text(location), path, resolve, shared, demand, records, parse)
        if path in self._files.failed:
            facts = ScriptFacts(known_exports=Demand.ALL, omission=Omission(Reason.UNREADABLE))
        facts = self._canonical(facts)
        self.queries.conclude_with(_ANALYZED, location, demand)
        return facts, self._globals.predicted.predictions_for(location, facts)

    def _record_analysis(self, location: ScriptLocation, demand: Demand) -> None:
        """Reanalyzes earlier scripts that may assign more to globals, now that a later script assigns them.

        No other facts depend on theirs yet: no script imports them, and none is being analyzed.
        """
        known = self._partial_globals
        if known is None:
            return
        for other in known.record_facts(location, self.facts(location, demand)):
            if self.has_facts(other) and other[0] not in self._imported and not self.is_being_read(other[0]):
                shared = known.values_for(other)
                if shared != self._shared.get(other, NOTHING_SHARED):
                    known.record_reanalysis(other)
                    self._set_shared(other, shared)
                    self.facts(other)

    def on_import(self, path: str, importer: str | None) -> None:
        """See `ModuleExports.on_import`."""
        self._imported.add(path)
        if self._partial_globals is not None and importer is not None:
            self._partial_globals.record_import((path, None), (importer, None))

    @query(is_kept=True)
    def globals_of(self, location: ScriptLocation) -> RealmGlobals:
        """Returns the values that other scripts assign to globals of a script, or those known so far."""
        self.queries.depend_on(_SHARED, self.query_scope, (location,))
        if self._partial_globals is not None and location not in self._shared:
            self._shared[location] = self._partial_globals.values_for(location)
        return self.shared_with(location)

    def shared_with(self, location: ScriptLocation) -> RealmGlobals:
        """Returns the values that other scripts assign to globals of a script."""
        return self._shared.get(location, NOTHING_SHARED)

    def _set_shared(self, location: ScriptLocation, shared: RealmGlobals) -> None:
        self._shared[location] = shared
        self.queries.set_input(_SHARED, self.query_scope, shared, (location,), is_changed=True)

    def _resolve_query(self, location: ScriptLocation, name: str, *, of_api: bool = False) -> Exports:
        """Returns the exports of a specifier's script, or the result of an `Asked` query about globals."""
        if parse_global_query(name)[0] is not None:
            return self._prediction(location, name)
        return self._values.intern(self.imported_exports(location[0], name, of_api))

    def _find(self, location: ScriptLocation, name: str, *, of_api: bool = False) -> Exports:
        """Returns the same as `_resolve_query` in a search, which reads the exports of scripts on demand."""
        if parse_global_query(name)[0] is not None:
            return self._prediction(location, name)
        return self.find_exports(location[0], name, of_api=of_api)

    @query(is_kept=True)
    def _prediction(self, location: ScriptLocation, name: str) -> Exports:
        """Returns the result of an `Asked` query of a script about a global."""
        self.queries.mark_unrepeatable()
        self.queries.depend_on(_PREDICTIONS, self.query_scope)
        self.queries.depend_on(_PREDICTIONS, self.query_scope, (location,))
        found = self._globals.predicted.resolve_query(location, name)
        return NO_EXPORTS if found is None else found

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
        shared = self.shared_with(location)
        if watched:
            shared = replace(shared, watched=watched)
        with self._files.failures.contained(path):
            found = evaluator_of(
                self.text(location), path, partial(self._find, location), shared, self._trees.parse
            )
            if found is not None:
                what = "calls from one script to another are followed until that takes too much work"
                found.when_given_up = partial(self.record_omission, location, what)
            return found
        return None

    def attempt(
        self, location: ScriptLocation, at: ByteSpan | None, find: Callable[[Evaluator], _Found]
    ) -> _Found | None:
        """Returns the result of a query about a script, or None if it does not parse or takes too much work.

        `at` is the position that the query is about. Afterward, the evaluator is closed.
        """
        evaluator = self.evaluator(location)
        if evaluator is None:
            return None
        evaluator.when_given_up = None
        with closing(evaluator):
            return evaluator.attempt(at, partial(find, evaluator))

    @query(is_kept=True)
    def syntax_verdict(self, location: ScriptLocation, is_module: bool) -> SyntaxProblem | Verdict:
        """Returns the result of the exact parser for a script, if anything makes its syntax doubtful."""
        from extlint.analysis.analyze import syntax_verdict

        path = location[0]
        facts = self.facts(location)
        if facts.is_doubtful is False and facts.problem is None and facts.returns_outside is None:
            return Verdict.VALID
        text = self.source(location)
        return syntax_verdict(text, path, facts, self._records, self._trees.parse, is_module=is_module)

    def record_omission(self, location: ScriptLocation, what: str) -> None:
        """Records an omission in a search, unless the script is reported already; see `Unchecked`."""
        path = location[0]
        is_known = self.has_facts(location) and self.facts(location).omission is not None
        if path not in self._truncated and not is_known:
            self._files.unchecked.add(path, what)

    @query(is_kept=True, in_cycle=lambda *_: {})
    def _conditions(self, location: ScriptLocation, names: tuple[str, ...]) -> Mapping[str, Value]:
        """Returns what tests imply of the globals that a script assigns, by name."""
        from extlint.analysis.analyze import conditions_of_script

        path = location[0]
        shared = self.globals_of(location)
        imported = partial(self.find_exports, path)
        with self._files.failures.contained(path):
            text = self.source(location)
            return conditions_of_script(text, path, names, imported, shared, self._records, self._trees.parse)
        return {}

    def _conditions_of(self, location: ScriptLocation, names: Collection[str]) -> Mapping[str, Value]:
        return self._values.intern(self._conditions(location, tuple(sorted(names))))

    def set_known_realms(self, realms: Realms, pages: Realms) -> None:
        """Sets the scripts that are known to share globals, or a page, before they are analyzed."""
        self._globals.predicted.set_realms(realms, pages)
        self.queries.set_input(_PREDICTIONS, self.query_scope, (realms, pages))
        if realms:
            self._partial_globals = PartialGlobals(self._globals, realms)

    def share_globals(self, realms: Realms, pages: Realms, scripts: Iterable[ScriptLocation]) -> bool:
        """Shares globals among the scripts of each realm, and passes values to functions of `scripts`.

        `pages` are the realms of extension pages.
        Returns whether any script has to be analyzed again.
        """
        self._partial_globals = None
        found = dict(self._globals.compute_for_realms(realms, pages))
        known = {each: self._facts_and_predictions(each) for each in scripts if self.has_facts(each)}
        for location, parameters in passed_parameters(
            {each: facts for each, (facts, _) in known.items()}, self.resolve_module
        ).items():
            found[location] = replace(found.get(location, NOTHING_SHARED), parameters=parameters)
        self._before_sharing.clear()
        for location, (facts, taken) in known.items():
            shared = found.get(location, NOTHING_SHARED)
            before = self.shared_with(location).merged_with(taken)
            if shared == before:
                self._shared[location] = shared
                continue
            if shared.merged_with(taken) != shared:
                self._globals.predicted.mark_mispredicted(location)
                self.queries.set_input(_PREDICTIONS, self.query_scope, False, (location,), is_changed=True)
            self._set_shared(location, shared)
            self._before_sharing[location] = facts
        self.queries.set_input(_PREDICTIONS, self.query_scope, (realms, pages))
        return bool(self._before_sharing)

    def scripts_with_changed_api_use(self) -> frozenset[str]:
        """Returns the scripts whose use or sharing of the API has changed since globals were last shared."""
        return frozenset(
            location[0]
            for location, before in self._before_sharing.items()
            if api_facts(self.facts(location)) != api_facts(before)
        )

    def script(self, placed: LaidOutScript) -> Script:
        """Returns a script as rules see it."""
        facts = self.facts((placed.path, placed.body))
        if placed.path in self._truncated and facts.omission is None:
            facts = replace(facts, omission=Omission(Reason.WORK))
        start = placed.body[0] if placed.body else 0
        contexts = distinct_contexts(placed.contexts)
        all_contexts = contexts if any(each.excluded_targets for each in contexts) else ()
        return Script(placed.path, facts, self.index(placed.path), contexts, start, all_contexts)


_HIGHEST_FIRST = (Demand.ALL, Demand.OF_API)
