"""Checks repeatedly, whenever a file changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from extlint.cli.check_options import OutputOptions
from extlint.cli.modules import missing_library
from extlint.cli.process import SUCCESS
from extlint.cli.streams import complain, write
from extlint.linting.configuration.usage_error import UsageError

CLEAR = "\x1b[2J\x1b[H"
"""Clears a terminal."""

TIMEOUT = 200
"""The timeout of a wait for changes, in milliseconds."""


def watch_and_check(
    check: Callable[[], int], paths: Sequence[str], output: OutputOptions, *, clears: bool = True
) -> int:
    """Checks, and checks again whenever something below the paths changes. Ends when the process is stopped.

    The outputs of a run do not count as changes, but files that it has fixed do. With `clears`, a terminal is
    cleared before each run but the first. Raises UsageError if nothing can be watched.
    """
    try:
        from watchfiles import Change, DefaultFilter, watch
    except ImportError:
        raise UsageError(missing_library("--watch", "watchfiles", "watch")) from None
    if "-" in paths:
        raise UsageError("--watch cannot be combined with standard input (-)")
    missing = next((path for path in paths if not Path(path).exists()), None)
    if missing is not None:
        raise UsageError(f"no such file or folder: {missing}")
    own = {str(Path(name).absolute()) for name in _output_files(output)}
    ignored = DefaultFilter()

    def counts(change: Change, path: str) -> bool:
        return path not in own and ignored(change, path)

    status = SUCCESS
    begun = False
    # The first iteration comes once the watch is set up, so that no change is missed.
    for changes in watch(
        *paths, watch_filter=counts, raise_interrupt=True, rust_timeout=TIMEOUT, yield_on_timeout=True
    ):
        if begun and not changes:
            continue
        if clears and begun and sys.stdout.isatty():
            write(CLEAR)
        begun = True
        try:
            status = check()
        except UsageError as error:
            complain(str(error))
        write("extlint: waiting for changes; Ctrl-C ends this\n", sys.stderr)
    return status


def _output_files(output: OutputOptions) -> list[str]:
    """Returns the files that a run writes."""
    files = [output.output_file, *(file for _, file in output.output_format)]
    return [file for file in files if file is not None]
