"""The process from which all workers are forked.

It has loaded everything that a check requires, so a worker starts in milliseconds. A worker does one task,
with limits that the system enforces, and ends; so no upload meets another. The service sends tasks through a
socket, each with the descriptors of its files. When the service ends, the socket closes, and everything ends.
"""

from __future__ import annotations

import gc
import json
import math
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.json import decode

from extlint.processes.contained import (
    ProcessLimits,
    describe_status,
    how_ended,
    limit_process,
    peak_memory,
)
from extlint.processes.workers import signals_blocked
from extlint.services.serve.settings import (
    SECONDS_BEFORE_OVERLOAD,
    SECONDS_OF_IDLE_CHECK,
    SECONDS_OF_SHORT_CHECK,
    NurserySettings,
    Task,
)
from extlint.services.serve.work import warm_up, work

MAX_FILES = 3
"""Files that come with a task: two uploads, and the answer."""

_LENGTH_BYTES = 4
_END = object()


class _Worker(Struct):
    """A worker with a task. `ended_by` is the reason why it was killed.

    At `next_step` it yields to others, and becomes long, if one more can be. At `deadline` its time is over.
    """

    number: int
    started: float
    deadline: float
    next_step: float
    yields: bool = False
    is_long: bool = False
    ended_by: str | None = None


class Nursery:
    """Forks a worker for each task, ends those whose time is over, and reports how each ended."""

    def __init__(self, service: socket.socket, settings: NurserySettings, config: str) -> None:
        self._service = service
        self._limits = settings.limits
        self._max_long = settings.max_long
        self._config = config
        self._workers: dict[int, _Worker] = {}
        self._wake, wake = socket.socketpair()
        self._wake.setblocking(False)
        wake.setblocking(False)
        self._wake_end = wake
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)

    def run(self) -> None:
        """Works until the service closes its end of the socket."""
        steps = warm_up(self._config)
        next(steps)
        self._report({"ready": True})
        is_warm = False
        while True:
            seconds = self._seconds_left() if is_warm else 0
            ready, _, _ = select.select([self._service, self._wake], [], [], seconds)
            if not (is_warm or ready):
                is_warm = next(steps, _END) is _END
            if self._wake in ready:
                with suppress(BlockingIOError):
                    self._wake.recv(4096)
            self._reap()
            self._look_at_times()
            if self._service in ready and not self._serve_one():
                break
        for process in self._workers:
            os.kill(process, signal.SIGKILL)

    def _seconds_left(self) -> float | None:
        times = [
            each.deadline if each.is_long else min(each.next_step, each.deadline)
            for each in self._workers.values()
            if each.ended_by is None
        ]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _serve_one(self) -> bool:
        """Reads a task and starts its worker. Returns false if the service has closed the socket."""
        data, files, _, _ = socket.recv_fds(self._service, _LENGTH_BYTES, MAX_FILES)
        if len(data) < _LENGTH_BYTES:
            return False
        message = json.loads(_read(self._service, int.from_bytes(data, "big")))
        number = message["id"]
        if "task" in message:
            self._start(number, decode(json.dumps(message["task"]), type=Task), files)
        else:
            for process, worker in self._workers.items():
                if worker.number == number:
                    os.kill(process, signal.SIGKILL)
        for each in files:
            os.close(each)
        return True

    def _start(self, number: int, task: Task, files: list[int]) -> None:
        with signals_blocked():  # until a worker has its own reactions to them
            try:
                process = os.fork()
            except OSError as error:
                self._report({"id": number, "how": "died", "detail": f"cannot start: {error.strerror}"})
                return
            if process == 0:
                self._become_worker(task, files)
        now = time.monotonic()
        times = (now, now + self._limits.wall, now + SECONDS_OF_SHORT_CHECK)
        self._workers[process] = _Worker(number, *times)

    def _become_worker(self, task: Task, files: list[int]) -> NoReturn:
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            for each in (self._service, self._wake, self._wake_end):
                each.close()
            limits = self._limits
            limit_process(ProcessLimits(limits.cpu, limits.wall, limits.memory, limits.answer))
            *uploads, answer = files
            work(task, uploads, answer, self._limits, self._config)
            status = 0
        except BaseException:  # the process must not return to the code of its parent
            if os.environ.get("EXTLINT_DEBUG"):
                import traceback

                traceback.print_exc()
        finally:
            os._exit(status)

    def _reap(self) -> None:
        while self._workers:
            try:
                process, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if process == 0:
                return
            worker = self._workers.pop(process, None)
            if worker is not None:
                how = worker.ended_by or how_ended(status, peak_memory(usage), self._limits.memory)
                self._report({"id": worker.number, "how": how, "detail": describe_status(status)})

    def _look_at_times(self) -> None:
        """Kills the workers whose time is over, and lets the short ones go before those that take long."""
        now = time.monotonic()
        for process, worker in self._workers.items():
            if worker.ended_by is not None:
                continue
            if worker.deadline <= now:
                self._kill(process, "wall")
            elif not worker.is_long and worker.next_step <= now:
                left = SECONDS_OF_SHORT_CHECK - _processor_seconds(process)
                if not worker.yields and left > 0 and now < worker.started + SECONDS_OF_IDLE_CHECK:
                    worker.next_step = now + left
                    continue
                if not worker.yields:
                    os.setpriority(os.PRIO_PROCESS, process, 19)
                    worker.yields = True
                worker.next_step = self._next_place(now)
                if worker.next_step <= now:
                    worker.is_long = True
                    self._report({"id": worker.number, "how": "long", "detail": ""})

    def _next_place(self, now: float) -> float:
        """Returns when one more check can be long: now, if another can be ended for it."""
        long = [key for key, each in self._workers.items() if each.is_long and each.ended_by is None]
        if len(long) < self._max_long:
            return now
        oldest = min(long, key=lambda each: self._workers[each].started)
        free = self._workers[oldest].started + SECONDS_BEFORE_OVERLOAD
        if free <= now:
            self._kill(oldest, "overload")
        return free

    def _kill(self, process: int, reason: str) -> None:
        self._workers[process].ended_by = reason
        os.kill(process, signal.SIGKILL)

    def _report(self, message: dict[str, Any]) -> None:
        with suppress(OSError):  # the service has ended, as reading will show
            self._service.sendall(json.dumps(message).encode() + b"\n")


def _read(stream: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        part = stream.recv(count - len(found))
        if not part:
            raise SystemExit(1)
        found += part
    return found


def _processor_seconds(process: int) -> float:
    """Returns the processor time of a process, or infinity if the system does not say."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return math.inf
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Runs the process: its arguments are a descriptor, the settings, and the configuration file."""
    descriptor, settings, config = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # reaches all processes of a terminal
    gc.disable()  # a worker ends before it pays
    try:
        Nursery(socket.socket(fileno=int(descriptor)), decode(settings, type=NurserySettings), config).run()
    except Exception as error:
        if os.environ.get("EXTLINT_DEBUG"):
            raise
        sys.stderr.write(f"extlint: the process that starts workers fails: {type(error).__name__}: {error}\n")
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main()
