"""Standard output and standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from extlint.report.visible import visible


def use_color(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write in color: `always`, `never`, or `auto`, which decides by the environment.

    NO_COLOR with any text in it means no. Then FORCE_COLOR means yes, or no if it is 0. Then a terminal
    receives color, unless TERM is `dumb`.
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
"""The variables set by terminals with links, and their values, or None for any value."""

_VTE_WITH_LINKS = 5001
"""The first version of VTE, which GNOME terminals use, that does not crash on links."""


def use_links(color: bool, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write links: by FORCE_HYPERLINK, or in color to a terminal known to support them."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    if not color or not stream.isatty():
        return False
    version = environment.get("VTE_VERSION", "")
    if version.isdecimal() and int(version) >= _VTE_WITH_LINKS:
        return True
    variables = ((environment.get(name), values) for name, values in _TERMINALS_WITH_LINKS.items())
    return any(value and (values is None or value in values) for value, values in variables)


def opens_paths(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal itself opens a path at its line and column, which a link would not."""
    return environment.get("TERM_PROGRAM") == "vscode"


def width_of(stream: TextIO) -> int | None:
    """Returns the columns of the terminal of a stream, or None for other streams."""
    if not stream.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def use_progress(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to show progress: on a terminal that can clear lines, and not in CI."""
    return not environment.get("CI") and environment.get("TERM") != "dumb" and stream.isatty()


def complain(sentence: str) -> None:
    """Reports on standard error, in one line, why something failed. Ignores errors of the stream."""
    try:
        sys.stderr.write(f"extlint: {visible(sentence)}\n")
        sys.stderr.flush()
    except OSError:
        _discard(sys.stderr)


def write(text: str, stream: TextIO | None = None) -> None:
    """Writes to standard output, or to another stream. Escapes characters outside its encoding.

    Raises OSError, except for a pipe whose reader has exited, as it has read enough.
    """
    to = sys.stdout if stream is None else stream
    encoding = to.encoding or "utf-8"
    try:
        to.write(text.encode(encoding, "backslashreplace").decode(encoding))
        to.flush()
    except BrokenPipeError:
        _discard(to)


def write_bytes(data: bytes) -> None:
    """Writes bytes to standard output as they are. Raises OSError as `write` does."""
    try:
        sys.stdout.buffer.write(data)
        flush()
    except BrokenPipeError:
        discard_output()


def flush() -> None:
    """Writes the rest of standard output. Raises OSError."""
    sys.stdout.flush()


def discard_output() -> None:
    """Drops the rest of standard output, which Python would otherwise try to write at exit."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
