"""Runs cases for a given time, and stores the failing ones."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from msgspec import Struct

from extlint_fuzz.case import Case, encode_case
from extlint_fuzz.generators.mutations import Corpus
from extlint_fuzz.generators.registry import random_case
from extlint_fuzz.http_service import HttpService
from extlint_fuzz.language_server import LanguageServer
from extlint_fuzz.minimize import minimize
from extlint_fuzz.oracles import applicable_oracles, other_version, required_oracle
from extlint_fuzz.process import Process
from extlint_fuzz.trial import Failed, Failure, Service, Trial

ORACLES_PER_CASE = 2
CONSTANTS: Mapping[str, object] = {
    "extlint.analysis.cache.cache.MIN_BYTES": 0,
    "extlint.checking.jobs.MIN_WEIGHT_FOR_WORKER": 1,
}
"""Overrides that make small cases use features meant for large packages."""


class Plan(Struct, frozen=True):
    """The parameters of a campaign: its duration, its cases, and the extlint to compare with.

    `other` is the Python of another extlint. `shrink_seconds` is the time to shrink one failure.
    """

    seconds: float
    seed: int
    jobs: int
    generators: tuple[str, ...]
    corpus: tuple[Path, ...]
    found: Path
    other: str | None
    shrink_seconds: float


class Tally:
    """The numbers of runs and failures."""

    def __init__(self) -> None:
        self.cases = Counter[str]()
        self.runs = Counter[str]()
        self.failures = Counter[tuple[str, str]]()
        self.failing = Counter[str]()


class Bench:
    """The processes and services of one thread, and their working folder."""

    def __init__(self, folder: Path, options: frozenset[str], other: str | None) -> None:
        self._root = folder / "root"
        self._options = options
        self._processes = [
            Process(folder / "first", constants=CONSTANTS, PYTHONHASHSEED="0", LC_ALL="C.UTF-8"),
            Process(folder / "second", PYTHONHASHSEED="4242", LC_ALL="C"),
        ]
        self._services: dict[str, Service] = {
            "serve": HttpService(folder / "serve"),
            "lsp": LanguageServer(folder / "lsp"),
        }
        self._other = None if other is None else Process(folder / "other", other, PYTHONHASHSEED="0")

    def find_failure(self, case: Case, oracles: Sequence[Callable[[Trial], None]]) -> Failure | None:
        """Returns the failure of the first oracle that fails for a case, or None."""
        trial = Trial(case, self._processes, self._root, self._options, self._other, self._services)
        try:
            for oracle in oracles:
                oracle(trial)
        except Failed as failed:
            return failed.failure
        return None

    def fails_like(
        self, failure: Failure, oracles: Sequence[Callable[[Trial], None]]
    ) -> Callable[[Case], bool]:
        """Returns a predicate for the minimizer: whether a case fails in the same way."""

        def fails(case: Case) -> bool:
            found = self.find_failure(case, oracles)
            return found is not None and found.has_same_cause(failure)

        return fails

    def close(self) -> None:
        """Ends the processes and services."""
        for process in (*self._processes, *([] if self._other is None else [self._other])):
            process.close()
        for service in self._services.values():
            service.close()


def case_of(plan: Plan, number: int, corpus: Corpus | None) -> tuple[Case, Random]:
    """Returns the case of a number, which depends only on the seed, and the generator for its oracles."""
    chance = Random(f"{plan.seed}:{number}")
    return random_case(chance, plan.generators, corpus), chance


def run(plan: Plan, folder: Path, options: frozenset[str], report: Callable[[str], None]) -> Tally:
    """Runs cases until the time is over. Each kind of failure is shrunk and written once."""
    tally = Tally()
    corpus = Corpus(plan.corpus) if plan.corpus else None
    until = time.monotonic() + plan.seconds
    lock = threading.Lock()
    numbers = iter(range(10**12))

    def work(index: int) -> None:
        bench = Bench(folder / f"job{index}", options, plan.other)
        try:
            while time.monotonic() < until:
                with lock:
                    number = next(numbers)
                _run_case(plan, number, corpus, bench, tally, lock, report)
        finally:
            bench.close()

    with ThreadPoolExecutor(plan.jobs) as pool:
        for done in [pool.submit(work, index) for index in range(plan.jobs)]:
            done.result()
    return tally


def _run_case(
    plan: Plan,
    number: int,
    corpus: Corpus | None,
    bench: Bench,
    tally: Tally,
    lock: threading.Lock,
    report: Callable[[str], None],
) -> None:
    case, chance = case_of(plan, number, corpus)
    possible = applicable_oracles(case)
    chosen = chance.sample(possible, min(ORACLES_PER_CASE, len(possible)))
    oracles = [required_oracle(case), *chosen]
    if plan.other and case.program == "check":
        oracles.append(other_version)
    failure = bench.find_failure(case, oracles)
    with lock:
        tally.cases[case.generator] += 1
        tally.runs.update(oracle.__name__ for oracle in oracles)
        if failure is None:
            return
        tally.failing[case.generator] += 1
        tally.failures[failure.oracle, failure.key] += 1
        if tally.failures[failure.oracle, failure.key] > 1:
            return
    report(f"case {number} ({case.generator}, {case.size} bytes) fails: {failure.oracle}: {failure.key}")
    oracles = [oracle for oracle in oracles if bench.fails_like(failure, [oracle])(case)][:1]
    if not oracles:
        report(f"case {number} does not fail again")
        oracles, smallest = [required_oracle(case)], case
    else:
        smallest = minimize(case, bench.fails_like(failure, oracles), plan.shrink_seconds)
        failure = bench.find_failure(smallest, oracles) or failure
    path = write(plan.found, smallest, failure, {"seed": plan.seed, "number": number})
    report(f"case {number} is {smallest.size} bytes when shrunk: {path}")


def write(folder: Path, case: Case, failure: Failure, origin: Mapping[str, int]) -> Path:
    """Writes a failing case into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", f"{failure.oracle} {failure.key}".lower()).strip("-")[:80]
    path = folder / f"{name}.json"
    path.write_text(
        encode_case(case, failure=f"{failure.oracle}: {failure.key}", story=failure.story, **origin)
    )
    return path
