"""Analyzes scripts in worker processes before their facts are requested.

The workers' results are cached together with the queries that they depend on. The process that checks the
package proceeds as usual, and uses a cached result wherever its queries are the same. So the report is the
same as without workers: redundant or failed work only costs time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import heapify, heappop, heappush

from msgspec import Struct

from extlint.analysis.analyze import has_facts
from extlint.analysis.cache.records import Records
from extlint.analysis.cache.store import CanonicalValues, MemoryStore, Store
from extlint.analysis.facts.other_scripts import Demand
from extlint.analysis.syntax.prefilter import may_load, may_name_api
from extlint.analysis.syntax.source import source_of
from extlint.analysis.values.stack import checking_package
from extlint.package.files import Package, UnreadableError
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import IMPLIED, RESOLVED_TO, is_script, suffix_of
from extlint.package.tolerant import TolerantPackage
from extlint.program.script_reader import ScriptReader
from extlint.program.sources import CodePolicy
from extlint.text.patterns import lazy

MIN_BYTES = 2_000_000
"""Bytes of scripts to parse from which on worker processes pay off: about two seconds of work."""

MAX_SHARE = 0.8
"""Largest share of the work that one script may have. With more, parallel analysis gains nothing."""

COST_OF_LEXING = 1 / 6
"""Cost of a script that is only lexed for its loads, relative to parsing it."""

# Three patterns that begin with a word match much faster than one pattern with three alternatives.
_IMPORTS = (
    lazy(rb"from\s*[\"']([./][^\"'\n]*)"),
    lazy(rb"import\s*\(?\s*[\"']([./][^\"'\n]*)"),
    lazy(rb"require\s*\(\s*[\"']([./][^\"'\n]*)"),
)


class Task(Struct, frozen=True):
    """A script to analyze, and the results cached since this worker's last task."""

    path: str
    demand: Demand
    updates: Mapping[bytes, bytes]


def analyze_in_parallel(
    package: Package,
    store: Store | None,
    jobs: int,
    report_progress: Callable[[str, int], None] = lambda _what, _size: None,
    policy: CodePolicy | None = None,
) -> Store | None:
    """Returns a store with the contents of `store` and the results of `jobs` worker processes.

    Returns `store` itself if workers do not pay off. `report_progress` receives progress messages, the first
    with the number of bytes of scripts to analyze.
    """
    scripts = select_scripts(package, store, policy)
    if not scripts:
        return store
    from extlint.processes.workers import WorkerDied, run_tasks

    order = Schedule(scripts)
    combined_store = MemoryStore(backing=store)
    report_progress(f"analyzed 0 of {len(scripts)} scripts", sum(package.size(each.path) for each in scripts))
    with suppress(OSError):  # the system starts no process
        for script, found in run_tasks(_AnalysisWorker(package, store, policy), order.next_task, jobs):
            order.finish(script.path, {} if isinstance(found, WorkerDied) else found)
            report_progress(f"analyzed {len(order.results)} of {len(scripts)} scripts", 0)
    for each in order.results:
        combined_store.entries.update(each)
    return combined_store


class PendingScript(Struct, frozen=True):
    """A script to analyze. `imports` are the other such scripts that it seems to import."""

    path: str
    cost: float
    imports: frozenset[str]


def select_scripts(
    package: Package, store: Store | None, policy: CodePolicy | None = None
) -> Sequence[PendingScript]:
    """Returns the scripts to analyze in parallel, or an empty sequence if that does not pay off."""
    paths = [path for path in package.paths if is_script(path)]
    if len(paths) < 2 or sum(map(package.size, paths)) < MIN_BYTES:
        return ()
    records = None if store is None else Records(store, CanonicalValues())
    listed = frozenset(paths)
    found: list[tuple[str, float, frozenset[str]]] = []
    for path in paths:
        try:
            text = source_of(package.peek(path))
        except UnreadableError:
            continue
        if policy is not None:
            text = policy.code_of(text, path)
        is_parsed = may_name_api(text)
        if not is_parsed and not may_load(text):
            continue
        if records is not None and any(has_facts(records, text, path, each) for each in Demand):
            continue
        cost = len(text) * (1 if is_parsed else COST_OF_LEXING)
        found.append((path, cost, find_imports(text, path, listed)))
    costs = [cost for _, cost, _ in found]
    if not costs or sum(costs) < MIN_BYTES or max(costs) > MAX_SHARE * sum(costs):
        return ()
    known = {path for path, _, _ in found}
    return [PendingScript(path, cost, (imports & known) - {path}) for path, cost, imports in found]


