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


_TERMINALS_WITH_LINKS = {
    "TERM": ("alacritty", "foot", "wezterm", "xterm-ghostty", "xterm-kitty"),
    "TERM_PROGRAM": ("Hyper", "WezTerm", "ghostty", "iTerm.app", "rio", "vscode", "zed"),
    "KONSOLE_VERSION": None,
    "WT_SESSION": None,
}
"""The variables that terminals with links set, and the values; None for any."""

_VTE_WITH_LINKS = 5001
"""The first version of VTE, which terminals of GNOME use, in which links cannot make it crash."""


def use_links(color: bool, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write links: as FORCE_HYPERLINK says, or in color to a terminal known to take them."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    if not color or not stream.isatty():
        return False
    version = environment.get("VTE_VERSION", "")
    if version.isdecimal() and int(version) >= _VTE_WITH_LINKS:
        return True
    given = ((environment.get(name), values) for name, values in _TERMINALS_WITH_LINKS.items())
    return any(value and (values is None or value in values) for value, values in given)


def opens_paths(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal itself opens a path at its line and column, which a link would not."""
    return environment.get("TERM_PROGRAM") == "vscode"


def width_of(stream: TextIO) -> int | None:
    """The columns of the terminal that a stream is; None if it is none."""
    if not stream.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def use_progress(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to show how far a run is: on a terminal that can take lines away, and not in CI."""
    return not environment.get("CI") and environment.get("TERM") != "dumb" and stream.isatty()


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
