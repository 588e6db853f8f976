"""Worker processes: runs one function for many tasks in several processes."""

from __future__ import annotations

import gc
import os
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

from extlint.processes.resources import Note, Work, begin_limited_work, is_out_of_memory, run_on_stop

Task = TypeVar("Task")
Result = TypeVar("Result")

MAX_WORKERS = 60
"""Windows waits for at most 63 processes at once."""

MAX_SECONDS_TO_END = 5
"""Seconds that a worker may take to end after closing its connection."""


SECONDS_BETWEEN_CALLS = 1.0
"""Seconds between two calls of a function that is called while tasks run."""


class WorkerDied(Struct, frozen=True):
    """Replaces the result of a task whose worker died; `how` is the way it ended.

    `had_no_memory` is true if it reached the limit of its memory, and `path` is then the file that it was
    working on, or empty.
    """

    how: str
    had_no_memory: bool = False
    path: str = ""


class _Message(Struct, frozen=True):
    """A message that a worker sends during a task."""

    content: object


def run_tasks(
    do: Callable[[Task], Result],
    next_task: Callable[[int], Task | None],
    workers: int,
    on_wait: Callable[[], None] | None = None,
    memory: int | None = None,
    on_message: Callable[[object], None] = lambda _: None,
) -> Iterator[tuple[Task, Result | WorkerDied]]:
    """Runs tasks in `workers` worker processes, and yields each task with its result as it finishes.

    `next_task` returns the task for a free worker, by the worker's number, or None if no task is available,
    or none until another one finishes. Tasks and results are pickled, and so is `do` where processes cannot
    be forked; it must not raise. If a worker dies, only its current task is lost, and a new worker with its
    own number replaces it. No worker outlives the iterator. `on_wait` is called at least each second while no
    task finishes. `memory` limits each forked worker, in bytes, in addition to what it has at its start.
    `on_message` receives what workers send by `send_message`. Raises OSError if the system cannot start a
    process.
    """
    team = _WorkerPool(do, next_task, min(workers, MAX_WORKERS), on_wait, memory, on_message)
    with run_on_stop(team.kill):
        try:
            yield from team.results()
        finally:
            team.shut_down()


def can_limit_memory() -> bool:
    """Whether `run_tasks` can limit the memory of workers: on Linux, in a process without threads."""
    return _may_fork()


class _WorkerPool(Generic[Task, Result]):
    """The workers of a run. `_busy` maps each of them to its current task."""

    def __init__(
        self,
        do: Callable[[Task], Result],
        next_task: Callable[[int], Task | None],
        size: int,
        on_wait: Callable[[], None] | None,
        memory: int | None,
        on_message: Callable[[object], None],
    ) -> None:
        self._do = do
        self._on_wait = on_wait
        self._memory = memory
        self._on_message = on_message
        self._next_task = next_task
        self._size = size
        self._forks = _may_fork()
        self._context = get_context("fork") if self._forks else get_context("spawn")
        self._workers: list[_Worker] = []
        self._busy: dict[_Worker, Task] = {}
        self._started = 0

    def results(self) -> Iterator[tuple[Task, Result | WorkerDied]]:
        gc.freeze()  # objects stay shared with forked workers until they are modified
        self._assign_tasks()
        while self._busy:
            yield from self._finished_tasks()
            self._assign_tasks()

    def _assign_tasks(self) -> None:
        """Assigns a task to each free worker, and starts more workers up to the limit."""
        while len(self._busy) < self._size:
            free = next((each for each in self._workers if each not in self._busy), None)
            task = self._next_task(self._started if free is None else free.number)
            if task is None:
                break
            self._send(self._start() if free is None else free, task)

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        # A forked worker inherits these, which would keep others waiting once this process ends.
        copies = [each.connection for each in self._workers] + [ours]
        inherited = copies if self._forks else []
        limit = None if self._memory is None or not self._forks else _Limit(self._memory, Note())
        arguments = theirs, self._do, inherited, limit
        process = self._context.Process(target=_serve, args=arguments, name="extlint")
        worker = _Worker(process, ours, self._started, None if limit is None else limit.note)
        self._started += 1
        with signals_blocked():
            process.start()
            self._workers.append(worker)
        theirs.close()
        return worker

    def _send(self, worker: _Worker, task: Task) -> None:
        self._busy[worker] = task
        with suppress(OSError):  # the worker has ended, as reading from it will show
            worker.connection.send(task)

    def _finished_tasks(self) -> Iterator[tuple[Task, Result | WorkerDied]]:
        """Waits for a worker, and yields the available results."""
        by_connection = {each.connection: each for each in self._busy}
        while not (ready := wait([*by_connection], None if self._on_wait is None else SECONDS_BETWEEN_CALLS)):
            if self._on_wait is not None:
                self._on_wait()
        for connection in ready:
            worker = by_connection[connection]  # type: ignore[index]
            try:
                result = worker.connection.recv()
            except (EOFError, OSError):
                self._workers.remove(worker)
                result = worker.died()
                worker.end()
            if isinstance(result, _Message):
                self._on_message(result.content)
            else:
                yield self._busy.pop(worker), result

    def kill(self) -> None:
        for worker in self._workers:
            worker.kill()

    def shut_down(self) -> None:
        for worker in self._workers:
            worker.end()
        gc.unfreeze()


