"""Worker processes: one function done for many tasks, in several processes at the same time."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from msgspec import Struct

from extlint.processes.stopping import when_stopped

Task = TypeVar("Task")
Result = TypeVar("Result")

MAX_WORKERS = 60
"""Windows waits for at most 63 processes at once."""

MAX_SECONDS_TO_END = 5
"""How long a worker that is done with its connection may take to end."""


class Lost(Struct, frozen=True):
    """What a task has in place of a result if its worker ended while it did it; `how` it ended."""

    how: str


def results_of(
    do: Callable[[Task], Result], following: Callable[[int], Task | None], workers: int
) -> Iterator[tuple[Task, Result | Lost]]:
    """Does tasks in so many worker processes: the tasks with their results, as they get done.

    `following` gives the next task for a worker that is free, by its number; None if there is none, or none
    before another one is done. Tasks and results are pickled, and so is `do` where processes cannot be
    forked; it must not raise. A worker that ends costs the task that it was at, and another one takes its
    place, with a number of its own. None outlives the iterator. Raises OSError if the system starts none.
    """
    team = _Team(do, following, min(workers, MAX_WORKERS))
    with when_stopped(team.kill):
        try:
            yield from team.results()
        finally:
            team.dismiss()


class _Team(Generic[Task, Result]):
    """The workers of a run. `_busy` has the task that each of them is at."""

    def __init__(
        self, do: Callable[[Task], Result], following: Callable[[int], Task | None], size: int
    ) -> None:
        self._do = do
        self._following = following
        self._size = size
        self._forks = _may_fork()
        self._context = get_context("fork") if self._forks else get_context("spawn")
        self._workers: list[_Worker] = []
        self._busy: dict[_Worker, Task] = {}
        self._started = 0

    def results(self) -> Iterator[tuple[Task, Result | Lost]]:
        gc.freeze()  # what is there is shared with forked workers as long as nobody touches it
        self._employ()
        while self._busy:
            yield from self._done()
            self._employ()

    def _employ(self) -> None:
        """Gives each worker that is free a task, and starts more while there are too few."""
        while len(self._busy) < self._size:
            free = next((each for each in self._workers if each not in self._busy), None)
            task = self._following(self._started if free is None else free.number)
            if task is None:
                break
            self._give(self._start() if free is None else free, task)

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        # A forked worker has copies of these, which would keep others waiting once this process is gone.
        copies = [each.connection for each in self._workers] + [ours]
        inherited = copies if self._forks else []
        process = self._context.Process(target=_serve, args=(theirs, self._do, inherited), name="extlint")
        worker = _Worker(process, ours, self._started)
        self._started += 1
        with _signals_held():
            process.start()
            self._workers.append(worker)
        theirs.close()
        return worker

    def _give(self, worker: _Worker, task: Task) -> None:
        self._busy[worker] = task
        with suppress(OSError):  # it has ended, as reading from it will tell
            worker.connection.send(task)

    def _done(self) -> Iterator[tuple[Task, Result | Lost]]:
        """What the workers have to say that have something to say; waits for one of them."""
        by_connection = {each.connection: each for each in self._busy}
        for connection in wait([*by_connection]):
            worker = by_connection[connection]  # type: ignore[index]
            task = self._busy.pop(worker)
            try:
                result = worker.connection.recv()
            except (EOFError, OSError):
                self._workers.remove(worker)
                how = worker.how_it_ended()
                worker.end()
                yield task, Lost(how)
            else:
                yield task, result

    def kill(self) -> None:
        for worker in self._workers:
            worker.kill()

    def dismiss(self) -> None:
        for worker in self._workers:
            worker.end()
        gc.unfreeze()


class _Worker:
    """A worker process, and the connection to it. The first has the number 0."""

    def __init__(self, process: BaseProcess, connection: Connection, number: int) -> None:
        self.connection = connection
        self.number = number
        self._process = process

    def end(self) -> None:
        """Ends the process, whatever it is at."""
        self.connection.close()
        self._process.kill()
        self._process.join()

    def kill(self) -> None:
        """Ends the process without waiting for its end."""
        self._process.kill()

    def how_it_ended(self) -> str:
        """What became of a process that ends by itself."""
        self._process.join(MAX_SECONDS_TO_END)
        status = self._process.exitcode
        if status is None or status >= 0:
            return f"exited with status {status or 0}"
        name = signal.strsignal(-status) or f"signal {-status}"
        hint = "; the system may have run out of memory" if name == "Killed" else ""
        return f"ended abruptly ({name.lower()}){hint}"


def _serve(connection: Connection, do: Callable[[Task], object], inherited: Sequence[Connection]) -> None:
    """What a worker does until the process that started it, or its end of the connection, is gone."""
    _take_own_signals()
    for each in inherited:
        each.close()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        result = do(task)
        try:
            connection.send(result)
        except OSError:
            return


def _may_fork() -> bool:
    """Forking takes milliseconds, but is safe only on Linux, and only without threads."""
    return sys.platform == "linux" and threading.active_count() == 1


_STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def _signals_held() -> Iterator[None]:
    """Keeps signals that stop a run from a process that has just been started, and is not known yet."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _take_own_signals() -> None:
    """Ctrl-C, which reaches all processes of a terminal, is for the process that started this one."""
    for number in _STOPPING:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
