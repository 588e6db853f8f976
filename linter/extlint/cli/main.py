"""The command line as the system runs it. It handles Ctrl-C, which may come early, before it imports more."""

from __future__ import annotations

import gc
import os
import sys
from _signal import SIG_IGN, SIGINT, getsignal, signal  # type: ignore[import-not-found]

from extlint import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_UNCOLLECTED_OBJECTS = 300_000
"""The number of new objects before Python collects cyclic garbage; its own threshold costs a fifth of a
check.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status, one of `extlint.cli.process`.

    Without arguments it is the program of this process: it uses the arguments of the process, and handles its
    signals and closed streams as well.
    """
    gc.set_threshold(_MAX_UNCOLLECTED_OBJECTS)
    if arguments is None:
        _end_at_ctrl_c()
        from extlint.cli.modules import find_own_modules

        find_own_modules()
        from extlint.cli.process import (
            exit_process,
            handle_signals,
            ignore_signals,
            open_closed_streams,
        )

        handle_signals()
        open_closed_streams()
        try:
            status = _status(sys.argv[1:])
        finally:
            ignore_signals()
        exit_process(status)
        return status
    return _status(arguments)


def _end_at_ctrl_c() -> None:
    """Makes Ctrl-C end this process with one line until `handle_signals` does, which takes longer to load."""

    def stop(*_: object) -> None:
        os.write(2, b"extlint: interrupted\n")
        os._exit(128 + SIGINT)

    try:
        if getsignal(SIGINT) != SIG_IGN:
            signal(SIGINT, stop)
    except ValueError:  # not in the main thread
        pass


def _status(arguments: Sequence[str]) -> int:
    from extlint.cli.process import FAILED, INTERRUPTED
    from extlint.cli.streams import complain, discard_output, flush
    from extlint.processes.resources import shortage

    try:
        status = _run(arguments)
        flush()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except OSError as error:
        discard_output()
        complain(shortage(error) or f"cannot write: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        if (sentence := shortage(error)) and not _is_debugging():
            complain(sentence)
            return FAILED
        from extlint.package.failures import describe_error

        if _is_debugging():
            raise
        complain(f"internal error: {describe_error(error)}")
    else:
        return status
    return FAILED


def _run(arguments: Sequence[str]) -> int:
    """Runs a command line. Does not load click for the version, or for a valid check command."""
    from extlint.cli.process import SUCCESS

    arguments = list(arguments)
    if arguments == ["--version"]:
        from extlint.cli.streams import write

        write(f"extlint {__version__}\n")
        return SUCCESS
    if sorted(arguments) == ["--verbose", "--version"]:
        from extlint.cli.streams import write
        from extlint.cli.version import describe_version

        write(describe_version())
        return SUCCESS
    if arguments[:1] == ["check"]:
        from extlint.cli.modules import load_msgspec

        load_msgspec()
        from extlint.cli.checking import check_without_click

        status = check_without_click(arguments[1:])
        if status is not None:
            return status
    from extlint.cli.program import run

    return run(arguments)


def _is_debugging() -> bool:
    """Whether errors are raised again; without an import, which fails if memory is short."""
    return bool(os.environ.get("EXTLINT_DEBUG"))
