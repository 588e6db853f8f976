"""Scripts that other processes analyse before anybody asks for them.

What they work out is kept with the questions that it depends on. The process that checks the package goes
its own way, and takes what is kept where it asks the same. So the report is the one that it would have made
without them: what they did in vain, or could not do, costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import heapify, heappop, heappush

from msgspec import Struct

from extlint.cache.records import Records
from extlint.cache.store import MemoryStore, Store
from extlint.cache.values import CanonicalValues
from extlint.package.files import Package, UnreadableError
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import IMPLIED, RESOLVED_TO, is_script, suffix_of
from extlint.package.tolerant import TolerantPackage
from extlint.program.eval_policy import EvalPolicy
from extlint.program.script_reader import ScriptReader
from extlint.script.analyse import has_facts
from extlint.script.facts.imports import Demand
from extlint.script.syntax.prefilter import may_load, may_name_api
from extlint.script.syntax.source import source_of
from extlint.script.values.stack import checking_package
from extlint.text.patterns import lazy

MIN_BYTES = 2_000_000
"""Bytes of scripts that are parsed, from which on it pays to start processes: two seconds of work or so."""

MAX_SHARE = 0.8
"""How much of them may be in one script: nothing is gained where one process does nearly all."""

COST_OF_LEXING = 1 / 6
"""What a script costs that is read for its loads alone, beside parsing it."""

# Three patterns that begin with a word are searched for much faster than one with three ways to begin.
_IMPORTS = (
    lazy(rb"from\s*[\"']([./][^\"'\n]*)"),
    lazy(rb"import\s*\(?\s*[\"']([./][^\"'\n]*)"),
    lazy(rb"require\s*\(\s*[\"']([./][^\"'\n]*)"),
)


class Task(Struct, frozen=True):
    """A script to analyse, and what was kept since this worker was told last."""

    path: str
    demand: Demand
    news: Mapping[bytes, bytes]


def filled_ahead(
    package: Package,
    store: Store | None,
    jobs: int,
    tell: Callable[[str, int], None] = lambda _what, _size: None,
    policy: EvalPolicy | None = None,
) -> Store | None:
    """A store that has what so many processes found out about scripts, if it pays, and what `store` has.

    `tell` is told how far they are, and at first how many bytes of scripts there are to analyse.
    """
    scripts = scripts_worth_it(package, store, policy)
    if not scripts:
        return store
    from extlint.processes.workers import Lost, results_of

    order = Order(scripts)
    kept = MemoryStore(below=store)
    tell(f"analyzed 0 of {len(scripts)} scripts", sum(package.size(each.path) for each in scripts))
    with suppress(OSError):  # the system starts no process
        for script, found in results_of(_Analysis(package, store, policy), order.following, jobs):
            order.end(script.path, {} if isinstance(found, Lost) else found)
            tell(f"analyzed {len(order.found)} of {len(scripts)} scripts", 0)
    for each in order.found:
        kept.kept.update(each)
    return kept


class Script(Struct, frozen=True):
    """A script that is to be analysed. `imports` are those of the others that it seems to import."""

    path: str
    cost: float
    imports: frozenset[str]


def scripts_worth_it(
    package: Package, store: Store | None, policy: EvalPolicy | None = None
) -> Sequence[Script]:
    """The scripts that are to be analysed ahead; none if that does not pay."""
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
        found.append((path, cost, imports_in(text, path, listed)))
    costs = [cost for _, cost, _ in found]
    if not costs or sum(costs) < MIN_BYTES or max(costs) > MAX_SHARE * sum(costs):
        return ()
    known = {path for path, _, _ in found}
    return [Script(path, cost, (imports & known) - {path}) for path, cost, imports in found]


def imports_in(text: bytes, path: str, listed: frozenset[str]) -> frozenset[str]:
    """The scripts that a text seems to import by their paths. That it does not is no matter."""
    folder = folder_of(path)
    found = (name for pattern in _IMPORTS for name in pattern.findall(text))
    names = {each.decode("utf-8", "replace") for each in found}
    return frozenset(_named(names, folder, listed))


def _named(names: set[str], folder: str | None, listed: frozenset[str]) -> Iterator[str]:
    for name in names:
        for path in paths_of(name, folder)[:1]:
            stem = path.removesuffix(suffix_of(path))
            others = (stem + suffix for suffix in RESOLVED_TO.get(suffix_of(path), ()))
            implied = (path + suffix for suffix in IMPLIED)
            yield from [each for each in (path, *others, *implied) if each in listed][:1]


class Order:
    """Which script is next: the most expensive one whose imports are done."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        known = {each.path: each for each in scripts}
        self._waits_for = {each.path: len(each.imports) for each in scripts}
        self._importers: dict[str, list[Script]] = {}
        for script in scripts:
            for path in script.imports:
                self._importers.setdefault(path, []).append(script)
        self._ready = [(-each.cost, each.path) for each in scripts if not each.imports]
        heapify(self._ready)
        self._left = dict.fromkeys(known)
        self._running = 0
        self._told: dict[int, int] = {}
        self.found: list[Mapping[bytes, bytes]] = []

    def following(self, worker: int) -> Task | None:
        """The next script; None while those that are left wait for one that is being analysed."""
        path = self._next()
        if path is None:
            return None
        self._running += 1
        news: dict[bytes, bytes] = {}
        for each in self.found[self._told.get(worker, 0) :]:
            news.update(each)
        self._told[worker] = len(self.found)
        return Task(path, Demand.OF_API if path in self._importers else Demand.NONE, news)

    def _next(self) -> str | None:
        while self._ready:
            _, path = heappop(self._ready)
            if self._left.pop(path, path) is None:
                return path
        if self._running or not self._left:
            return None
        path = next(iter(self._left))  # the rest import each other
        del self._left[path]
        return path

    def end(self, path: str, found: Mapping[bytes, bytes]) -> None:
        """Takes what was found out about a script, which others need not wait for any more."""
        self._running -= 1
        self.found.append(found)
        for each in self._importers.get(path, ()):
            self._waits_for[each.path] -= 1
            if not self._waits_for[each.path]:
                heappush(self._ready, (-each.cost, each.path))


class _Analysis:
    """What a worker does: it analyses scripts of a package, one after the other."""

    def __init__(self, package: Package, below: Store | None, policy: EvalPolicy | None) -> None:
        self._package = package
        self._policy = policy
        self._below = below

    @cached_property
    def _reader(self) -> ScriptReader:
        return ScriptReader(TolerantPackage(self._package), store=self._store, policy=self._policy)

    @cached_property
    def _store(self) -> MemoryStore:
        return MemoryStore(below=self._below)

    @checking_package
    def __call__(self, script: Task) -> Mapping[bytes, bytes]:
        """What was kept on the way to the facts of a script, also where they cannot be found."""
        store = self._store
        store.kept.update(script.news)
        before = dict(store.kept)
        with suppress(Exception):  # whoever asks for it next will see
            self._reader.facts((script.path, None), script.demand)
        return {key: data for key, data in store.kept.items() if before.get(key) != data}
