"""The cost of a command as an entire process: processor time, peak memory and wall time."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from time import perf_counter

from msgspec import Struct

MAX_SECONDS = 900
"""The timeout of a command in seconds. A command that exceeds it fails the benchmark."""

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""A variable with which each run compiles all modules, unlike that of an installed program."""


class CommandFailed(Exception):  # noqa: N818
    """A command failed or produced unexpected output."""


class Cost(Struct, frozen=True):
    """The cost of one run. `cpu` and `wall` are seconds, `memory` is the peak in MiB."""

    cpu: float
    wall: float
    memory: float
    output: bytes

    def lower(self, other: Cost) -> Cost:
        """Returns the lower of each cost of two runs, with the output of this one."""
        return Cost(
            min(self.cpu, other.cpu),
            min(self.wall, other.wall),
            min(self.memory, other.memory),
            self.output,
        )


def cost_of(command: Sequence[str], statuses: Sequence[int] = (0,)) -> Cost:
    """Returns the cost of one run of a command, including its children. Raises CommandFailed."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = perf_counter()
        limited = ["timeout", str(MAX_SECONDS), *command]
        kept = {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}
        process = subprocess.Popen(limited, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=kept)
        _, status, usage = os.wait4(process.pid, 0)
        wall = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode not in statuses:
            last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise CommandFailed(f"exit status {process.returncode} of {' '.join(command)}: {''.join(last)}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, output.read())
