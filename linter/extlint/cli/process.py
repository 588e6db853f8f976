"""The process of a run: its exit status, signals that stop it, and standard streams that are closed."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from extlint.processes.resources import run_stop_actions

_STOPPED_BY = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminated"}
"""The signals that stop a run, if the system has them, and the message for the user."""


def handle_signals() -> None:
    """Makes signals stop this process at once, with one line, and without leaving anything unfinished.

    Python may call the handler of a signal anywhere, even where exceptions are dropped or converted. So it
    raises none. A signal that the parent process had set to be ignored stays ignored.
    """
    owner = os.getpid()

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        if os.getpid() == owner:
            run_stop_actions()
            with suppress(OSError):
                os.write(2, f"extlint: {_STOPPED_BY[signal.Signals(number).name]}\n".encode())
        os._exit(STOPPED + number)

    for name in _STOPPED_BY:
        number = getattr(signal, name, None)
        with suppress(ValueError):  # not in the main thread
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, stop)


def ignore_signals() -> None:
    """Lets Python exit undisturbed: all work is done."""
    for name in _STOPPED_BY:
        number = getattr(signal, name, None)
        with suppress(ValueError):
            if number is not None:
                signal.signal(number, signal.SIG_IGN)


def exit_process(status: int) -> None:
    """Exits immediately, except under a tracer, which requires a normal interpreter shutdown.

    Python frees all objects one by one, which takes an eighth of a short run. The system does it at once.
    """
    if sys.gettrace() is None and sys.getprofile() is None:
        run_stop_actions()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(status)


def open_closed_streams() -> None:
    """Opens standard streams that are closed, so that no other file takes their place.

    Reading or writing them fails with the error of a closed stream.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            # Opened in the wrong direction, so that each use of it fails.
            descriptor = os.open(os.devnull, os.O_WRONLY if mode == "r" else os.O_RDONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="backslashreplace"))  # noqa: SIM115


SUCCESS = 0
"""Everything was done, and nothing was found at or above the fail level."""

FOUND = 1
"""Something was found at or above the fail level."""

FAILED = 2
"""Something could not be done."""

STOPPED = 128
"""The base of the status of a run stopped by a signal: its number is added, as in shells."""

INTERRUPTED = STOPPED + 2
"""Ctrl-C stopped the run."""