def find_imports(text: bytes, path: str, listed: frozenset[str]) -> frozenset[str]:
    """Returns the scripts that a text seems to import by their paths. False positives are harmless."""
    folder = folder_of(path)
    found = (name for pattern in _IMPORTS for name in pattern.findall(text))
    names = {each.decode("utf-8", "replace") for each in found}
    return frozenset(_resolve_names(names, folder, listed))


def _resolve_names(names: set[str], folder: str | None, listed: frozenset[str]) -> Iterator[str]:
    for name in names:
        for path in paths_of(name, folder)[:1]:
            stem = path.removesuffix(suffix_of(path))
            alternatives = (stem + suffix for suffix in RESOLVED_TO.get(suffix_of(path), ()))
            implied = (path + suffix for suffix in IMPLIED)
            yield from [each for each in (path, *alternatives, *implied) if each in listed][:1]


class Schedule:
    """Schedules scripts: the most expensive one whose imports are done comes first."""

    def __init__(self, scripts: Sequence[PendingScript]) -> None:
        known = {each.path: each for each in scripts}
        self._waits_for = {each.path: len(each.imports) for each in scripts}
        self._importers: dict[str, list[PendingScript]] = {}
        for script in scripts:
            for path in script.imports:
                self._importers.setdefault(path, []).append(script)
        self._ready = [(-each.cost, each.path) for each in scripts if not each.imports]
        heapify(self._ready)
        self._remaining = dict.fromkeys(known)
        self._running = 0
        self._sent: dict[int, int] = {}
        self.results: list[Mapping[bytes, bytes]] = []

    def next_task(self, worker: int) -> Task | None:
        """Returns the next script, or None while the others wait for a script that is being analyzed."""
        path = self._pop_next()
        if path is None:
            return None
        self._running += 1
        news: dict[bytes, bytes] = {}
        for each in self.results[self._sent.get(worker, 0) :]:
            news.update(each)
        self._sent[worker] = len(self.results)
        return Task(path, Demand.OF_API if path in self._importers else Demand.NONE, news)

    def _pop_next(self) -> str | None:
        while self._ready:
            _, path = heappop(self._ready)
            if self._remaining.pop(path, path) is None:
                return path
        if self._running or not self._remaining:
            return None
        path = next(iter(self._remaining))  # the rest form import cycles
        del self._remaining[path]
        return path

    def finish(self, path: str, found: Mapping[bytes, bytes]) -> None:
        """Records the results of a script, which unblocks its importers."""
        self._running -= 1
        self.results.append(found)
        for each in self._importers.get(path, ()):
            self._waits_for[each.path] -= 1
            if not self._waits_for[each.path]:
                heappush(self._ready, (-each.cost, each.path))


class _AnalysisWorker:
    """The task function of a worker: analyzes scripts of a package one after the other."""

    def __init__(self, package: Package, below: Store | None, policy: CodePolicy | None) -> None:
        self._package = package
        self._policy = policy
        self._below = below

    @cached_property
    def _reader(self) -> ScriptReader:
        return ScriptReader(TolerantPackage(self._package), store=self._store, policy=self._policy)

    @cached_property
    def _store(self) -> MemoryStore:
        return MemoryStore(backing=self._below)

    @checking_package
    def __call__(self, script: Task) -> Mapping[bytes, bytes]:
        """Returns the results cached during the analysis of a script, even if it fails."""
        store = self._store
        store.entries.update(script.updates)
        before = dict(store.entries)
        with suppress(Exception):  # reported when the facts are requested again
            self._reader.facts((script.path, None), script.demand)
        return {key: data for key, data in store.entries.items() if before.get(key) != data}
