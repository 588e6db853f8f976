"""Runs extlint in separate processes, for tests of its behavior as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
if __name__ == "__main__":
    PARENT = os.getpid()
{before}
    sys.exit(main())
"""


def extlint_command(before: str = "") -> list[str]:
    """Returns the command for extlint with statements before it, written to a file in the current folder."""
    indented = "".join(f"    {line}\n" for line in before.splitlines())
    Path("run.py").write_text(MAIN_SCRIPT.format(before=indented))
    return [sys.executable, str(Path("run.py").absolute())]


def environment(**more: str) -> dict[str, str]:
    """Returns the environment for a new process that can import the same modules as this one."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each), **more}


def run_extlint(*arguments: str, before: str = "", **more: str) -> tuple[int, str, str]:
    """Returns the exit status, output and errors of a run, which ends when no worker has its output open."""
    found = subprocess.run(
        [*extlint_command(before), *arguments],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env=environment(**more),
        check=False,
        timeout=MAX_SECONDS,
    )
    return found.returncode, found.stdout, found.stderr
