"""Runs extlint in separate processes, for tests of its behavior as a process.

Most of them are forked from a process that has loaded extlint: see `nurseries`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import Any

if sys.platform == "linux":
    from nurseries import fork

MAX_SECONDS = 120
"""The number of seconds after which a hanging process fails its test."""

FORCE_WORKERS = """
from extlint.checking import jobs
jobs.MIN_WEIGHT_FOR_WORKER = jobs.MIN_WEIGHT_TO_DIVIDE = 1
"""
"""Statements that make a program start worker processes for any amount of work."""

MAIN_SCRIPT = """
import os, signal, sys
from extlint.cli.main import main
from replaced_parts import loaded_parts, replace_in_all_modules
if __name__ == "__main__":
    PARENT = os.getpid()
    PARTS = loaded_parts()
{before}
    replace_in_all_modules(PARTS)
    sys.exit(main())
"""


def extlint_command(before: str = "", folder: Path | None = None) -> list[str]:
    """Returns the command for extlint with statements before it, written to a file in a folder.

    By default, that is the current folder.
    """
    indented = "".join(f"    {line}\n" for line in before.splitlines())
    program = (folder or Path.cwd()) / "run.py"
    program.write_text(MAIN_SCRIPT.format(before=indented))
    return [sys.executable, str(program)]


def environment(**more: str) -> dict[str, str]:
    """Returns the environment for a new process that can import the same modules as this one."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each), **more}


_OPTIONS = [*signature(subprocess.Popen._execute_child).parameters][1:]  # type: ignore[attr-defined]
PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
"""The options with the ends of the pipes of a process."""


def options_of(given: Sequence[object]) -> dict[str, Any]:
    """Returns by name what `subprocess` passes to the function that starts a process."""
    return dict(zip(_OPTIONS, given, strict=True))


class Popen(subprocess.Popen[Any]):
    """A process like those of `subprocess`, which starts sooner if its command is Python with a program.

    Nothing is different for the program, except that the modules of extlint are loaded. If the start of
    Python itself is the subject of a test, the test must use `subprocess`.
    """

    def _execute_child(self, *given: Any) -> None:
        options = options_of(given)
        process = fork(options) if sys.platform == "linux" else None
        if process is None:
            super()._execute_child(*given)  # type: ignore[misc]
            return
        self.pid = process
        self._child_created = True
        self._close_pipe_fds(*(options[each] for each in PIPES))  # type: ignore[attr-defined]


def run(
    command: Sequence[str | Path], *, timeout: float = MAX_SECONDS, check: bool = False, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Runs a command like `subprocess.run`, with `Popen`."""
    given = options.pop("input", None)
    if given is not None:
        options["stdin"] = subprocess.PIPE
    if options.pop("capture_output", False):
        options["stdout"] = options["stderr"] = subprocess.PIPE
    with Popen(command, **options) as process:
        try:
            output, errors = process.communicate(given, timeout)
        except BaseException:
            process.kill()
            raise
    found = subprocess.CompletedProcess(command, process.returncode, output, errors)
    if check:
        found.check_returncode()
    return found


def run_extlint(*arguments: str, before: str = "", new: bool = False, **more: str) -> tuple[int, str, str]:
    """Returns the exit status, output and errors of a run, which ends when no worker has its output open.

    A new process has loaded no modules of extlint.
    """
    found = (subprocess.run if new else run)(
        [*extlint_command(before), *arguments],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env=environment(**more),
        timeout=MAX_SECONDS,
        check=False,
    )
    return found.returncode, found.stdout, found.stderr
