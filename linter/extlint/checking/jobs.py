"""Distributes packages to the processes that check them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from extlint.package.files import Package, UnreadableError
from extlint.package.suffixes import CODE, has_suffix

Outcome = TypeVar("Outcome")
Item = Package | UnreadableError

MAX_HELD = 1_000
"""The maximum number of packages that are held at once, to begin with the heaviest."""

MAX_SIZED_FILES = 50_000
"""The maximum number of files of those packages whose sizes are queried."""

WEIGHT_OF_PACKAGE = 20_000
"""The weight of a package in addition to its code, in bytes of code that take as long."""

MIN_WEIGHT_FOR_WORKER = 500_000
"""The minimum weight for a worker: less work is done before a process has started."""

MIN_WEIGHT_TO_DIVIDE = 2_000_000
"""The minimum weight of a package whose scripts are also analyzed by other processes."""


def outcomes_in_order(
    packages: Iterable[Item],
    check: Callable[[Item, int], Outcome],
    on_lost: Callable[[Item, str], Outcome],
    jobs: int | None,
    on_batch: Callable[[Sequence[Item]], None] = lambda _: None,
) -> Iterator[Outcome]:
    """Yields the outcome of each package, in their order, whichever process checks it, and whenever.

    At most `jobs` processes do so, by default as many as there are processors, and never more than the work
    is worth. No other process is started while extlint itself is debugged. `check` receives the number of
    processes that may work on the one package. `on_lost` returns the outcome of a package whose process
    ended; it receives a word on how. `on_batch` receives the known packages before the first one is checked,
    the heaviest first.
    """
    most = 1 if os.environ.get("EXTLINT_DEBUG") else jobs or _processors()
    remaining = iter(packages)
    while batch := list(islice(remaining, MAX_HELD if most > 1 else 1)):
        weights = list(weights_of(batch)) if most > 1 else [0]
        workers = min(most, worthwhile_workers(weights))
        heaviest_first = sorted(range(len(batch)), key=weights.__getitem__, reverse=True)
        if len(batch) > 1:
            on_batch([batch[index] for index in heaviest_first])
        if workers > 1:
            yield from _check_in_workers(batch, heaviest_first, workers, check, on_lost)
        else:
            for package, weight in zip(batch, weights, strict=True):
                yield check(package, most if weight >= MIN_WEIGHT_TO_DIVIDE else 1)


def _processors() -> int:
    from extlint.processes.processors import available_processors

    return available_processors()


def worthwhile_workers(weights: Sequence[int]) -> int:
    """Returns the number of workers that have enough to do with packages of these weights."""
    return min(len(weights), sum(weights) // MIN_WEIGHT_FOR_WORKER)


def weights_of(packages: Sequence[Item]) -> Iterator[int]:
    """Yields the approximate duration of checks, as bytes of code.

    Beyond `MAX_SIZED_FILES`, all files count the same.
    """
    sized_files = total = 0
    for package in packages:
        weight = WEIGHT_OF_PACKAGE
        if isinstance(package, Package):
            code = [path for path in package.paths if has_suffix(path, CODE)]
            sizes = [package.size(path) for path in code[: MAX_SIZED_FILES - sized_files]]
            sized_files += len(sizes)
            total += sum(sizes)
            weight += sum(sizes)
            if sized_files:
                weight += (len(code) - len(sizes)) * total // sized_files
        yield weight


def _check_in_workers(
    packages: Sequence[Item],
    heaviest_first: Sequence[int],
    workers: int,
    check: Callable[[Item, int], Outcome],
    on_lost: Callable[[Item, str], Outcome],
) -> Iterator[Outcome]:
    waiting: dict[int, Outcome] = {}
    following = 0
    for index, outcome in _in_completion_order(packages, heaviest_first, workers, check, on_lost):
        waiting[index] = outcome
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _in_completion_order(
    packages: Sequence[Item],
    indexes: Sequence[int],
    workers: int,
    check: Callable[[Item, int], Outcome],
    on_lost: Callable[[Item, str], Outcome],
) -> Iterator[tuple[int, Outcome]]:
    from extlint import checker  # noqa: F401 (what is imported before processes are forked, all of them have)
    from extlint.processes.workers import WorkerDied, run_tasks

    left = dict.fromkeys(indexes)
    try:
        waiting = iter(indexes)
        do = partial(_check_at, packages, check)
        for index, result in run_tasks(do, lambda _worker: next(waiting, None), workers):
            del left[index]
            yield index, on_lost(packages[index], result.how) if isinstance(result, WorkerDied) else result
    except OSError:  # the system cannot start a process
        yield from ((index, check(packages[index], 1)) for index in left)


def _check_at(packages: Sequence[Item], check: Callable[[Item, int], Outcome], index: int) -> Outcome:
    return check(packages[index], 1)
