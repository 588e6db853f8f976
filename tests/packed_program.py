"""Runs a packed program in place of the command line, if EXTLINT_PROGRAM names one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

_REPLACES = "it replaces parts of extlint or of Python, and a packed program has its own"

_PROGRAM = os.environ.get("EXTLINT_PROGRAM")

COMMAND = [sys.executable, "-m", "extlint"] if _PROGRAM is None else [_PROGRAM]
"""The command that starts extlint in a process of its own."""

only_of_python = pytest.mark.skipif(_PROGRAM is not None, reason="a packed program differs on purpose")
"""Marks tests of what a program does not have: the version of the checkout, and Python's variables."""


def use_packed_program() -> None:
    """Replaces the command line for all tests that import it after this call.

    Tests that replace parts of extlint, or of Python, are skipped, because a program has parts of its own.
    """
    if _PROGRAM is None:
        return
    _skip_replacements()
    from extlint.cli import main as module

    def run_program(arguments: Sequence[str]) -> int:
        if any("\0" in each for each in arguments):
            pytest.skip("no process can be given a NUL")
        given = sys.stdin.buffer.read() if isinstance(sys.stdin, io.TextIOWrapper) else b""
        found = subprocess.run([*COMMAND, *arguments], input=given, capture_output=True, check=False)
        for stream, content in ((sys.stdout, found.stdout), (sys.stderr, found.stderr)):
            stream.flush()
            stream.buffer.write(content)
            stream.buffer.flush()
        return found.returncode

    module.main = run_program  # type: ignore[assignment]


def _skip_replacements() -> None:
    """Makes `monkeypatch` skip the test if it replaces a module or a part of one, except for the streams."""
    replace, replace_item = pytest.MonkeyPatch.setattr, pytest.MonkeyPatch.setitem

    def setattr_or_skip(self: pytest.MonkeyPatch, target: Any, *rest: Any, **named: Any) -> None:
        if isinstance(target, str | ModuleType) and target is not sys:
            pytest.skip(_REPLACES)
        replace(self, target, *rest, **named)

    def setitem_or_skip(self: pytest.MonkeyPatch, mapping: Any, name: Any, value: Any) -> None:
        if mapping is sys.modules:
            pytest.skip(_REPLACES)
        replace_item(self, mapping, name, value)

    pytest.MonkeyPatch.setattr = setattr_or_skip  # type: ignore[method-assign]
    pytest.MonkeyPatch.setitem = setitem_or_skip  # type: ignore[assignment, method-assign]
