"""Runs a function in a child process, with limits that the system enforces."""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from msgspec import Struct

from extlint.processes.resources import limit_memory

if sys.platform != "win32":
    import resource

MAX_OPEN_FILES = 64

_PART = 1 << 16
_OUT_OF_MEMORY = frozenset(
    getattr(signal, name) for name in ("SIGABRT", "SIGSEGV", "SIGBUS") if hasattr(signal, name)
)


class ProcessLimits(Struct, frozen=True):
    """The limits of a child process.

    `cpu` and `wall` are seconds. The others are bytes: of the memory that it may take in addition to its
    parent's, and of its output, or of each file that it writes.
    """

    cpu: int
    wall: int
    memory: int
    output: int


class Ended(Struct, frozen=True):
    """The end of a child process.

    `how` is `done`, the limit that it exceeded, or `died`; `detail` describes how the system ended it.
    `output` is what it returned, `seconds` the processor time, and `memory` the most bytes of memory that it
    had at any time.
    """

    how: str
    detail: str
    output: bytes
    seconds: float
    memory: int


def run_contained(work: Callable[[], bytes], limits: ProcessLimits) -> Ended:
    """Runs a function in a child process, and returns its result, or the reason for a failure.

    The calling process must have only one thread. Raises OSError if the system cannot start a process.
    """
    ours, theirs = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(ours)
        os.close(theirs)
        raise
    if process == 0:
        os.close(ours)
        _become_child(work, theirs, limits)
    os.close(theirs)
    try:
        output, stopped_by = _read_all(ours, limits)
    finally:
        os.close(ours)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)  # it has ended, or must
        _, status, usage = os.wait4(process, 0)
    peak = peak_memory(usage)
    how = stopped_by or how_ended(status, peak, limits.memory)
    if how == "done" and not output:
        how = "died"
    seconds = usage.ru_utime + usage.ru_stime
    return Ended(how, describe_status(status), output if how == "done" else b"", seconds, peak)


def _read_all(pipe: int, limits: ProcessLimits) -> tuple[bytes, str | None]:
    """Reads the output of a child until it ends, and returns it with the limit that it exceeded, if any."""
    parts: list[bytes] = []
    size = 0
    deadline = time.monotonic() + limits.wall
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return b"", "wall"
        part = os.read(pipe, _PART)
        if not part:
            return b"".join(parts), None
        parts.append(part)
        size += len(part)
        if size > limits.output:
            return b"", "output"


def _become_child(work: Callable[[], bytes], pipe: int, limits: ProcessLimits) -> NoReturn:
    status = 1
    try:
        gc.disable()  # the process ends before it pays
        limit_process(limits)
        found = work()
        with open(pipe, "wb", closefd=False) as stream:
            stream.write(found)
        status = 0
    except BaseException:  # the process must not return to the code of its parent
        if os.environ.get("EXTLINT_DEBUG"):
            import traceback

            traceback.print_exc()
    finally:
        os._exit(status)


def limit_process(limits: ProcessLimits) -> None:
    """Limits this process. The memory that it has already does not count."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.output, limits.output))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    limit_memory(limits.memory)


def how_ended(status: int, peak: int, memory: int) -> str:
    """Returns `done`, `died`, or the limit that a child has exceeded.

    `status` is its wait status, `peak` the most bytes of memory that it had, and `memory` its limit.
    """
    if os.WIFEXITED(status):
        return "done" if os.WEXITSTATUS(status) == 0 else "died"
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return "cpu"
    return "memory" if number in _OUT_OF_MEMORY and peak > memory * 0.6 else "died"


def peak_memory(usage: resource.struct_rusage) -> int:
    """Returns the most bytes of memory that a process had, by its resource usage."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def describe_status(status: int) -> str:
    """Describes a wait status in a few words."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return (signal.strsignal(number) or f"signal {number}").lower()
    return f"exit status {os.WEXITSTATUS(status)}"
