"""The child process: runs `extlint check` many times, and reports the result and cost of each run.

It imports only extlint and Python's own modules, so that it also runs where another version is installed:
`PYTHON worker.py FOLDER`. Each line of its standard input is a request in JSON, and each line of its standard
output the response. The output of a run, including that of its child processes, goes to files in FOLDER.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import io
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any, TextIO

MAX_OUTPUT_BYTES = 64 * 1024 * 1024
"""The maximum size of the output of a run, in bytes."""


def main(folder: str) -> None:
    """Serves requests until the end of the input."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.path.join(folder, name)  # noqa: PTH118
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
    faulthandler.register(signal.SIGPROF, file=2, chain=True)
    for line in requests:
        request = json.loads(line)
        for name, value in request.get("constants", {}).items():
            _set_constant(name, value)
        if "memory" in request:
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            soft = request["memory"] if hard == resource.RLIM_INFINITY else min(request["memory"], hard)
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        os.chdir(request["root"])
        answers.write(json.dumps(run(request["arguments"], request["seconds"])) + "\n")
        answers.flush()


def _set_constant(name: str, value: object) -> None:
    """Overrides a constant of a module, if this version of extlint has it."""
    module, _, constant = name.rpartition(".")
    with contextlib.suppress(ImportError):
        found = importlib.import_module(module)
        if hasattr(found, constant):
            setattr(found, constant, value)


def run(arguments: list[str], seconds: float) -> dict[str, Any]:
    """Runs extlint once. After `seconds` of CPU time the process is killed, leaving a traceback."""
    from extlint.cli.main import main as extlint

    for number in (1, 2):
        os.ftruncate(number, 0)
        os.lseek(number, 0, os.SEEK_SET)
    failure = None
    status = None
    before, started = _reset_peak(), _cpu()
    with _streams():
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            status = extlint(arguments)
        except BaseException:
            failure = traceback.format_exc()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    spent = _cpu() - started
    return {
        "status": status,
        "failure": failure,
        "stdout": _read_output(1),
        "stderr": _read_output(2),
        "cpu": spent,
        "memory": None if before is None else max(_peak() - before, 0),
    }


@contextlib.contextmanager
def _streams() -> Iterator[None]:
    """Replaces the standard streams by new ones, as at the start of a program."""
    own: tuple[TextIO, TextIO] = (sys.stdout, sys.stderr)
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8") for number in (1, 2)
    )
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(ValueError, OSError):
                stream.flush()
        sys.stdout, sys.stderr = own


def _read_output(number: int) -> str:
    os.lseek(number, 0, os.SEEK_SET)
    found = b""
    while len(found) < MAX_OUTPUT_BYTES and (part := os.read(number, 1 << 20)):
        found += part
    return found.decode("utf-8", "backslashreplace")


def _cpu() -> float:
    """Returns the seconds of CPU time of this process and its finished children."""
    time.sleep(0)
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _reset_peak() -> int | None:
    """Resets the memory peak, and returns the bytes of memory in use.

    Returns None if the system does not report them.
    """
    try:
        with open("/proc/self/clear_refs", "w") as file:  # noqa: PTH123
            file.write("5")
        return _status("VmRSS")
    except OSError:
        return None


def _peak() -> int:
    return _status("VmHWM")


def _status(name: str) -> int:
    with open("/proc/self/status") as file:  # noqa: PTH123
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(f"{name}:"))


if __name__ == "__main__":
    main(sys.argv[1])