class _Limit(Struct, frozen=True):
    """The most memory of a worker in bytes, and where it notes the file that it is working on."""

    memory: int
    note: Note


class _Worker:
    """A worker process, and the connection to it. The first has the number 0."""

    def __init__(self, process: BaseProcess, connection: Connection, number: int, note: Note | None) -> None:
        self.connection = connection
        self.number = number
        self._process = process
        self._note = note

    def end(self) -> None:
        """Ends the process, even during a task."""
        self.connection.close()
        self._process.kill()
        self._process.join()
        if self._note is not None:
            self._note.close()

    def kill(self) -> None:
        """Ends the process, and the workers that it has started, without waiting for their end."""
        helpers = _children(self._process.pid)
        self._process.kill()
        for each in helpers:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def died(self) -> WorkerDied:
        """Describes the end of a process that ended by itself."""
        how = self._exit_description()
        path = "" if self._note is None else self._note.read()
        if self._note is None or not is_out_of_memory(self._process.exitcode, path):
            return WorkerDied(how)
        return WorkerDied(how, had_no_memory=True, path=path)

    def _exit_description(self) -> str:
        self._process.join(MAX_SECONDS_TO_END)
        status = self._process.exitcode
        if status is None or status >= 0:
            return f"exited with status {status or 0}"
        name = signal.strsignal(-status) or f"signal {-status}"
        hint = "; the system may have run out of memory" if name == "Killed" else ""
        return f"ended abruptly ({name.lower()}){hint}"


def _children(process: int | None) -> Sequence[int]:
    """Returns the processes that a process has started, if the system lists them, as Linux does."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as stream:
            return [int(each) for each in stream.read().split()]
    except OSError:
        return ()


_parent: Connection | None = None
_work: Work | None = None


def work_of_process() -> Work | None:
    """Returns the work of this process if it is a worker whose memory is limited."""
    return _work


def send_message(content: object) -> None:
    """Sends a message from a worker to the process that started it."""
    if _parent is not None:
        with suppress(OSError):
            _parent.send(_Message(content))


def _serve(
    connection: Connection,
    do: Callable[[Task], object],
    inherited: Sequence[Connection],
    limit: _Limit | None,
) -> None:
    """Runs tasks until the parent process, or its end of the connection, closes."""
    global _parent, _work
    _reset_signals()
    _parent = connection
    for each in inherited:
        each.close()
    if limit is not None:
        _work = begin_limited_work(limit.memory, limit.note)
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
    """Whether to fork. Forking takes milliseconds, but is safe only on Linux, and only without threads."""
    return sys.platform == "linux" and threading.active_count() == 1


_STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Blocks the signals that stop a run while a new process is not registered yet."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _reset_signals() -> None:
    """Ignores Ctrl-C, which reaches all processes of a terminal and is handled by the parent process."""
    for number in _STOPPING:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
