"""Resources of a process: processors, memory and files, their limits, and cleanup if it is stopped.

The system may end a process with a limit at any point, often in code that is not Python's. So it notes each
file before it works on it, in memory that it shares with its parent process.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from posixpath import dirname

_CONTROL_GROUPS = "/sys/fs/cgroup"
_OWN_GROUP = "/proc/self/cgroup"


def available_processors(groups: str = _CONTROL_GROUPS, own: str = _OWN_GROUP) -> int:
    """Returns the number of processors that this process may run on, or fewer if a container limits its time.

    Linux states the limit in the files below `groups` (version 2 of control groups), and this process's group
    in `own`.
    """
    count = _schedulable()
    limit = min(_limits(groups, own), default=count)
    return max(1, min(count, round(limit)))


def _schedulable() -> int:
    if hasattr(os, "process_cpu_count"):  # since Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _limits(groups: str, own: str) -> list[float]:
    """Returns the limits of this process's group and of its parent groups, in processors."""
    try:
        lines = _text(own).splitlines()
    except OSError:
        return []
    group = next((line.removeprefix("0::") for line in lines if line.startswith("0::/")), None)
    found = []
    while group is not None:
        limit = _limit_in(f"{groups}{group.rstrip('/')}/cpu.max")
        if limit is not None:
            found.append(limit)
        group = dirname(group) if group != "/" else None
    return found


def _limit_in(file: str) -> float | None:
    """Returns the processors that a `cpu.max` grants (microseconds of work in each period, or `max`).

    Returns None if unlimited.
    """
    try:
        work, period = _text(file).split()
        return int(work) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _text(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace") as stream:
        return stream.read()


if sys.platform != "win32":
    import resource

MAX_NOTE_BYTES = 4096
"""Bytes of the longest path that is noted, which is the longest that Linux opens."""

OUT_OF_MEMORY = 71
"""The exit status of a process in which Python could not get memory."""

_LENGTH_BYTES = 2


class Note:
    """A text that a child process writes, and that its parent process reads, also after an abrupt end."""

    def __init__(self) -> None:
        from mmap import mmap

        self._shared = mmap(-1, _LENGTH_BYTES + MAX_NOTE_BYTES)

    def write(self, text: str) -> None:
        """Replaces the text, by none if it is longer than `MAX_NOTE_BYTES`."""
        data = text.encode("utf-8", "surrogateescape")
        if len(data) > MAX_NOTE_BYTES:
            data = b""
        self._shared[: _LENGTH_BYTES + len(data)] = len(data).to_bytes(_LENGTH_BYTES, "big") + data

    def read(self) -> str:
        """Returns the text, which is empty at first."""
        size = int.from_bytes(self._shared[:_LENGTH_BYTES], "big")
        return self._shared[_LENGTH_BYTES : _LENGTH_BYTES + size].decode("utf-8", "surrogateescape")

    def close(self) -> None:
        """Frees the memory."""
        self._shared.close()


class Work:
    """The files that a process is working on; work on each of them requires work on the next one."""

    def __init__(self, note: Note) -> None:
        """`note` contains the current file, for the parent process."""
        self._note = note
        self._process = os.getpid()
        self._paths: list[str] = []

    def begin(self, path: str) -> None:
        """Notes that work on a file begins."""
        self._paths.append(path)
        self._note_current()

    def end(self) -> None:
        """Notes that work on the last file ends, and that on the one before continues."""
        self._paths.pop()
        self._note_current()

    def give_up(self) -> None:
        """Ends the process, which has no memory left. Does nothing in a copy of it."""
        if os.getpid() == self._process:
            os._exit(OUT_OF_MEMORY)

    def _note_current(self) -> None:
        if os.getpid() == self._process:
            self._note.write(self._paths[-1] if self._paths else "")


def limit_memory(size: int) -> None:
    """Limits the memory of this process, in bytes, in addition to what it has already. Only Linux does so.

    A lower limit that it has already stays.
    """
    if sys.platform == "linux":
        most = _own_size() + size
        known = [each for each in resource.getrlimit(resource.RLIMIT_AS) if each != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min(most, *known),) * 2 if known else (most, most))


def begin_limited_work(size: int, note: Note) -> Work:
    """Limits the memory of this process, and returns its work.

    Libraries that get no memory end the process with a message of their own on standard error. It is not
    shown, as the parent process reports what happened.
    """
    limit_memory(size)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 2)
    os.close(silent)
    return Work(note)


def is_out_of_memory(status: int | None, path: str) -> bool:
    """Whether a limited process had no memory left, by its end and the file that it was working on, if any.

    `status` is its exit status or -signal. Libraries that get no memory abort, or use what they did not get:
    measured with four costly files and limits of 6 to 50 MB, 15 of 25 ended by a segmentation fault.
    """
    import signal

    signals = (-signal.SIGSEGV, -signal.SIGBUS) if path else ()
    return status in (OUT_OF_MEMORY, -signal.SIGABRT, *signals)


def _own_size() -> int:
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[0]) * resource.getpagesize()


_TOO_MANY_FILES = "too many open files; raise the limit of this process"
_NO_MEMORY = "not enough memory; raise the limit of this process, or end others"
_SIGNS = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""Parts of the messages of libraries and threads that could not get memory."""


def shortage(error: BaseException) -> str | None:
    """Returns the sentence about an error that means a shortage, or None for any other error."""
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return _TOO_MANY_FILES
    return _NO_MEMORY if is_shortage_of_memory(error) else None


def is_shortage_of_memory(error: BaseException) -> bool:
    """Whether an error means that this process got no memory."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    text = str(error).lower()
    return any(sign in text for sign in _SIGNS)


def require_descriptors(count: int) -> None:
    """Raises OSError unless this process can open so many more files."""
    opened: list[int] = []
    try:
        while len(opened) < count:
            opened.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for each in opened:
            os.close(each)


def memory_limit() -> int | None:
    """Returns the most memory that this process may have, in bytes, or None if it is not limited."""
    if sys.platform == "win32":
        return None
    from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

    limit, _ = getrlimit(RLIMIT_AS)
    return None if limit == RLIM_INFINITY else limit


def stack_depth() -> int:
    """Returns how many functions of Python have called each other to get here."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


_actions: dict[object, Callable[[], object]] = {}


@contextmanager
def run_on_stop(action: Callable[[], object]) -> Iterator[None]:
    """Runs an action if the run is stopped in the block, at any point."""
    key = object()
    _actions[key] = action
    try:
        yield
    finally:
        _actions.pop(key, None)


def run_stop_actions() -> None:
    """Runs all registered actions, ignoring errors, in a process that ends without a normal shutdown."""
    while _actions:
        _, action = _actions.popitem()
        with suppress(Exception):
            action()
