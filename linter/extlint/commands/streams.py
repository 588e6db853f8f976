"""Standard output and standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from extlint.reporter.visible import visible


def use_color(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write in color: `always`, `never`, or by what `auto` finds.

    NO_COLOR with any text in it means no. Then FORCE_COLOR means yes, or no if it is 0. Then a
    terminal gets color, unless TERM is `dumb`.
    """
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    return environment.get("TERM") != "dumb" and stream.isatty()


def complain(sentence: str) -> None:
    """Tells the user on standard error, in one line, why something could not be done, if anybody hears it."""
    try:
        sys.stderr.write(f"extlint: {visible(sentence)}\n")
        sys.stderr.flush()
    except OSError:
        _forget(sys.stderr)


def write(text: str, stream: TextIO | None = None) -> None:
    """Writes to standard output, or to another stream, what its encoding can hold, and the rest escaped.

    Raises OSError, but not where a pipe's reader has gone, who has read enough.
    """
    to = sys.stdout if stream is None else stream
    encoding = to.encoding or "utf-8"
    try:
        to.write(text.encode(encoding, "backslashreplace").decode(encoding))
        to.flush()
    except BrokenPipeError:
        _forget(to)


def write_bytes(data: bytes) -> None:
    """Writes bytes to standard output as they are. Raises OSError as `write` does."""
    try:
        sys.stdout.buffer.write(data)
        flush()
    except BrokenPipeError:
        forget_output()


def flush() -> None:
    """Writes what is left of standard output. Raises OSError."""
    sys.stdout.flush()


def forget_output() -> None:
    """Drops what is left of standard output, which Python would try to write once more at its end."""
    _forget(sys.stdout)


def _forget(stream: TextIO) -> None:
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
