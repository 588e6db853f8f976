"""Distributes packages to the processes that check them, and leaves out files that take too much memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from extlint.checking.report_of import report_step, reporting_progress
from extlint.package.failures import internal_error, note_files_in
from extlint.package.files import Package, PackageWithout, UnreadableError
from extlint.package.limits import MEBIBYTE, mebibytes
from extlint.package.suffixes import CODE, READ_AS_TEXT, has_suffix
from extlint.processes.resources import available_processors, memory_limit

MAX_ATTEMPTS = 10
"""The attempts to check a package that takes too much memory."""

_ATTEMPTS_WITH_ONE_FILE = 4
"""The first attempts, which each leave out one more file. Each later one leaves out twice as many."""


def files_to_leave_out(
    package: Package, last: str, left_out: Sequence[str], attempts: int
) -> Sequence[str] | None:
    """Returns the files to leave out in the next attempt to check a package, which took too much memory.

    They are `left_out` in the last attempt, the file that was the `last` one that it worked on, and the
    largest ones, as others may have taken the memory. Returns None after too many `attempts`, or if no other
    file remains that is larger than the manifest, which cannot be left out.
    """
    known = {package.manifest_path, *left_out}
    culprits = [last] if last and last not in known else []
    least = 0 if culprits else package.size(package.manifest_path)
    others = [path for path in package.paths if path not in known and has_suffix(path, READ_AS_TEXT)]
    others = sorted((path for path in others if package.size(path) > least), key=package.size, reverse=True)
    largest = [path for path in others if path != last][: _files_to_add(attempts) - len(culprits)]
    chosen = [*culprits, *largest]
    return (*left_out, *chosen) if chosen and attempts < MAX_ATTEMPTS else None


def _files_to_add(attempts: int) -> int:
    return 1 << max(0, attempts - _ATTEMPTS_WITH_ONE_FILE)


Outcome = TypeVar("Outcome")
Item = Package | UnreadableError

MAX_HELD = 1_000
"""The maximum number of packages that are held at once, to begin with the heaviest."""

MAX_CHECK_BYTES = 896 * MEBIBYTE
"""The most memory that the check of one package may add to a process, so that it stays below a gigabyte."""

MAX_BYTES_PER_BYTE = 1024
"""The most memory that a byte of a file may take without a limit: twice the most that was measured."""

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
    memory: int | None = None,
) -> Iterator[Outcome]:
    """Yields the outcome of each package, in their order, whichever process checks it, and whenever.

    At most `jobs` processes do so, by default as many as there are processors, and never more than the work
    is worth. No other process is started while extlint itself is debugged. `check` receives the number of
    processes that may work on the one package. `on_lost` returns the outcome of a package whose process
    ended; it receives a word on how. `on_batch` receives the known packages before the first one is checked,
    the heaviest first.

    `memory` limits the check of one package, in bytes. A package that may take as much is checked in another
    process, and again without a file that takes too much.
    """
    is_debugged = bool(os.environ.get("EXTLINT_DEBUG"))
    most = 1 if is_debugged else jobs or available_processors()
    limit = None if is_debugged else memory
    remaining = iter(packages)
    while batch := list(islice(remaining, MAX_HELD if most > 1 else 1)):
        weights = list(weights_of(batch)) if most > 1 else [0] * len(batch)
        workers = min(most, worthwhile_workers(weights))
        heaviest_first = sorted(range(len(batch)), key=weights.__getitem__, reverse=True)
        if len(batch) > 1:
            on_batch([batch[index] for index in heaviest_first])
        jobs_of = [most if workers < 2 and weight >= MIN_WEIGHT_TO_DIVIDE else 1 for weight in weights]
        if workers > 1 or (limit is not None and _requires_limit(batch, limit)):
            team = _Team(batch, jobs_of, max(1, workers), limit)
            yield from _check_in_workers(team, heaviest_first, check, on_lost)
        else:
            yield from map(check, batch, jobs_of)


def memory_of_check() -> int:
    """Returns the most memory that the check of one package may add to this process, in bytes."""
    return min(MAX_CHECK_BYTES, memory_limit() or MAX_CHECK_BYTES)


def within_memory(package: Package, work: Callable[[Package], Outcome], memory: int) -> Outcome:
    """Returns the result of work on a package that is done in another process if it may take too much memory.

    It is done without the files that take more than `memory` bytes. Raises UnreadableError if the work
    does, if it fails, or if its process ends.
    """

    def do(item: Item, _jobs: int) -> Outcome | UnreadableError:
        try:
            return UnreadableError("") if isinstance(item, UnreadableError) else work(item)
        except UnreadableError as error:
            return error
        except Exception as error:
            return UnreadableError(internal_error(package.name, error))

    def on_lost(_item: Item, how: str) -> Outcome | UnreadableError:
        return UnreadableError(f"cannot check {package.name}: its process {how}")

    (found,) = outcomes_in_order([package], do, on_lost, 1, memory=memory)
    if isinstance(found, UnreadableError):
        raise found
    return found


def _requires_limit(packages: Sequence[Item], memory: int) -> bool:
    """Whether a package may take so much memory that it is checked in a process with a limit."""
    if not any(isinstance(each, Package) and may_take(each, memory) for each in packages):
        return False
    from extlint.processes.workers import can_limit_memory

    return can_limit_memory()


def may_take(package: Package, memory: int) -> bool:
    """Whether the check of a package may take so many bytes of memory."""
    most = memory // MAX_BYTES_PER_BYTE
    for count, path in enumerate(path for path in package.paths if has_suffix(path, READ_AS_TEXT)):
        most -= package.size(path)
        if most < 0 or count >= MAX_SIZED_FILES:
            return True
    return False


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


class _Team(Struct, frozen=True):
    """The worker processes, and their packages, each with the number of processes that may work on it.

    `memory` limits each worker, in bytes.
    """

    packages: Sequence[Item]
    jobs_of: Sequence[int]
    workers: int
    memory: int | None


class _Attempt(Struct, frozen=True):
    """An attempt to check a package, by its index, without some of its files."""

    index: int
    left_out: Sequence[str] = ()
    number: int = 1

    def next(self, package: Item, last: str) -> _Attempt | None:
        """Returns the next attempt after one that took too much memory, in the `last` file, or None."""
        if not isinstance(package, Package):
            return None
        left_out = files_to_leave_out(package, last, self.left_out, self.number)
        return None if left_out is None else _Attempt(self.index, left_out, self.number + 1)


def _check_in_workers(
    team: _Team,
    heaviest_first: Sequence[int],
    check: Callable[[Item, int], Outcome],
    on_lost: Callable[[Item, str], Outcome],
) -> Iterator[Outcome]:
    waiting: dict[int, Outcome] = {}
    following = 0
    for index, outcome in _in_completion_order(team, heaviest_first, check, on_lost):
        waiting[index] = outcome
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _in_completion_order(
    team: _Team,
    indexes: Sequence[int],
    check: Callable[[Item, int], Outcome],
    on_lost: Callable[[Item, str], Outcome],
) -> Iterator[tuple[int, Outcome]]:
    from extlint import checker  # noqa: F401 (what is imported before processes are forked, all of them have)
    from extlint.processes.workers import WorkerDied, run_tasks

    left = dict.fromkeys(indexes)
    waiting = deque(map(_Attempt, indexes))
    try:
        tasks = run_tasks(
            partial(_check_at, team, check),
            lambda _worker: waiting.popleft() if waiting else None,
            team.workers,
            memory=team.memory,
            on_message=lambda step: report_step(*step),  # type: ignore[misc]
        )
        for attempt, result in tasks:
            index = attempt.index
            package = team.packages[index]
            if isinstance(result, WorkerDied):
                how = result.how
                if result.had_no_memory and team.memory is not None:
                    following = attempt.next(package, result.path)
                    if following is not None:
                        waiting.appendleft(following)
                        continue
                    how = f"took more than {mebibytes(team.memory)} of memory"
                result = on_lost(package, how)
            del left[index]
            yield index, result
    except OSError:  # the system cannot start a process
        yield from ((index, check(team.packages[index], 1)) for index in left)


def _check_at(team: _Team, check: Callable[[Item, int], Outcome], attempt: _Attempt) -> Outcome:
    from extlint.processes.workers import send_message, work_of_process

    note_files_in(work_of_process())
    package = team.packages[attempt.index]
    if attempt.left_out and isinstance(package, Package) and team.memory is not None:
        package = PackageWithout(package, attempt.left_out, team.memory)
    jobs = team.jobs_of[attempt.index]
    if len(team.packages) > 1:
        return check(package, jobs)
    with reporting_progress(lambda what, size: send_message((what, size))):
        return check(package, jobs)
