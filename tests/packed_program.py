"""Runs a packed program in place of the command line, if EXTLINT_PROGRAM names one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Sequence

_PROGRAM = os.environ.get("EXTLINT_PROGRAM")

COMMAND = [sys.executable, "-m", "extlint"] if _PROGRAM is None else [_PROGRAM]
"""The command that starts extlint in a process of its own."""


def use_packed_program() -> None:
    """Replaces the command line for all tests that import it after this call.

    Tests that replace parts of extlint fail with a program, because its parts are its own.
    """
    if _PROGRAM is None:
        return
    from extlint.cli import main as module

    def run_program(arguments: Sequence[str]) -> int:
        given = sys.stdin.buffer.read() if isinstance(sys.stdin, io.TextIOWrapper) else b""
        found = subprocess.run([*COMMAND, *arguments], input=given, capture_output=True, check=False)
        for stream, content in ((sys.stdout, found.stdout), (sys.stderr, found.stderr)):
            stream.flush()
            stream.buffer.write(content)
            stream.buffer.flush()
        return found.returncode

    module.main = run_program  # type: ignore[assignment]
